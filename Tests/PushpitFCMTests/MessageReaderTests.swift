import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// A body that does not fit the schema, and what is said about it.
struct BodyFault: Sendable, CustomTestStringConvertible {
  let body: String
  /// Field (nil for the root) and description of each violation.
  let violations: [FieldViolation]

  init(_ body: String, _ field: String?, _ description: String) {
    self.body = body
    violations = [FieldViolation(field, description)]
  }

  init(_ body: String, _ violations: [FieldViolation]) {
    self.body = body
    self.violations = violations
  }

  var testDescription: String { body }

  private static let unknown = "Invalid JSON payload received. Unknown name "

  /// Texts of the JSON front end, measured in 2026 where no other source is named.
  static let all = [
    // Google's page on error codes.
    BodyFault(
      #"{"message":{"topic":"t","data":{"a":"x","b":12}}}"#, "message.data[1].value",
      "Invalid value at 'message.data[1].value' (TYPE_STRING), 12"),
    BodyFault(
      #"{"message":{"data":{"a":true}}}"#, "message.data[0].value",
      "Invalid value at 'message.data[0].value' (TYPE_STRING), true"),
    BodyFault(
      #"{"message":{"data":{"a":{"b":1}}}}"#, "message.data[0]",
      "Invalid value at 'message.data[0]' (value), Starting an object on a scalar field"),
    BodyFault(
      #"{"message":{"data":[]}}"#, "message",
      "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."),
    BodyFault(
      #"{"message":{"toen":"x"}}"#, "message",
      unknown + #""toen" at 'message': Cannot find field."#),
    BodyFault(#"{"mesage":{}}"#, nil, unknown + #""mesage": Cannot find field."#),
    BodyFault("[]", nil, unknown + #""": Root element must be a message."#),
    BodyFault("null", nil, unknown + #""": Root element must be a message."#),
    BodyFault(
      #"{"message":{"android":{"notification":{"lightSettings":{"x":1}}}}}"#,
      "message.android.notification.light_settings",
      unknown + #""x" at 'message.android.notification.light_settings': Cannot find field."#),
    BodyFault(
      #"{"message":{"a":1,"token":"x","b":{}}}"#,
      [
        FieldViolation("message", unknown + #""a" at 'message': Cannot find field."#),
        FieldViolation("message", unknown + #""b" at 'message': Cannot find field."#),
      ]),
    BodyFault(
      #"{"message":{"notification":[]}}"#, "message",
      unknown + #""notification" at 'message': Proto field is not repeating, cannot start list."#),
    BodyFault(
      #"{"message":{"notification":{"title":{}}}}"#, "message.notification",
      "Invalid value at 'message.notification' (title), Starting an object on a scalar field"),
    BodyFault(
      #"{"message":{"notification":"x"}}"#, "message.notification",
      "Invalid value at 'message.notification' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.Notification), "x""#),
    BodyFault(
      #"{"message":{"android":{"notification":{"notification_count":"x"}}}}"#,
      "message.android.notification.notification_count",
      "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \"x\""),
    BodyFault(
      #"{"message":{"android":{"priority":"urgent"}}}"#, "message.android.priority",
      "Invalid value at 'message.android.priority' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority), "urgent""#),
    BodyFault(
      #"{"message":{"token":"x","topic":"y"}}"#, "message",
      "Invalid value at 'message' (oneof), oneof field 'target' is already set. "
        + "Cannot set 'topic'"),
    BodyFault(
      #"{"message":{"android":{"ttl":"3600"}}}"#, "message.android.ttl",
      "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), "
        + "Field 'ttl', Illegal duration format; duration must end with 's'"),
    // protobuf's proto_stream_object_writer.cc.
    BodyFault(
      #"{"message":{"android":{"ttl":3600}}}"#, "message.android.ttl",
      "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), "
        + "Field 'ttl', Invalid data type for duration, value is 3600"),
    BodyFault(
      #"{"validate_only":"maybe"}"#, "validate_only",
      #"Invalid value at 'validate_only' (TYPE_BOOL), "maybe""#),
    BodyFault(
      #"{"message":{"android":{"notification":{"titleLocArgs":["a",2]}}}}"#,
      "message.android.notification.title_loc_args[1]",
      "Invalid value at 'message.android.notification.title_loc_args[1]' (TYPE_STRING), 2"),
  ]
}

@Suite struct MessageReaderTests {
  private static func read(_ text: String) throws -> (fields: JSONObject, [FieldViolation]) {
    var reader = MessageReader()
    let value = try JSONReader.parse(Array(text.utf8))
    return (reader.read(value, as: MessageSchema.sendMessageRequest), reader.violations)
  }

  @Test(arguments: BodyFault.all)
  func `what does not fit is named with its path in proto names`(_ fault: BodyFault) throws {
    let (_, violations) = try Self.read(fault.body)
    #expect(violations == fault.violations)
  }

  @Test func `violations are limited`() throws {
    let members = (0..<200).map { #""x\#($0)":{}"# }.joined(separator: ",")
    #expect(try Self.read("{\(members)}").1.count == MessageReader.violationLimit)
  }

  @Test func `every field has both of its names, and the result the proto name`() throws {
    let camel = try Self.read(
      #"{"validateOnly":true,"message":{"fcmOptions":{"analyticsLabel":"a"},"apns":{"liveActivityToken":"t"}}}"#
    )
    let snake = try Self.read(
      #"{"validate_only":true,"message":{"fcm_options":{"analytics_label":"a"},"apns":{"live_activity_token":"t"}}}"#
    )
    #expect(camel.1.isEmpty && snake.1.isEmpty)
    #expect(camel.fields == snake.fields)
    #expect(camel.fields["message"]?["fcm_options"]?["analytics_label"] == "a")
  }

  @Test func `keys of maps and of Struct are literal`() throws {
    let text = """
      {"message":{"data":{"fooBar":"1","foo_bar":"2"},"apns":{"headers":{"apns-priority":"5"},\
      "payload":{"aps":{"content-available":1},"x":[null,{"a":1}]}}}}
      """
    let (fields, violations) = try Self.read(text)
    #expect(violations.isEmpty)
    #expect(fields["message"]?["data"]?["foo_bar"] == "2")
    #expect(fields["message"]?.pointer("/apns/payload/aps/content-available") == 1)
  }

  /// apprise sends `"token":null` beside a topic.
  @Test func `a null is unset and does not take the oneof`() throws {
    let (fields, violations) = try Self.read(#"{"message":{"token":null,"topic":"t"}}"#)
    #expect(violations.isEmpty)
    #expect(fields["message"]?["token"] == nil)
    #expect(fields["message"]?["topic"] == "t")
  }

  /// SDKs send the priority in lower case.
  @Test(arguments: ["HIGH", "high", "High", "1"])
  func `an enumeration takes its name in any case, and its number`(_ text: String) throws {
    for value in ["\"\(text)\"", "1"] {
      let (fields, violations) = try Self.read(
        #"{"message":{"android":{"priority":\#(value)}}}"#)
      #expect(violations.isEmpty)
      #expect(fields["message"]?.pointer("/android/priority") == "HIGH")
    }
  }

  @Test(arguments: ["true", "1", "\"yes\"", "\"T\"", "\"1\""])
  func `a Boolean takes numbers and words`(_ value: String) throws {
    let (fields, violations) = try Self.read(#"{"validate_only":\#(value)}"#)
    #expect(violations.isEmpty)
    #expect(fields["validate_only"] == true)
  }

  @Test func `the last of repeated keys wins`() throws {
    let (fields, _) = try Self.read(
      #"{"message":{"topic":"t","notification":{"title":"a","title":"b"}}}"#)
    #expect(fields["message"]?.pointer("/notification/title") == "b")
  }

  @Test func `a repeated key is no second member of the oneof`() throws {
    let (fields, violations) = try Self.read(#"{"message":{"topic":"a","topic":"b"}}"#)
    #expect(violations.isEmpty)
    #expect(fields["message"]?["topic"] == "b")
  }

  /// What firebase-admin sends when every option is set.
  @Test func `a whole message of the reference fits`() throws {
    let text = """
      {"message":{"token":"x","data":{"k":"v"},"notification":{"title":"t","body":"b","image":"i"},
      "android":{"collapse_key":"c","priority":"high","ttl":"3.500000000s",
      "restricted_package_name":"p","data":{"k":"w"},"direct_boot_ok":true,
      "fcm_options":{"analytics_label":"l"},"notification":{"icon":"i","color":"#112233",
      "title_loc_args":["a"],"event_time":"2026-01-01T00:00:00.000000Z","sticky":false,
      "notification_priority":"PRIORITY_HIGH","vibrate_timings":["0.5s","1s"],
      "light_settings":{"color":{"red":0.1,"green":1,"blue":0,"alpha":1},
      "light_on_duration":"1s","light_off_duration":"2s"},"visibility":"PUBLIC",
      "notification_count":3,"proxy":"allow"}},
      "webpush":{"headers":{"TTL":"3"},"data":{"a":"b"},"notification":{"requireInteraction":true},
      "fcm_options":{"link":"https://x"}},
      "apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"badge":1}},
      "fcm_options":{"image":"i"}}}}
      """
    #expect(try Self.read(text).1 == [])
  }
}

@Suite struct ProtoDurationTests {
  @Test(arguments: [
    ("3s", Duration.seconds(3)), ("0s", .zero), ("3.5s", .milliseconds(3500)),
    ("3.000000001s", .seconds(3) + .nanoseconds(1)), ("-1s", .seconds(-1)),
  ])
  func `seconds with up to nine decimals are read`(_ text: String, _ duration: Duration) throws {
    #expect(try ProtoDuration.parse(text) == duration)
  }

  @Test(arguments: [
    ("", ProtoDuration.Failure.unit), ("3", .unit), ("s", .seconds), ("xs", .seconds),
    ("--1s", .seconds), ("1.xs", .nanoseconds), ("1.s", .nanoseconds),
    ("1.0000000001s", .range), ("315576000001s", .range),
    ("99999999999999999999s", .seconds),
  ])
  func `anything else fails with protobuf's sentence`(
    _ text: String, _ failure: ProtoDuration.Failure
  ) {
    #expect(throws: failure) { try ProtoDuration.parse(text) }
  }
}
