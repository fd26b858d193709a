import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitRecording

/// Warnings that are found when an envelope is read.
@Suite struct EnvelopeLintTests {
  /// A store whose lint finds the string under `/bad`, and notes what it was asked.
  private final class Fixture {
    private(set) var asked: [RecordedPush] = []
    private(set) lazy var store = EnvelopeStore { [unowned self] push in
      asked.append(push)
      return (push.payload["bad"]?.stringValue).map { [PayloadWarning(code: $0, text: "bad")] }
        ?? []
    }

    @discardableResult
    func append(_ body: String, _ change: (inout DraftParts) -> Void = { _ in }) -> EnvelopeNumber {
      store.append {
        $0.body = Array(body.utf8)
        change(&$0)
      }
    }
  }

  @Test func `recording a push asks nothing; reading it asks with what the push said`() throws {
    let fixture = Fixture()
    let number = fixture.append(#"{"bad":"lint-x"}"#) { $0.outcome.priority = 5 }
    #expect(fixture.asked.isEmpty)
    let envelope = try #require(fixture.store.envelope(number))
    #expect(envelope.warnings.map(\.code) == ["lint-x"])
    let asked = try #require(fixture.asked.first)
    #expect(asked.service == .apns)
    #expect(asked.isToToken)
    #expect(asked.topic == "com.example.app")
    #expect(asked.pushType == "alert")
    #expect(asked.priority == 5)
    #expect(asked.receivedAt == DraftParts().receivedAt)
  }

  @Test func `times in a payload are compared with the sender's clock, not the workspace's`() throws
  {
    let fixture = Fixture()
    var parts = DraftParts()
    parts.workspaceLead = .seconds(3660)
    let number = fixture.store.append(parts)
    #expect(fixture.store.envelope(number)?.receivedAt == parts.receivedAt + .seconds(3660))
    #expect(fixture.asked.first?.receivedAt == parts.receivedAt)
  }

  @Test func `lint comes after the warnings that the push was answered with`() throws {
    let fixture = Fixture()
    let number = fixture.append(#"{"bad":"lint-x"}"#) {
      $0.outcome.warnings = [PayloadWarning(code: "sent-after-clear", text: "cleared")]
    }
    let codes = fixture.store.envelope(number)?.warnings.map(\.code)
    #expect(codes == ["sent-after-clear", "lint-x"])
  }

  @Test func `what is not JSON is not linted`() throws {
    let fixture = Fixture()
    let number = fixture.append("{")
    #expect(try #require(fixture.store.envelope(number)).warnings.isEmpty)
    #expect(fixture.asked.isEmpty)
  }

  @Test func `lint is told of what was refused, and to which platform a push went`() throws {
    let fixture = Fixture()
    let refused = fixture.append("{}") {
      $0.outcome.status = 400
      $0.outcome.reason = "BadTopic"
    }
    let accepted = fixture.append("{}") {
      $0.outcome.recipient = TokenRecord(token: [0x61], kind: .fcm, platform: .android)
    }
    for number in [refused, accepted] { _ = fixture.store.envelope(number) }
    #expect(fixture.asked.map(\.isAccepted) == [false, true])
    #expect(fixture.asked.map(\.platform) == [nil, .android])
  }

  @Test func `envelopes are found by the code of any of their warnings`() {
    let fixture = Fixture()
    fixture.append(#"{"bad":"lint-x"}"#)
    fixture.append(#"{"bad":"lint-y"}"#)
    fixture.append("{}") {
      $0.outcome.warnings = [PayloadWarning(code: "lint-x", text: "known before")]
    }
    fixture.append(#"{"bad":"lint-x"}"#) { $0.outcome.topic = Array("com.other".utf8)[...] }
    var query = EnvelopeQuery()
    query.warning = "lint-x"
    #expect(fixture.store.page(query).items.map(\.number) == [4, 3, 1])
    let count = fixture.asked.count
    query.topic = "com.other"
    #expect(fixture.store.count(of: query) == 1)
    #expect(fixture.asked.count == count + 1, "only what matches otherwise is linted")
  }
}
