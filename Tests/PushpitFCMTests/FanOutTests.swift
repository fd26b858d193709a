import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// Whom messages to topics and conditions are for, and what each platform gets.
@Suite struct FanOutTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func selection(_ message: String) throws -> TopicSelection? {
    let outcome = try fixture.send(#"{"message":{\#(message)}}"#)
    #expect(fixture.head.status == 200)
    guard case .topics(let selection) = outcome.fanOut?.recipients else { return nil }
    return selection
  }

  @Test func `a topic chooses its subscribers`() throws {
    #expect(try selection(#""topic":"news""#) == TopicSelection(topic: "news"))
  }

  /// Google: parentheses first, then left to right.
  @Test(arguments: [
    ("'a' in topics || 'b' in topics && 'c' in topics", [0b101, 0b110, 0b111]),
    ("'a' in topics || ('b' in topics && 'c' in topics)", [0b001, 0b011, 0b101, 0b110, 0b111]),
    ("'a' in topics && 'b' in topics || 'c' in topics", [0b011, 0b100, 0b101, 0b110, 0b111]),
    ("!('a' in topics) && ('b' in topics || 'c' in topics)", [0b010, 0b100, 0b110]),
  ])
  func `a condition chooses by memberships, from left to right`(
    _ condition: String, _ chosen: [Int]
  ) throws {
    let selection = try #require(try selection(#""condition":"\#(condition)""#))
    #expect(selection.topics == ["a", "b", "c"])
    #expect((0..<8).filter(selection.chooses) == chosen)
    #expect(!selection.choosesOthers)
  }

  @Test func `a topic that is named twice is one, and a negation chooses the others`() throws {
    let twice = try #require(
      try selection(#""condition":"'a' in topics || !('a' in topics)""#))
    #expect(twice.topics == ["a"])
    #expect(twice.chooses(0) && twice.chooses(1))
    let none = try #require(try selection(#""condition":"!('a' in topics)""#))
    #expect(none.choosesOthers && !none.chooses(1))
  }

  @Test func `each platform gets its own part of the message`() throws {
    let outcome = try fixture.send(
      """
      {"message":{"topic":"news","data":{"k":"common","common":"1"},
      "android":{"data":{"k":"android","android":"1"},"ttl":"60.5s","collapse_key":"c","restricted_package_name":"com.a"},
      "webpush":{"data":{"web":"1"},"headers":{"TTL":"30"}},
      "apns":{"payload":{"aps":{"badge":1}},"headers":{"apns-collapse-id":"i"}}}}
      """)
    let fanOut = try #require(outcome.fanOut)
    #expect(fanOut.projects == ["demo", "123456789012"])
    #expect(fanOut.restrictedPackageName == "com.a")
    let android = try fanOut.message(for: fixture.register())
    #expect(
      String(decoding: android.payload, as: UTF8.self)
        == #"{"data":{"k":"android","android":"1"}}"#)
    #expect(android.collapse == Array("c".utf8))
    #expect(android.timeToLive == .seconds(60))
    let web = try fanOut.message(for: fixture.register(platform: .web))
    #expect(String(decoding: web.payload, as: UTF8.self) == #"{"data":{"web":"1"}}"#)
    #expect(web.timeToLive == .seconds(30))
    let ios = try fanOut.message(for: fixture.register(platform: .ios))
    let payload = try JSONReader.parse(ios.payload)
    #expect(payload["aps"] == ["badge": 1])
    #expect(payload["k"] == "common")
    #expect(payload["common"] == "1")
    #expect(ios.collapse == Array("i".utf8))
    #expect(ios.expiration == fixture.time.now.seconds + 30 * 86_400)
  }

  @Test func `an empty map of a platform overrides nothing`() throws {
    let fanOut = try #require(
      try fixture.send(
        #"{"message":{"topic":"news","data":{"k":"v"},"android":{"data":{}},"webpush":{"data":{}}}}"#
      ).fanOut)
    for platform in [Platform.android, .web] {
      let part = try fanOut.message(for: fixture.register(platform: platform))
      #expect(String(decoding: part.payload, as: UTF8.self) == #"{"data":{"k":"v"}}"#)
    }
  }

  @Test func `what APNs refuses is known for each device, and not to the sender`() throws {
    let refusal = APNsRelay.Refusal(
      status: 403, reason: "InvalidProviderToken",
      diagnosis: Diagnosis(.tokenUnknown, what: "w", fix: "f"))
    fixture.apns.refusal = refusal
    let fanOut = try #require(
      try fixture.send(#"{"message":{"topic":"news","data":{"k":"v"}}}"#).fanOut)
    #expect(fixture.head.status == 200)
    #expect(fixture.apns.requests.isEmpty)
    let record = fixture.register(platform: .ios)
    #expect(throws: refusal) { try fanOut.message(for: record) }
    #expect(try fanOut.message(for: fixture.register()).payload.isEmpty == false)
  }

  @Test func `a refused message is for nobody`() throws {
    let outcome = try fixture.send(#"{"message":{"condition":"'a' in topics &&"}}"#)
    #expect(outcome.fanOut == nil)
    fixture.set { $0.quotas = .init(topicPerMinute: 0) }
    #expect(try fixture.send(#"{"message":{"topic":"news"}}"#).fanOut == nil)
  }
}
