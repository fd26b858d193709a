import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

/// A condition that holds for exactly one of two envelopes.
struct QueryCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let query: EnvelopeQuery

  init(_ name: String, _ change: (inout EnvelopeQuery) -> Void) {
    testDescription = name
    var query = EnvelopeQuery(workspace: nil)
    change(&query)
    self.query = query
  }

  static let all = [
    QueryCase("workspace") { $0.workspace = WorkspaceID("other") },
    QueryCase("service") { $0.service = .fcm },
    QueryCase("outcome") { $0.isAccepted = false },
    QueryCase("status") { $0.status = 400 },
    QueryCase("connection") { $0.connection = 8 },
    QueryCase("push type") { $0.pushType = "background" },
    QueryCase("reason") { $0.reason = "BadDeviceToken" },
    QueryCase("diagnosis") { $0.diagnosis = "fcm-token-at-apns" },
    QueryCase("token") { $0.token = "aa:bb" },
    QueryCase("topic") { $0.topic = "news" },
    QueryCase("project") { $0.project = "p1" },
    QueryCase("app") { $0.app = "com.example.other" },
    QueryCase("device") { $0.device = DeviceID("d2") },
    QueryCase("collapse") { $0.collapse = "c" },
    QueryCase("since") { $0.since = Timestamp(milliseconds: 5_000) },
    QueryCase("a word in the body") { $0.words = "unusual" },
    QueryCase("an escaped word in the body") { $0.words = "день" },
    QueryCase("words in body and diagnosis") { $0.words = "unusual register" },
    QueryCase("a word in a header") { $0.words = "X-ODD" },
  ]
}

@Suite struct EnvelopeQueryTests {
  @Test func `a page of large envelopes ends early and goes on where it ended`() {
    let store = EnvelopeStore()
    for _ in 1...10 { store.append { $0.body = [UInt8](repeating: 0x61, count: 1 << 20) } }
    var query = EnvelopeQuery(workspace: nil)
    let first = store.page(query)
    #expect(first.items.count == 8)
    #expect(first.total == 10)
    query.before = first.next
    let second = store.page(query)
    #expect(second.items.first?.number == first.items.last.map { $0.number - 1 })
  }

  /// Envelope 1 is ordinary; envelope 2 differs in everything.
  private func store() -> EnvelopeStore {
    let store = EnvelopeStore()
    store.append { $0.receivedAt = Timestamp(milliseconds: 1_000) }
    store.append(.refused) {
      $0.receivedAt = Timestamp(milliseconds: 5_000)
      $0.connection = 8
      $0.outcome.pushType = Array("background".utf8)[...]
      $0.outcome.service = .fcm
      $0.outcome.workspace = WorkspaceID("other")
      $0.outcome.token = Array("aa:bb".utf8)[...]
      $0.outcome.tokenKind = .fcm
      $0.outcome.topic = Array("news".utf8)[...]
      $0.outcome.project = Array("p1".utf8)[...]
      $0.outcome.collapse = Array("c".utf8)[...]
      $0.outcome.app = "com.example.other"
      $0.body = Array(#"{"a":"Unusual \u0434\u0435\u043d\u044c"}"#.utf8)
      $0.head.fields.append("x-odd", "1")
    }
    store.noteDelivery(2, DeliveryStep("d1", .stored))
    store.noteDelivery(2, DeliveryStep("d2", .stored))
    return store
  }

  @Test(arguments: QueryCase.all)
  func `each condition is checked`(test: QueryCase) {
    #expect(store().page(test.query).items.map(\.number) == [2])
  }

  @Test func `all words must occur`() {
    var query = EnvelopeQuery(workspace: nil)
    query.words = "unusual absent"
    #expect(store().page(query).total == 0)
  }

  @Test func `until is exclusive`() {
    var query = EnvelopeQuery(workspace: nil)
    query.until = Timestamp(milliseconds: 5_000)
    #expect(store().page(query).items.map(\.number) == [1])
  }

  @Test func `device tokens compare without case`() {
    var query = EnvelopeQuery()
    query.token = DraftParts.token.uppercased()
    #expect(store().count(of: query) == 1)
  }

  @Test func `pages stay where they are while newer envelopes arrive`() {
    let store = EnvelopeStore()
    for _ in 1...5 { store.append() }
    var query = EnvelopeQuery()
    query.limit = 2
    let first = store.page(query)
    #expect(first.items.map(\.number) == [5, 4])
    #expect(first.total == 5)
    store.append()
    query.before = first.next
    let second = store.page(query)
    #expect(second.items.map(\.number) == [3, 2])
    #expect(second.total == 6)
    query.before = second.next
    let last = store.page(query)
    #expect(last.items.map(\.number) == [1])
    #expect(last.next == nil)
  }

  @Test func `a page that ends with the last match has no next`() {
    let store = EnvelopeStore()
    for _ in 1...2 { store.append() }
    var query = EnvelopeQuery()
    query.limit = 2
    #expect(store.page(query).next == nil)
  }
}
