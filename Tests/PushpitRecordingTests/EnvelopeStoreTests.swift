import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct EnvelopeStoreTests {
  @Test func `an envelope reads as it was recorded`() throws {
    let store = EnvelopeStore()
    let number = store.append()
    let envelope = try #require(store.envelope(number))
    #expect(number == 1)
    #expect(envelope.id == "e1")
    #expect(envelope.method == "POST")
    #expect(envelope.path == "/3/device/" + DraftParts.token)
    #expect(envelope.host == "api.push.apple.com")
    #expect(envelope.body == DraftParts().body)
    #expect(envelope.token == DraftParts.token)
    #expect(envelope.topic == "com.example.app")
    #expect(envelope.isAccepted)
    #expect(envelope.tls == "TLSv1.3")
    #expect(
      envelope.headers.map(\.name) == ["authorization", "apns-topic", "apns-push-type"])
    #expect(envelope.headers.last?.value == "alert")
    #expect(envelope.deliveries.isEmpty)
  }

  @Test func `a broadcast's envelope names its channel, others name none`() throws {
    let store = EnvelopeStore()
    let push = store.append()
    let broadcast = store.append {
      $0.outcome.broadcast = BroadcastFacts(channelID: Array("tvI2UK0vEfEAAA6GFnjo2Q==".utf8))
    }
    #expect(try #require(store.envelope(push)).channel == nil)
    let envelope = try #require(store.envelope(broadcast))
    #expect(envelope.channel == "tvI2UK0vEfEAAA6GFnjo2Q==")
    #expect(envelope.tls == "TLSv1.3")
    var writer = JSONWriter()
    envelope.json(into: &writer)
    #expect(try JSONReader.parse(writer.bytes)["channel"] == "tvI2UK0vEfEAAA6GFnjo2Q==")
  }

  @Test(arguments: [
    #"{'message':{topic:'news',},}"#,
    #"{"message":{"topic":"news","x":"# + String(repeating: "[", count: 90)
      + String(repeating: "]", count: 90) + "}}",
  ])
  func `what FCM reads leniently is JSON in its record, and in no other service's`(
    _ body: String
  ) throws {
    let store = EnvelopeStore()
    func payload(_ service: PushService) -> JSONValue? {
      let number = store.append {
        $0.body = Array(body.utf8)
        $0.outcome.service = service
      }
      return store.envelope(number)?.payload
    }
    #expect(payload(.fcm)?["message"]?["topic"] == "news")
    #expect(payload(.apns) == nil)
  }

  @Test func `what FCM refuses to read is no JSON in its record`() throws {
    let store = EnvelopeStore()
    let number = store.append {
      $0.body = Array("{'message':".utf8)
      $0.outcome.service = .fcm
    }
    #expect(try #require(store.envelope(number)).payload == nil)
  }

  @Test func `the oldest envelope is evicted and counted at the count limit`() {
    let store = EnvelopeStore(countLimit: 3)
    for _ in 1...5 { store.append(.refused) }
    #expect(store.count == 3)
    #expect(store.evictedCount == 2)
    #expect(store.envelope(2) == nil)
    #expect(store.envelope(3)?.number == 3)
    #expect(store.envelope(5)?.diagnosis?.code == .fcmTokenAtAPNs)
    #expect(store.annotations.count == 3)
  }

  @Test func `the oldest envelopes are evicted at the byte limit`() {
    let store = EnvelopeStore(byteLimit: 64 << 10)
    for _ in 0..<1_000 { store.append { $0.body = Array(repeating: 0x41, count: 1_000) } }
    #expect(store.heldByteCount <= 64 << 10)
    #expect(store.count + Int(store.evictedCount) == 1_000)
    #expect(store.count > 30)
    #expect(store.envelope(1_000)?.body.count == 1_000)
  }

  @Test func `a request longer than the byte limit is kept alone`() {
    let store = EnvelopeStore(byteLimit: 8 << 10)
    store.append()
    let long = store.append { $0.body = Array(repeating: 0x41, count: 100_000) }
    #expect(store.count == 1)
    #expect(store.envelope(long)?.body.count == 100_000)
    store.append()
    #expect(store.count == 1)
    #expect(store.heldByteCount <= 8 << 10)
  }

  @Test func `delivery steps are grouped by device in order`() throws {
    let store = EnvelopeStore()
    let number = store.append()
    store.noteDelivery(number, DeliveryStep("a", .stored, "the device is offline"))
    store.noteDelivery(number, DeliveryStep("b", .delivered))
    store.noteDelivery(number, DeliveryStep("a", .delivered, "the device came online"))
    let deliveries = try #require(store.envelope(number)?.deliveries)
    #expect(deliveries.map(\.device.rawValue) == ["a", "b"])
    #expect(deliveries[0].history.map(\.state) == [.stored, .delivered])
    #expect(deliveries[1].history.map(\.state) == [.delivered])
  }

  @Test func `steps beyond the limit of one envelope are counted`() {
    let store = EnvelopeStore()
    let number = store.append()
    for _ in 0..<EnvelopeStore.stepLimit + 2 {
      store.noteDelivery(number, DeliveryStep("a", .delivered))
    }
    #expect(store.envelope(number)?.deliveries.first?.history.count == EnvelopeStore.stepLimit)
    #expect(store.forgottenStepCount == 2)
  }

  @Test func `a step of a forgotten envelope changes nothing`() {
    let store = EnvelopeStore(countLimit: 1)
    let old = store.append()
    store.noteDelivery(old, DeliveryStep("a", .stored))
    store.noteDelivery(old, DeliveryStep("a", .delivered))
    let new = store.append()
    store.noteDelivery(old, DeliveryStep("a", .tapped))
    store.noteDelivery(99, DeliveryStep("a", .tapped))
    #expect(store.envelope(new)?.deliveries.isEmpty == true)
    #expect(store.histories.isEmpty)
  }

  @Test func `a removed envelope is gone and not counted as evicted`() {
    let store = EnvelopeStore(countLimit: 4)
    for index in 1...4 {
      store.append(index == 2 ? .refused : DraftParts())
    }
    var query = EnvelopeQuery()
    query.isAccepted = false
    #expect(store.remove(query) == 1)
    #expect(store.envelope(2) == nil)
    #expect(store.count == 3)
    #expect(store.annotations.isEmpty)
    store.append()
    store.append()
    #expect(store.count == 4)
    #expect(store.evictedCount == 1)
    #expect(store.page(EnvelopeQuery()).items.map(\.number) == [6, 5, 4, 3])
  }

  @Test func `recorded envelopes are counted by service and outcome`() {
    let store = EnvelopeStore(countLimit: 1)
    store.append()
    store.append()
    store.append(.refused) { $0.outcome.service = .unknown }
    #expect(store.recordedCount(.apns, isAccepted: true) == 2)
    #expect(store.recordedCount(.apns, isAccepted: false) == 0)
    #expect(store.recordedCount(.unknown, isAccepted: false) == 1)
  }

  @Test func `removing everything gives all memory back`() {
    let store = EnvelopeStore()
    for _ in 0..<10 { store.append() }
    #expect(store.remove(EnvelopeQuery(workspace: nil)) == 10)
    #expect(store.count == 0)
    #expect(store.heldByteCount == 0)
    #expect(store.append() == 11)
  }

  @Test func `an envelope's JSON has the documented names`() throws {
    let store = EnvelopeStore()
    let number = store.append(.refused)
    store.noteDelivery(number, DeliveryStep("d1", .dropped, "no room"))
    var writer = JSONWriter(style: .compact)
    try #require(store.envelope(number)).json(into: &writer)
    let json = try JSONReader.parse(writer.bytes)
    let names = [
      "id", "workspace", "sequence", "receivedAt", "answeredAt", "service", "method", "path",
      "host", "environment", "headers", "payload", "body", "token", "tokenKind", "topic",
      "pushType", "priority", "expiration", "collapse", "project", "app", "messageName", "apnsID",
      "credential", "outcome", "status", "reason", "diagnosis", "warnings", "connection",
      "stream", "protocol", "fault", "googleStatus", "tls", "deliveries",
    ]
    for name in names { #expect(json[name] != nil, "\(name)") }
    #expect(json["id"] == "e1")
    #expect(json["sequence"] == 1)
    #expect(json["receivedAt"] == "2026-01-15T01:30:15.010Z")
    #expect(json.pointer("/payload/aps/alert") == "Hello")
    #expect(json["body"] == "eyJhcHMiOnsiYWxlcnQiOiJIZWxsbyJ9fQ==")
    #expect(json.pointer("/headers/1") == ["apns-topic", "com.example.app"])
    #expect(json.pointer("/credential/decoded/header/alg") == "ES256")
    #expect(json["outcome"] == "rejected")
    #expect(json.pointer("/diagnosis/code") == "fcm-token-at-apns")
    #expect(json.pointer("/deliveries/0/state") == "dropped")
    #expect(json.pointer("/deliveries/0/history/0/cause") == "no room")
    #expect(json["protocol"] == "h2")
  }

  @Test(arguments: [
    ("e1", EnvelopeNumber?.some(1)), ("e18446744073709551615", .max), ("1", nil), ("e", nil),
    ("e+1", nil), ("e-1", nil), ("x1", nil), ("e18446744073709551616", nil),
  ])
  func `an identifier is e and a number`(text: String, number: EnvelopeNumber?) {
    #expect(EnvelopeID.number(text) == number)
  }
}
