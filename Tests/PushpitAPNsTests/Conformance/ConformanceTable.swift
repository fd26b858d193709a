import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

/// The rules as a page for people, `docs/conformance-apns.md`.
///
/// The rules are what the tests run, so nothing is in the page that no test shows.
enum ConformanceTable {
  /// The whole page.
  static var page: GeneratedPage {
    var lines = [
      "# APNs: what Pushpit does, how that is known, and what shows it",
      "",
      "Generated from the tests by `scripts/conformance --write`; `scripts/test` fails when it is out of date.",
      "Each rule starts from one valid push and breaks one thing. *Observed* was seen on the real service, *documented*",
      "stands on a page of Apple's, *library* is done by senders in production, *assumed* is known to nobody outside Apple.",
      "Refusals are answered with exactly `apns-id` and `{\"reason\":\"...\"}`, acceptance with `apns-id`, in the sandbox",
      "`apns-unique-id`, and no body; about channels `apns-request-id` stands in place of `apns-id`.",
    ]
    for section in ConformanceSection.all {
      lines += ["", "## \(section.title)", "", header, rule]
      lines += section.rules.map(line)
    }
    lines += ["", "## Order of the checks", ""]
    lines += [
      "Where two things are wrong, the earlier check answers. Every pair that one request can have is a test.",
      "",
      "| check | before | evidence |", "| --- | --- | --- |",
    ]
    for (earlier, later) in zip(CheckFault.all, CheckFault.all.dropFirst()) {
      let place = later.place.map(GeneratedPage.cell) ?? ""
      lines.append("| \(earlier.check) | \(later.check) | \(place) |")
    }
    return GeneratedPage(path: "docs/conformance-apns.md", lines: lines)
  }

  private static let header =
    "| what is sent | status | reason | evidence | test | known deviation |"
  private static let rule = "| --- | ---: | --- | --- | --- | --- |"

  private static func line(_ rule: ConformanceRule) -> String {
    GeneratedPage.row([
      rule.title, rule.status.map(String.init) ?? "", rule.reason.map { "`\($0.rawValue)`" } ?? "",
      GeneratedPage.cell(rule.evidence), test(of: rule), rule.deviation ?? "",
    ])
  }

  private static func test(of rule: ConformanceRule) -> String {
    switch rule.proof {
    case .push, .scene, .channels, .catalogue: "table"
    case .test(let file, _): GeneratedPage.link(to: file)
    }
  }
}

extension ConformanceRule {
  /// The status of the answer; nil where the rule is about no answer.
  var status: Int? {
    if let reason { return reason.status }
    if case .test = proof { return nil }
    return 200
  }
}
