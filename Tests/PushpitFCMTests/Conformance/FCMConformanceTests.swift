import PushpitHTTPTypes
import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitFCM

/// Every rule of the conformance table is run, and the table is what ran.
@Suite struct FCMConformanceTests {
  @Test(arguments: ConformanceSection.runnable)
  func `FCM answers as the table says`(rule: ConformanceRule) throws {
    let fixture = try ServiceFixture()
    let outcome =
      switch rule.proof {
      case .message(let body): try fixture.send(body)
      case .scene(let run): try run(fixture)
      case .catalogue, .test: throw Unrunnable(title: rule.title)
      }
    try expect(fixture.head, fixture.text, of: rule)
    #expect(outcome.status == fixture.head.status)
    #expect((outcome.diagnosis == nil) == (fixture.head.status == 200), "refusals are explained")
  }

  @Test(arguments: ConformanceSection.catalogue)
  func `an answer that only a fault brings about has its exact bytes`(
    rule: ConformanceRule
  ) throws {
    guard case .catalogue(let answer) = rule.proof else { throw Unrunnable(title: rule.title) }
    var head = ResponseHead(status: 599, fields: FieldList(["left": "over"]))
    var body = Array("left over".utf8)
    FCMResponse.write(answer, to: &head, body: &body)
    try expect(head, String(decoding: body, as: UTF8.self), of: rule)
  }

  /// Captured in July 2026: for every refused message the answers had the same bytes.
  @Test(arguments: ConformanceSection.validatable)
  func `a message that is only validated is refused in the same bytes`(
    rule: ConformanceRule
  ) throws {
    guard case .message(let body) = rule.proof else { throw Unrunnable(title: rule.title) }
    let fixture = try ServiceFixture()
    try fixture.send(#"{"validate_only":true,"# + body.dropFirst())
    try expect(fixture.head, fixture.text, of: rule)
  }

  private func expect(_ head: ResponseHead, _ text: String, of rule: ConformanceRule) throws {
    let answer = try #require(rule.answer)
    #expect(head.status == answer.status)
    #expect(head.fields.pairs.map { "\($0.name): \($0.value)" } == answer.fields)
    #expect(answer.isBody(text), "\(text)\nis not\n\(answer.body)")
  }

  @Test func `every status and every error code has a rule`() {
    let answers = ConformanceSection.all.flatMap(\.rules).compactMap(\.answer)
    for status in GoogleStatus.allCases {
      #expect(
        answers.contains {
          $0.status == status.httpStatus && $0.body.contains(#""status": "\#(status.rawValue)""#)
        }, "no rule shows \(status.rawValue)")
    }
    for code in FCMErrorCode.allCases {
      #expect(
        answers.contains { $0.body.contains(#""errorCode": "\#(code.rawValue)""#) },
        "no rule shows \(code.rawValue)")
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

  @Test func `the committed page is what the rules say`() throws {
    let page = ConformanceTable.page
    #expect(
      try page.committed() == page.text,
      "\(page.path) is out of date: run scripts/conformance --write")
  }

  /// A rule that no request shows.
  struct Unrunnable: Error {
    let title: String
  }
}

@Suite struct ExpectedAnswerTests {
  private func answer(_ body: String) -> ExpectedAnswer { .json(200, body) }

  @Test(arguments: [
    ("a", "a"), ("a‹2 digits›b", "a12b"), ("‹3 hex›", "0af"), ("x‹letters›,", "xA-_.9,"),
    ("‹2 digits›‹2 hex›", "12ab"),
  ])
  func `a placeholder stands for its characters`(_ body: String, _ text: String) {
    #expect(answer(body).isBody(text))
  }

  @Test(arguments: [
    ("a", "ab"), ("a", "A"), ("a‹2 digits›b", "a1b"), ("a‹2 digits›b", "a123b"), ("‹3 hex›", "0AF"),
    ("x‹letters›,", "x,"), ("‹2 words›", "ab"), ("‹2 digits", "12"), ("a\n", "a"),
  ])
  func `other characters are not the body`(_ body: String, _ text: String) {
    #expect(!answer(body).isBody(text))
  }
}
