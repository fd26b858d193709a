import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// Every field of Google's discovery document fcm.v1.json, revision 20261023, once.
@Suite struct MessageSchemaTests {
  private static let notification = """
    "title":"a","body":"a","icon":"a","color":"#112233","sound":"a","tag":"a","clickAction":"a",
    "bodyLocKey":"a","bodyLocArgs":["a"],"titleLocKey":"a","titleLocArgs":["a"],"channelId":"a",
    "ticker":"a","sticky":true,"eventTime":"2026-01-01T00:00:00Z","localOnly":true,
    "notificationPriority":"PRIORITY_MAX","defaultSound":true,"defaultVibrateTimings":true,
    "defaultLightSettings":true,"vibrateTimings":["1s"],"visibility":"SECRET",
    "notificationCount":1,"image":"a","lightSettings":{"color":{"red":1,"green":1,"blue":1,
    "alpha":1},"lightOnDuration":"1s","lightOffDuration":"1s"}
    """
  private static let delivery = """
    "collapseKey":"a","ttl":"1s","restrictedPackageName":"a","data":{"a":"b"},
    "fcmOptions":{"analyticsLabel":"a"},"directBootOk":true,"bandwidthConstrainedOk":true,
    "restrictedSatelliteOk":true
    """
  private static let message = """
    "name":"a","data":{"a":"b"},"notification":{"title":"a","body":"a","image":"a"},
    "android":{\(delivery),"priority":"HIGH","notification":{\(notification),
    "bypassProxyNotification":true,"proxy":"DENY"}},
    "androidV2":{\(delivery),"backgroundSync":{},"remoteNotification":{"mutableContent":true,
    "useAsV1DataMessage":true,"notification":{\(notification),"id":1}}},
    "webpush":{"headers":{"TTL":"1"},"data":{"a":"b"},"notification":{"requireInteraction":true},
    "fcmOptions":{"link":"a","analyticsLabel":"a"}},
    "apns":{"headers":{"a":"b"},"payload":{"aps":{}},"liveActivityToken":"a",
    "fcmOptions":{"analyticsLabel":"a","image":"a"}},
    "fcmOptions":{"analyticsLabel":"a"}
    """

  private static func read(_ text: String) throws -> (fields: JSONObject, [FieldViolation]) {
    var reader = MessageReader()
    let root = try JSONReader.parse(Array(text.utf8))
    return (reader.read(root, as: MessageSchema.sendMessageRequest), reader.violations)
  }

  @Test(arguments: ["token", "topic", "condition", "fid"])
  func `every field of the discovery document is known under both of its names`(
    _ target: String
  ) throws {
    let text = #"{"validateOnly":true,"message":{"\#(target)":"a",\#(Self.message)}}"#
    let camel = try Self.read(text)
    #expect(camel.1 == [])
    let snake = try Self.read(Self.protoNames(text))
    #expect(snake.1 == [])
    #expect(camel.fields == snake.fields)
  }

  /// The reader marks the fields of a message in one word.
  @Test func `no message has more fields than a word has bits`() {
    func largest(_ type: MessageType) -> Int {
      type.fields.reduce(type.fields.count) { count, field in
        guard case .message(let inner) = field.type else { return count }
        return max(count, largest(inner))
      }
    }
    #expect(largest(MessageSchema.sendMessageRequest) <= UInt64.bitWidth)
  }

  /// The text with every key that has a field of its own in snake_case.
  private static func protoNames(_ text: String) -> String {
    text.replacing(#/"([a-z]+[A-Z][A-Za-z0-9]*)":/#) { match in
      // A key of a Struct is literal.
      if match.1 == "requireInteraction" { return String(match.0) }
      let name = match.1.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
      return "\"\(name)\":"
    }
  }

  /// Google's discovery document: "Requests with both AndroidConfig and AndroidConfigV2 will be
  /// rejected"; the text is assumed.
  @Test func `both generations of the Android configuration are refused`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(#"{"message":{"topic":"a","android":{},"androidV2":{}}}"#)
    #expect(outcome.status == 400)
    #expect(
      fixture.json?.pointer("/error/details/0/fieldViolations/0/description")
        == "Only one of android and android_v2 may be set.")
  }
}
