import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// Plain messages are read by a reader of their own, which may differ in nothing but time.
@Suite struct PlainMessageTests {
  private static let token = ServiceFixture.androidToken

  /// Bodies that are plain messages.
  static let plain = [
    #"{"message":{"token":"TOKEN"}}"#,
    #" { "message" : { "token" : "TOKEN" , "data" : { } , "notification" : { } } } "#,
    #"{"message":{"data":{"b":"2","a":"","é":"ü","":"1"},"token":"TOKEN"}}"#,
    #"{"message":{"notification":{"body":"b","title":"t","image":"i"},"token":"TOKEN"}}"#,
    #"{"message":{"data":{"k":"v"},"notification":{"title":"Привет 👋"},"token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN","android":{}}}"#,
    #"{"message":{"token":"TOKEN","android":{"priority":"high","ttl":"3600s","#
      + #""collapse_key":"c"},"notification":{"title":"t","body":"b"},"data":{"k":"v","l":"w"}}}"#,
    #"{"message":{"android":{"collapseKey":"c","priority":"NORMAL","ttl":"0s"},"token":"TOKEN"}}"#,
    #"{"message":{"android":{"collapseKey":"","ttl":"2419200s"},"token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{"channel_id":"c","icon":"i","tag":"t","#
      + #""click_action":"a","sound":"s","image":"j","title":"u","body":"b"}}}}"#,
    #"{"message":{"android":{"notification":{"sound":"s","body":"over","tag":"t"},"priority":"high"},"#
      + #""data":{"body":"d"},"notification":{"title":"t","body":"under"},"token":"TOKEN"}}"#,
  ].map { $0.replacing("TOKEN", with: token) }

  /// Bodies that are not, for a reason each.
  static let others = [
    "", "{}", "null", "[]", #"{"message":{}}"#, #"{"message":{"token":""}}"#,
    #"{"message":{"token":"TOKEN"}} x"#, #"{"message":{"token":"TOKEN"},}"#,
    #"{"message":{"token":"TOKEN",}}"#, #"{"message":{"token":"TOKEN"}"#,
    #"{'message':{"token":"TOKEN"}}"#, #"{message:{"token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN"},"validate_only":true}"#,
    #"{"validateOnly":false,"message":{"token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN"},"message":{"token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN","token":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN","topic":"t"}}"#, #"{"message":{"fid":"TOKEN"}}"#,
    #"{"message":{"token":"TOKEN","name":"n"}}"#, #"{"message":{"token":"TOKEN","apns":{}}}"#,
    #"{"message":{"token":"TOKEN","webpush":{}}}"#, #"{"message":{"token":null}}"#,
    #"{"message":{"token":"TOKEN","fcm_options":{}}}"#,
    #"{"message":{"token":"TOKEN","data":{"k":"a\nb"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"k":1}}}"#,
    #"{"message":{"token":"TOKEN","data":{"k":null}}}"#,
    #"{"message":{"token":"TOKEN","data":{"k":"1","k":"2"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"from":"1"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"message_type":"1"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"gcm":"1"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"google.x":"1"}}}"#,
    #"{"message":{"token":"TOKEN","data":{"gcm.notification.x":"1"}}}"#,
    #"{"message":{"token":"TOKEN","notification":{"title":"1","title":"2"}}}"#,
    #"{"message":{"token":"TOKEN","notification":{"icon":"1"}}}"#,
    #"{"message":{"token":"TOKEN","notification":"t"}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{"color":"red"}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{"channelId":"c"}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{"tag":"a","tag":"b"}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{"sticky":true}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"notification":{},"notification":{}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"data":{"k":"v"}}}}"#,
    #"{"message":{"token":"TOKEN","android":{"priority":"High"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"priority":1}}}"#,
    #"{"message":{"token":"TOKEN","android":{"ttl":"1.5s"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"ttl":"s"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"ttl":"-1s"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"ttl":"2419201s"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"ttl":"1s","ttl":"1s"}}}"#,
    #"{"message":{"token":"TOKEN","android":{"collapseKey":"a","collapse_key":"b"}}}"#,
    #"{"message":{"token":"TOKEN","android_v2":{}}}"#,
    "{\"message\":{\"token\":\"TOKEN\",\"data\":{\"k\":\"\t\"}}}",
    "\u{FEFF}{\"message\":{\"token\":\"TOKEN\"}}",
    #"{"message":{"token":"TOKEN","data":{"k":"VALUE"}}}"#
      .replacing("VALUE", with: String(repeating: "v", count: MessageRules.tokenByteLimit)),
    #"{"message":{"token":"TOKEN","data":{ENTRIES}}}"#.replacing(
      "ENTRIES",
      with: (0...PlainMessageReader.dataLimit).map { "\"k\($0)\":\"\"" }.joined(separator: ",")),
  ].map { $0.replacing("TOKEN", with: token) }

  /// What either reader makes of a body.
  private struct Reading: Equatable {
    var token: [UInt8] = []
    var payload: [UInt8] = []
    var collapse: [UInt8] = []
    var collapsesByApp = false
    var timeToLive: Duration?
    var isUrgent: Bool
  }

  private static func plainReading(_ body: [UInt8]) -> Reading? {
    PlainMessageReader().read(body).map {
      Reading(
        token: Array(body[$0.token]), payload: $0.payload, collapse: Array(body[$0.collapse]),
        collapsesByApp: $0.collapsesByApp, timeToLive: $0.timeToLive.map { .seconds($0) },
        isUrgent: $0.isUrgent)
    }
  }

  /// That of the reader and the rules for all messages; nil for what they refuse.
  private static func generalReading(_ body: [UInt8]) -> Reading? {
    guard let fields = try? MessageBody.read(body, as: MessageSchema.sendMessageRequest) else {
      return nil
    }
    let message = FCMMessage(request: fields)
    let rules = MessageRules(isSizeAsDocumented: false, platform: { _ in .android })
    guard !message.isValidationOnly,
      case .token(let token, "message.token")? = try? rules.check(message)
    else { return nil }
    let part = DeviceMessage.android(message)
    return Reading(
      token: token, payload: part.payload, collapse: part.collapse,
      collapsesByApp: part.collapsesByApp, timeToLive: part.timeToLive, isUrgent: part.isUrgent)
  }

  @Test(arguments: plain)
  func `a plain message is read as all messages are`(_ body: String) {
    let reading = Self.plainReading(Array(body.utf8))
    #expect(reading != nil)
    #expect(reading == Self.generalReading(Array(body.utf8)))
  }

  @Test(arguments: others)
  func `what is anything else is left to the reader of all messages`(_ body: String) {
    #expect(Self.plainReading(Array(body.utf8)) == nil)
  }

  @Test func `a message of exactly the largest size is plain, one of a byte more is not`() {
    for (count, isPlain) in [(MessageRules.tokenByteLimit, true), (4097, false)] {
      let value = String(repeating: "v", count: count - 1)
      let body = #"{"message":{"token":"\#(Self.token)","data":{"k":"\#(value)"}}}"#
      #expect((Self.plainReading(Array(body.utf8)) != nil) == isPlain)
      #expect((Self.generalReading(Array(body.utf8)) != nil) == isPlain)
    }
  }

  @Test func `damaged messages that are still plain are read as all messages are`() {
    let generator = BodyGenerator(seed: 20_261_202, good: Self.plain)
    var plainCount = 0
    for _ in 0..<30_000 {
      let body = generator.next()
      guard let reading = Self.plainReading(body) else { continue }
      plainCount += 1
      // Its form is examined when the token was found.
      guard TokenShape.isFCM(reading.token), reading.token.contains(UInt8(ascii: ":")) else {
        continue
      }
      guard reading == Self.generalReading(body) else {
        Issue.record("read differently: \(String(decoding: body, as: UTF8.self))")
        return
      }
    }
    #expect(plainCount > 3000)
  }
}
