import PushpitHTTPTypes
import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitAPNs

/// Every rule of the conformance table is run, and the table is what ran.
@Suite struct APNsConformanceTests {
  @Test(arguments: ConformanceSection.runnable)
  func `APNs answers as the table says`(rule: ConformanceRule) throws {
    let gateway = try Gateway()
    let answer =
      switch rule.proof {
      case .push(let change): gateway.send(change)
      case .scene(let run), .channels(let run): try run(gateway)
      case .catalogue, .test: throw Unrunnable(title: rule.title)
      }
    let id = String(decoding: answer.outcome.apnsID, as: UTF8.self)
    guard let reason = rule.reason else {
      #expect(answer.status == 200, "\(answer.body)")
      #expect(answer.fields.first == "\(rule.idField): \(id)")
      #expect(answer.fields.dropFirst().allSatisfy { $0.hasPrefix("apns-unique-id: ") })
      #expect(answer.body.isEmpty)
      #expect(answer.outcome.diagnosis == nil)
      return
    }
    #expect(answer.status == reason.status)
    #expect(answer.fields == ["\(rule.idField): \(id)"])
    // 410 alone has a timestamp, in milliseconds (Apple: Handling notification responses from APNs).
    let timestamp = reason.status == 410 ? #","timestamp":\#(Gateway.now.milliseconds)"# : ""
    #expect(answer.body == #"{"reason":"\#(reason.rawValue)"\#(timestamp)}"#)
    #expect(answer.outcome.diagnosis != nil, "every refusal is explained")
  }

  @Test(arguments: ConformanceSection.catalogue)
  func `an answer that only a fault brings about has its exact bytes`(
    rule: ConformanceRule
  ) throws {
    let reason = try #require(rule.reason)
    var response = ResponseHead(status: 599, fields: FieldList(["left": "over"]))
    var body = Array("left over".utf8)
    let refusal = APNsRefusal(reason, Diagnosis(DiagnosisCode("a-fault"), what: "a", fix: "b"))
    APNsResponse.refuse(
      &response, &body, refusal, id: Array("AN-ID".utf8)[...], wire: .observed)
    #expect(response.status == reason.status)
    #expect(response.fields.pairs.map { "\($0.name): \($0.value)" } == ["apns-id: AN-ID"])
    #expect(String(decoding: body, as: UTF8.self) == #"{"reason":"\#(reason.rawValue)"}"#)
  }

  @Test func `every check and every reason has a rule`() {
    let rules = ConformanceSection.all.flatMap(\.rules)
    for check in APNsCheck.order {
      #expect(rules.contains { $0.check == check }, "no rule shows \(check)")
    }
    for reason in APNsReason.allCases {
      #expect(rules.contains { $0.reason == reason }, "no rule shows \(reason.rawValue)")
    }
  }

  @Test func `every rule has a name of its own and names its evidence`() {
    let rules = ConformanceSection.all.flatMap(\.rules)
    #expect(Set(rules.map(\.title)).count == rules.count)
    for rule in rules { #expect(!rule.evidence.source.isEmpty, "\(rule.title)") }
  }

  @Test func `a test that a rule names is there`() throws {
    for rule in ConformanceSection.all.flatMap(\.rules) {
      guard case .test(let file, let name) = rule.proof else { continue }
      let text = try RepositoryFile.text(file)
      #expect(text.contains(name), "\(file) has no \(name), which should show: \(rule.title)")
    }
  }

  @Test func `every check but the first says how its place is known`() {
    #expect(CheckFault.all.map { $0.place == nil } == CheckFault.all.indices.map { $0 == 0 })
  }

  @Test func `the committed page is what the rules say`() throws {
    let page = ConformanceTable.page
    #expect(
      try page.committed() == page.text,
      "\(page.path) is out of date: run scripts/conformance --write")
  }

  /// A rule that no request to the service shows.
  struct Unrunnable: Error {
    let title: String
  }
}
