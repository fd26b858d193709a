import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitConsole

@Suite struct ConsoleExpectTests {
  private let fixture = ConsoleFixture()

  /// What was answered, once it was.
  private final class Answer {
    let pending: PendingAnswer
    private(set) var response: ReceivedResponse?

    init(_ pending: PendingAnswer) {
      self.pending = pending
      pending.sendBy { [unowned self] in response = ReceivedResponse($0) }
    }
  }

  private func expect(_ body: String, _ query: String = "") throws -> Answer {
    guard case .later(let pending) = fixture.answer("POST", "/api/v1/expect\(query)", body: body)
    else { throw NoAnswer() }
    return Answer(pending)
  }

  private struct NoAnswer: Error {}

  @Test func `an expectation is met when its push comes, and its timer is gone`() throws {
    let answer = try expect(#"{"match":{"/aps/alert":"Hi"},"count":{"atLeast":2}}"#)
    fixture.push()
    #expect(answer.response == nil && fixture.timers.count == 1)
    fixture.push()
    let response = try #require(answer.response)
    #expect(response.status == 200 && response.json["count"]?.intValue == 2)
    #expect(response.json.pointer("/matches/0/id")?.stringValue == "e1")
    #expect(fixture.timers.count == 0)
  }

  @Test func `what was recorded before is enough`() throws {
    fixture.push()
    #expect(try expect(#"{"match":{}}"#).response?.status == 200)
  }

  @Test func `one that is not met is 417 with near misses and a sentence`() throws {
    let answer = try expect(
      #"{"match":{"topic":"com.example.other"},"within":"2s","of":"envelopes"}"#)
    fixture.push()
    fixture.timers.advance(by: .seconds(2))
    let response = try #require(answer.response)
    #expect(response.status == 417)
    #expect(response.head.fields.text("content-type") == "application/problem+json")
    #expect(response.json["type"]?.stringValue == "urn:pushpit:expectation-failed")
    #expect(
      response.json["detail"]?.stringValue
        == "Expected at least 1 envelope to match within 2s; 0 did. The nearest is e1: "
        + #"topic is "com.example.app" and not "com.example.other"."#)
    #expect(
      response.json.pointer("/nearMisses/0")
        == [
          "envelope": "e1", "device": .null,
          "differs": [
            [
              "field": "topic", "expected": "com.example.other", "found": "com.example.app",
            ]
          ],
          "outcome": "accepted", "status": 200, "reason": .null, "diagnosis": .null,
        ])
    #expect(response.json["matches"] == [])
  }

  @Test func `the report names what a sender does, and is about what is recorded`() throws {
    fixture.push { $0.token = Array("ab".utf8)[...] }
    fixture.push { $0.token = Array("ab".utf8)[...] }
    let report = fixture.send("GET", "/api/v1/report")
    #expect(report.status == 200 && report.json["pushes"]?.intValue == 2)
    #expect(report.json.pointer("/findings/0/code")?.stringValue == "duplicate-push")
    let answer = try expect(
      #"{"of":"findings","match":{"code":"duplicate-push"},"count":0,"within":"0s"}"#)
    #expect(answer.response?.status == 417)
    _ = fixture.send("DELETE", "/api/v1/envelopes")
    #expect(fixture.send("GET", "/api/v1/report").json["pushes"]?.intValue == 0)
    let all = fixture.send(
      "POST", "/api/v1/expect?workspace=*", body: #"{"of":"findings","match":{}}"#)
    #expect(all.json.pointer("/errors/0/pointer")?.stringValue == "/of")
    let field = fixture.send(
      "POST", "/api/v1/expect", body: #"{"match":{"token":"a"},"of":"connections"}"#)
    #expect(field.json.pointer("/errors/0/pointer")?.stringValue == "/match/token")
    #expect(fixture.send("GET", "/api/v1/report?workspace=*").status == 400)
  }

  @Test func `who hangs up leaves nothing behind`() throws {
    let answer = try expect(#"{"match":{"topic":"none"}}"#)
    #expect(fixture.console.expectations.waitingCount == 1)
    answer.pending.stop()
    #expect(fixture.console.expectations.waitingCount == 0 && fixture.timers.count == 0)
    #expect(fixture.events.subscriberCount == 0)
  }

  @Test func `a reset workspace and a stopping gateway end the wait with a problem`() throws {
    let reset = try expect(#"{"match":{}}"#)
    _ = fixture.send("POST", "/api/v1/reset")
    #expect(reset.response?.status == 409)
    let stopped = try expect(#"{"match":{}}"#, "?workspace=*")
    fixture.console.endStreams()
    #expect(stopped.response?.status == 503)
  }

  @Test func `one too many is refused`() throws {
    var answers: [Answer] = []
    for _ in 0..<ExpectationBoard.limit { answers.append(try expect(#"{"match":{}}"#)) }
    #expect(fixture.send("POST", "/api/v1/expect", body: #"{"match":{}}"#).status == 429)
    #expect(answers.count == ExpectationBoard.limit)
  }

  @Test(arguments: [
    ("[]", ""), ("{}", "/match"), (#"{"match":1}"#, "/match"),
    (#"{"match":{"tokn":1}}"#, "/match/tokn"), (#"{"match":{},"count":-1}"#, "/count"),
    (#"{"match":{},"count":{"atLeast":1,"atMost":2}}"#, "/count"),
    (#"{"match":{},"count":{"about":1}}"#, "/count"), (#"{"match":{},"count":1.5}"#, "/count"),
    (#"{"match":{},"within":"61s"}"#, "/within"), (#"{"match":{},"within":5}"#, "/within"),
    (#"{"match":{},"of":"pushes"}"#, "/of"), (#"{"match":{},"since":"yesterday"}"#, "/since"),
    (#"{"match":{},"strict":1}"#, "/strict"), (#"{"match":{},"counts":1}"#, "/counts"),
  ])
  func `what is wrong with a body is named`(body: String, pointer: String) {
    let answer = fixture.send("POST", "/api/v1/expect", body: body)
    #expect(answer.status == 400)
    #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == pointer)
  }

  @Test func `everything wrong is named at once`() {
    let answer = fixture.send(
      "POST", "/api/v1/expect", body: #"{"match":{"a":1,"b":{"glob":1}},"within":1,"strict":1}"#)
    #expect(answer.json["errors"]?.arrayValue?.count == 4)
    #expect(fixture.send("POST", "/api/v1/expect?workspace=none", body: "{}").status == 404)
    #expect(fixture.send("POST", "/api/v1/expect?limit=1", body: "{}").status == 400)
  }

  @Test func `the body's other members are read`() throws {
    let body = #"""
      {"match":{"token":"abc"},"count":{"atMost":3},"within":"100ms","of":"deliveries",
       "since":"e7","strict":true}
      """#
    let expectation = ExpectationReader(try JSONReader.parse(body.utf8)).expectation
    #expect(expectation.count == .atMost(3) && expectation.within == .milliseconds(100))
    #expect(expectation.subject == .deliveries && expectation.after == 7 && expectation.isStrict)
    let dated = ExpectationReader(["match": [:], "since": "2026-01-15T01:30:15Z"]).expectation
    #expect(dated.since == Timestamp(milliseconds: 1_768_440_615_000))
  }
}
