import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitRecording

/// A store, its events, and a board that watches them.
private final class Fixture {
  let store = EnvelopeStore(countLimit: 1_000)
  let events = EventHub()
  let board: ExpectationBoard
  var endings: [ExpectationBoard.Ending] = []

  let analyses: SenderAnalyses

  init() {
    analyses = SenderAnalyses(store: store)
    board = ExpectationBoard(store: store, events: events, analyses: analyses)
  }

  func expectation(
    _ match: String, _ change: (inout PushExpectation) -> Void = { _ in }
  ) throws -> PushExpectation {
    let reader = MatcherReader(try JSONReader.parse(match.utf8), fields: EnvelopeFields.all)
    #expect(reader.problems.isEmpty)
    var expectation = PushExpectation(matcher: reader.matcher)
    expectation.workspace = .default
    change(&expectation)
    return expectation
  }

  @discardableResult
  func add(
    _ match: String, _ change: (inout PushExpectation) -> Void = { _ in }
  ) throws -> ExpectationBoard.Ticket? {
    try board.add(expectation(match, change)) { [weak self] in self?.endings.append($0) }
  }

  @discardableResult
  func push(
    _ parts: DraftParts = DraftParts(), _ change: (inout DraftParts) -> Void = { _ in }
  ) -> EnvelopeNumber {
    var workspace = WorkspaceID.default
    let number = store.append(parts) {
      change(&$0)
      workspace = $0.outcome.workspace
    }
    events.post(.envelope(number), workspace: workspace, at: Timestamp(milliseconds: 0))
    return number
  }

  func step(_ number: EnvelopeNumber, _ device: String, _ state: DeliveryState) {
    let step = DeliveryStep(device, state)
    store.noteDelivery(number, step)
    events.post(.delivery(number, step), workspace: .default, at: step.at)
  }

  var outcomes: [ExpectationOutcome] {
    endings.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
  }
}

@Suite struct ExpectationBoardTests {
  private let fixture = Fixture()
  private var board: ExpectationBoard { fixture.board }

  @Test func `what came before counts, and is told at once`() throws {
    fixture.push()
    #expect(try fixture.add(#"{"topic":"com.example.app"}"#) == nil)
    #expect(fixture.outcomes.map(\.isMet) == [true] && fixture.outcomes[0].matches.count == 1)
    #expect(board.waitingCount == 0 && fixture.events.subscriberCount == 0)
  }

  @Test func `what comes later is told when it comes`() throws {
    try fixture.add(#"{"/aps/alert":"Hello","status":200}"#) { $0.count = .atLeast(2) }
    fixture.push()
    #expect(fixture.endings.isEmpty)
    fixture.push(.refused)
    fixture.push { $0.body = Array(#"{"aps":{"alert":"Other"}}"#.utf8) }
    #expect(fixture.endings.isEmpty)
    fixture.push()
    #expect(fixture.outcomes.map(\.count) == [2] && board.waitingCount == 0)
    #expect(fixture.events.subscriberCount == 0)
  }

  @Test func `what never comes ends with what came near, the nearest first`() throws {
    let ticket = try #require(
      try fixture.add(
        #"{"outcome":"accepted","topic":"com.example.app","/aps/alert":"Hello"}"#))
    let other = fixture.push { $0.body = Array(#"{"aps":{"alert":"Bye"}}"#.utf8) }
    let refused = fixture.push(.refused) {
      $0.body = Array(#"{"aps":{"alert":"Bye"}}"#.utf8)
    }
    let far = fixture.push(.refused) {
      $0.outcome.topic = Array("com.example.other".utf8)[...]
      $0.body = Array("{}".utf8)
    }
    fixture.push(.refused) { $0.outcome.service = .oauth }
    board.expire(ticket)
    let outcome = try #require(fixture.outcomes.first)
    #expect(!outcome.isMet && outcome.count == 0)
    #expect(outcome.nearMisses.map(\.envelope.number) == [other, refused, far])
    #expect(outcome.nearMisses.map(\.differences.count) == [1, 2, 3])
    #expect(
      outcome.sentence
        == "Expected at least 1 envelope to match within 5s; 0 did. The nearest is e1: "
        + #"/aps/alert is "Bye" and not "Hello"."#)
  }

  @Test func `a refusal that came near is explained`() throws {
    let ticket = try #require(try fixture.add(#"{"outcome":"accepted"}"#))
    fixture.push(.refused) {
      $0.outcome.diagnosis = Diagnosis(
        .fcmTokenAtAPNs, what: "it is a registration token", fix: "")
    }
    board.expire(ticket)
    let sentence = try #require(fixture.outcomes.first?.sentence)
    #expect(
      sentence.hasSuffix(
        "It was refused: 400 BadDeviceToken, because it is a registration token."))
  }

  @Test func `exact and highest counts are held to the end, and fail at once when exceeded`() throws
  {
    let exact = try #require(try fixture.add("{}") { $0.count = .exactly(1) })
    let none = try #require(try fixture.add("{}") { $0.count = .exactly(0) })
    let most = try #require(try fixture.add("{}") { $0.count = .atMost(1) })
    fixture.push()
    #expect(fixture.outcomes.map(\.isMet) == [false])
    board.expire(none)
    #expect(fixture.outcomes.count == 1)
    board.expire(most)
    #expect(fixture.outcomes.map(\.isMet) == [false, true])
    fixture.push()
    #expect(fixture.outcomes.map(\.isMet) == [false, true, false])
    board.expire(exact)
    #expect(fixture.outcomes.count == 3)
  }

  @Test func `a strict one forbids other accepted pushes, not refused ones or tokens`() throws {
    let ticket = try #require(
      try fixture.add(#"{"/aps/alert":"Hello"}"#) { $0.isStrict = true })
    fixture.push()
    fixture.push(.refused) { $0.body = [] }
    fixture.push {
      $0.outcome.service = .oauth
      $0.body = []
    }
    #expect(fixture.endings.isEmpty)
    fixture.push { $0.body = Array("{}".utf8) }
    let outcome = try #require(fixture.outcomes.first)
    #expect(!outcome.isMet && outcome.strangerCount == 1 && outcome.count == 1)
    board.expire(ticket)
    #expect(fixture.endings.count == 1)
  }

  @Test func `deliveries are one for each device, in every state that they have been in`() throws {
    try fixture.add(#"{"state":"displayed","topic":"com.example.app"}"#) {
      $0.subject = .deliveries
      $0.count = .atLeast(2)
    }
    let number = fixture.push()
    fixture.step(number, "a", .delivered)
    fixture.step(number, "a", .displayed)
    fixture.step(number, "a", .tapped)
    fixture.step(number, "a", .displayed)
    #expect(fixture.endings.isEmpty)
    fixture.step(number, "b", .displayed)
    let outcome = try #require(fixture.outcomes.first)
    #expect(outcome.isMet && outcome.count == 2 && outcome.matches.count == 2)
    let first = try JSONReader.parse(outcome.matches[0])
    #expect(first.pointer("/delivery/state")?.stringValue == "displayed")
    #expect(first.pointer("/envelope/id")?.stringValue == "e1")
  }

  @Test func `an envelope is looked at again when a device did something with it`() throws {
    try fixture.add(#"{"device":"a","state":"tapped"}"#)
    let number = fixture.push()
    fixture.step(number, "a", .delivered)
    #expect(fixture.endings.isEmpty)
    fixture.step(number, "a", .tapped)
    #expect(fixture.outcomes.map(\.isMet) == [true])
  }

  @Test func `other workspaces do not count, unless all are asked for`() throws {
    try fixture.add("{}")
    try fixture.add("{}") { $0.workspace = nil }
    fixture.push { $0.outcome.workspace = WorkspaceID("ci") }
    #expect(fixture.outcomes.count == 1 && board.waitingCount == 1)
  }

  @Test func `a time or an envelope narrows what counts`() throws {
    let number = fixture.push()
    try fixture.add("{}") { $0.after = number }
    try fixture.add("{}") { $0.since = Timestamp(milliseconds: 1_768_440_615_011) }
    #expect(board.waitingCount == 2)
    fixture.push { $0.receivedAt = Timestamp(milliseconds: 1_768_440_615_011) }
    #expect(fixture.outcomes.count == 2)
  }

  @Test func `who gave up is told nothing, and costs nothing any more`() throws {
    let ticket = try #require(try fixture.add("{}"))
    #expect(fixture.events.subscriberCount == 1)
    board.abandon(ticket)
    #expect(fixture.events.subscriberCount == 0)
    fixture.push()
    #expect(fixture.endings.isEmpty && board.examinationCount == 0)
  }

  @Test func `a workspace that goes ends its waits, and a stop all`() throws {
    try fixture.add("{}") { $0.workspace = WorkspaceID("ci") }
    try fixture.add("{}")
    board.cancel(WorkspaceID("ci"), because: .workspaceGone)
    #expect(fixture.endings.count == 1 && board.waitingCount == 1)
    board.cancel(nil, because: .gatewayStopping)
    #expect(fixture.endings.count == 2)
  }

  @Test func `a thousand wait without doing anything, and one more is too many`() throws {
    for _ in 0..<ExpectationBoard.limit { try fixture.add(#"{"topic":"other"}"#) }
    #expect(throws: ExpectationBoard.Full()) { try fixture.add(#"{"topic":"other"}"#) }
    #expect(board.examinationCount == 0)
    fixture.events.post(.connection(1), workspace: nil, at: Timestamp(milliseconds: 0))
    fixture.push { $0.outcome.workspace = WorkspaceID("ci") }
    #expect(board.examinationCount == 0)
    fixture.push()
    #expect(board.examinationCount == 1_000)
  }

  @Test(arguments: 0..<100)
  func `at every moment the count is that of everything recorded`(seed: UInt64) throws {
    let random = RandomSource(seed: seed)
    let states = DeliveryState.allCases
    let matches = [
      #"{"status":200}"#, #"{"device":"a"}"#, #"{"state":"tapped"}"#, #"{"/n":{"lessThan":3}}"#,
      #"{"state":"displayed","device":"b","status":200}"#,
    ]
    let match = matches[Int(random.next() % UInt64(matches.count))]
    let subject: PushExpectation.Subject = random.next() % 2 == 0 ? .envelopes : .deliveries
    let ticket = try #require(
      try fixture.add(match) {
        $0.subject = subject
        $0.count = .atMost(1_000_000)
      })
    for _ in 0..<40 {
      if fixture.store.nextEnvelope == 1 || random.next() % 3 == 0 {
        let status = random.next() % 2 == 0 ? 200 : 400
        let number = random.next() % 6
        fixture.push {
          $0.outcome.status = status
          $0.body = Array(#"{"n":\#(number)}"#.utf8)
        }
      } else {
        let envelope = 1 + random.next() % (fixture.store.nextEnvelope - 1)
        let device = random.next() % 2 == 0 ? "a" : "b"
        fixture.step(envelope, device, states[Int(random.next() % UInt64(states.count))])
      }
    }
    board.expire(ticket)
    // A second look, at everything at once.
    let tally = ExpectationTally(
      try fixture.expectation(match) {
        $0.subject = subject
        $0.count = .atMost(1_000_000)
      }, store: fixture.store, analyses: fixture.analyses)
    tally.takeAll()
    #expect(fixture.outcomes.first?.count == tally.outcome.count)
  }
}
