import PushpitJSON
import PushpitTestSupport

/// The rules as a page for people, `docs/conformance-fcm.md`.
///
/// The rules are what the tests run, so nothing is in the page that no test shows.
enum ConformanceTable {
  /// The whole page.
  static var page: GeneratedPage {
    var bodies = Bodies()
    var lines = introduction
    for section in ConformanceSection.all {
      lines += ["", "## \(section.title)", "", header, rule]
      lines += section.rules.map { line($0, &bodies) }
    }
    lines +=
      order + [
        "", "## Bodies", "",
        "Byte for byte, the line feed at the end of those in several lines included.",
      ]
    lines += bodies.lines
    return GeneratedPage(path: "docs/conformance-fcm.md", lines: lines)
  }

  private static let introduction =
    [
      "# FCM: what Pushpit does, how that is known, and what shows it",
      "",
      "Generated from the tests by `scripts/conformance --write`; `scripts/test` fails when it is out of date.",
      "Each rule starts from a good request of one project and breaks one thing; what a rule sends is in it where it is short.",
      "*Captured* is an answer taken whole from FCM, *measured* was asked of Google's token endpoint or of another API with the",
      "same front end, *seen in the wild* is reported by senders, *documented* stands on a page of Google's, *library* is done by",
      "senders in production, *assumed* is known to nobody outside Google.",
      "",
      "`‹16 digits›` and the like stand for what Google makes up for each answer. The head of a JSON answer has these fields,",
      "that of a page only its `content-type`; where a rule has more, they are named:",
      "", "```http",
    ] + ExpectedAnswer.fieldsOfJSON + ["```"]

  private static let order =
    [
      "", "## Order of the checks of a send", "",
      "Where two things are wrong, the earlier check answers. Every pair is a test.", "",
      "| check | before | evidence |", "| --- | --- | --- |",
    ]
    + zip(OrderFault.all, OrderFault.all.dropFirst()).map { earlier, later in
      GeneratedPage.row([
        earlier.title, later.title, later.place.map(GeneratedPage.cell) ?? "",
      ])
    }

  private static let header = "| what is sent | status | answer | evidence | note |"
  private static let rule = "| --- | ---: | --- | --- | --- |"

  private static func line(_ rule: ConformanceRule, _ bodies: inout Bodies) -> String {
    GeneratedPage.row([
      title(of: rule), rule.answer.map { "\($0.status)" } ?? "", answer(of: rule, &bodies),
      GeneratedPage.cell(rule.evidence), rule.note ?? "",
    ])
  }

  private static func answer(of rule: ConformanceRule, _ bodies: inout Bodies) -> String {
    if case .test(let file, _) = rule.proof { return "test in \(GeneratedPage.link(to: file))" }
    guard let answer = rule.answer else { return "" }
    let fields = answer.furtherFields.map { "<br>" + code($0) }.joined()
    return "\(Summary.text(of: answer.body)), \(bodies.link(to: answer.body))\(fields)"
  }

  private static func title(of rule: ConformanceRule) -> String {
    guard case .message(let body) = rule.proof, body.utf8.count <= 120, !body.isEmpty,
      !body.unicodeScalars.contains(where: { $0.properties.isDefaultIgnorableCodePoint })
    else { return rule.title }
    return "\(rule.title): \(code(body))"
  }

  /// Text in a cell; a bar would end it.
  fileprivate static func code(_ text: String) -> String {
    "`\(text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: #"\|"#))`"
  }

  /// The bodies of the page, each once.
  private struct Bodies {
    private var texts: [String] = []

    mutating func link(to body: String) -> String {
      let index = texts.firstIndex(of: body) ?? texts.endIndex
      if index == texts.endIndex { texts.append(body) }
      return "[body \(index + 1)](#body-\(index + 1))"
    }

    var lines: [String] {
      texts.enumerated().flatMap { index, text in
        let kind = text.hasPrefix("{") ? "json" : text.hasPrefix("<") ? "html" : "text"
        let end = text.hasSuffix("\n") ? "" : "\n"
        return ["", "### Body \(index + 1)", "", "```\(kind)\n\(text)\(end)```"]
      }
    }
  }
}

/// What a body says, in a few words.
private enum Summary {
  private static let limit = 100

  static func text(of body: String) -> String {
    if let title = body.firstMatch(of: /<title>(.*)<\/title>/.ignoresCase())?.output.1 {
      return "page " + ConformanceTable.code(String(title))
    }
    let error = (try? JSONReader.parse(Array(body.utf8)))?["error"]
    if let message = error?["message"]?.stringValue, let status = error?["status"]?.stringValue {
      return "`\(status)` \(ConformanceTable.code(clipped(message)))"
    }
    return ConformanceTable.code(
      clipped(
        body.split(whereSeparator: \.isNewline)
          .map { $0.drop { $0 == " " } }.joined(separator: " ")))
  }

  private static func clipped(_ text: String) -> String {
    let line = text.unicodeScalars.map { scalar in
      if scalar == "\n" { return #"\n"# }
      return scalar.properties.isDefaultIgnorableCodePoint
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
    return line.count > limit ? line.prefix(limit) + "…" : line
  }
}
