import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitRecording

/// Expectations on what senders do, beside those on what they send.
@Suite struct SenderExpectationTests {
  private let store = EnvelopeStore()
  private let events = EventHub()

  private func outcome(
    of subject: PushExpectation.Subject, _ match: String, _ count: PushExpectation.Count,
    after act: (SenderExpectationTests) -> Void
  ) throws -> ExpectationOutcome {
    let board = ExpectationBoard(
      store: store, events: events, analyses: SenderAnalyses(store: store))
    let reader = MatcherReader(try JSONReader.parse(match.utf8), fields: subject.fields)
    #expect(reader.problems.isEmpty)
    var expectation = PushExpectation(matcher: reader.matcher)
    expectation.workspace = .default
    expectation.subject = subject
    expectation.count = count
    var outcomes: [ExpectationOutcome] = []
    let ticket = try board.add(expectation) {
      if case .outcome(let outcome) = $0 { outcomes.append(outcome) }
    }
    act(self)
    if let ticket { board.expire(ticket) }
    return try #require(outcomes.first)
  }

  private func push(_ parts: DraftParts = DraftParts(), body: String) {
    let number = store.append(parts) { $0.body = Array(body.utf8) }
    events.post(.envelope(number), workspace: .default, at: Timestamp(milliseconds: 0))
  }

  @Test func `one connection, and one provider token`() throws {
    let connections = try outcome(of: .connections, "{}", .exactly(1)) {
      $0.push(body: "1")
      $0.push(body: "2")
    }
    #expect(connections.isMet && connections.count == 1)
    #expect(String(decoding: connections.matches[0], as: UTF8.self) == #"{"id":7,"pushes":2}"#)
    let tokens = try outcome(
      of: .providerTokens, #"{"keyID":"ABC123DEFG"}"#, .atMost(1)
    ) { _ in }
    #expect(tokens.isMet && tokens.count == 1)
  }

  @Test func `no duplicate, and no retry after a refusal`() throws {
    let duplicate = try outcome(of: .findings, #"{"code":"duplicate-push"}"#, .exactly(0)) {
      $0.push(body: "same")
      $0.push(body: "same")
    }
    #expect(!duplicate.isMet && duplicate.count == 1)
    #expect(
      duplicate.sentence == "Expected no finding to match within 5s; 1 did.")
    let retry = try outcome(
      of: .findings, #"{"code":"retry-after-refusal","status":410}"#, .exactly(0)
    ) {
      $0.push(.refused, body: "refused")
      $0.push(.refused, body: "refused")
    }
    #expect(retry.isMet)
  }
}
