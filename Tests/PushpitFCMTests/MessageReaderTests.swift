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

  private static func nameless(_ path: String) -> FieldViolation {
    FieldViolation(path, unknown + #""" at '\#(path)': Proto fields must have a name."#)
  }

  /// Texts of the JSON front end, measured in 2026 where no other source is named.
  static let all = [
    // Google's page on error codes.
    BodyFault(
      #"{"message":{"topic":"t","data":{"a":"x","b":12}}}"#, "message.data[1].value",
      "Invalid value at 'message.data[1].value' (TYPE_STRING), 12"),
    BodyFault(
      #"{"message":{"data":{"a":true}}}"#, "message.data[0].value",
      "Invalid value at 'message.data[0].value' (TYPE_STRING), true"),
    // An FCM answer of 2018.
    BodyFault(
      #"{"message":{"android":{"data":{"a":"","b":{"metadata":1}}}}}"#,
      "message.android.data[1].value",
      unknown + #""metadata" at 'message.android.data[1].value': Cannot find field."#),
    // Answers of another API with the same front end, 2026.
    BodyFault(
      #"{"message":{"data":{"a":["b",1]}}}"#,
      [
        FieldViolation(
          "message.data[0].value",
          "Invalid value at 'message.data[0].value' (Map), Cannot have repeated items ('a') within "
            + "a map."),
        nameless("message.data[0].value"), nameless("message.data[0].value"),
      ]),
    // Seen at FCM in 2026.
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
    BodyFault(#"{"message":{"":1}}"#, [nameless("message")]),
    BodyFault(
      #"{"":1}"#, nil, unknown + #""": Proto fields must have a name."#),
    BodyFault(#""x""#, nil, unknown + #""": Root element must be a message."#),
    // Names are compared in exact case.
    BodyFault(
      #"{"message":{"Token":"x"}}"#, "message",
      unknown + #""Token" at 'message': Cannot find field."#),
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
    // The name is spelled as the sender did.
    BodyFault(
      #"{"message":{"android":{"notification":{"lightSettings":{"lightOnDuration":"1"}}}}}"#,
      "message.android.notification.light_settings.light_on_duration",
      "Invalid value at 'message.android.notification.light_settings.light_on_duration' "
        + "(type.googleapis.com/google.protobuf.Duration), Field 'lightOnDuration', "
        + "Illegal duration format; duration must end with 's'"),
    // Neither a list nor an object takes the oneof.
    BodyFault(
      #"{"message":{"token":[],"topic":{},"condition":"x"}}"#,
      [
        FieldViolation(
          "message",
          unknown + #""token" at 'message': Proto field is not repeating, cannot start list."#),
        FieldViolation(
          "message", "Invalid value at 'message' (topic), Starting an object on a scalar field"),
      ]),
    // Strings are quoted without escapes, numbers as C prints them.
    BodyFault(
      #"{"message":{"topic":1e20,"name":-0.0,"notification":{"title":1.50,"body":true}}}"#,
      [
        FieldViolation("message.topic", "Invalid value at 'message.topic' (TYPE_STRING), 1e+20"),
        FieldViolation("message.name", "Invalid value at 'message.name' (TYPE_STRING), -0"),
        FieldViolation(
          "message.notification.title",
          "Invalid value at 'message.notification.title' (TYPE_STRING), 1.5"),
        FieldViolation(
          "message.notification.body",
          "Invalid value at 'message.notification.body' (TYPE_STRING), true"),
      ]),
    BodyFault(
      #"{"validate_only":"a\"b\\"}"#, "validate_only",
      #"Invalid value at 'validate_only' (TYPE_BOOL), "a"b\""#),
    // Leading and trailing spaces make a string no number.
    BodyFault(
      #"{"message":{"android":{"notification":{"notification_count":" 1"}}}}"#,
      "message.android.notification.notification_count",
      "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \" 1\""),
    // lowerCamelCase names of values are refused.
    BodyFault(
      #"{"message":{"android":{"notification":{"proxy":"ifPriorityLowered"}}}}"#,
      "message.android.notification.proxy",
      "Invalid value at 'message.android.notification.proxy' (type.googleapis.com/"
        + #"google.firebase.fcm.v1.AndroidNotification.Proxy), "ifPriorityLowered""#),
    BodyFault(
      #"{"message":{"apns":{"payload":"x"}}}"#, "message.apns.payload",
      "Invalid value at 'message.apns.payload' (type.googleapis.com/google.protobuf.Struct), \"x\""),
    BodyFault(
      #"{"message":{"data":"x"}}"#, "message.data",
      "Invalid value at 'message.data' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.Message.DataEntry), "x""#),
    // The value of a wrapper is a field of its own.
    BodyFault(
      #"{"message":{"android":{"notification":{"light_settings":{"color":{"alpha":"x"}}}}}}"#,
      "message.android.notification.light_settings.color.alpha.value",
      "Invalid value at 'message.android.notification.light_settings.color.alpha.value' "
        + "(TYPE_FLOAT), \"x\""),
    BodyFault(
      #"{"message":{"android":{"notification":{"vibrate_timings":["1s","1"],"title_loc_args":{}}}}}"#,
      [
        FieldViolation(
          "message.android.notification.vibrate_timings[1]",
          "Invalid value at 'message.android.notification.vibrate_timings[1]' "
            + "(type.googleapis.com/google.protobuf.Duration), Field '', "
            + "Illegal duration format; duration must end with 's'"),
        FieldViolation(
          "message.android.notification",
          "Invalid value at 'message.android.notification' (title_loc_args), "
            + "Starting an object on a scalar field"),
      ]),
    BodyFault(
      #"{"message":{"android":{"notification":{"event_time":"now","title_loc_args":[{}]}}}}"#,
      [
        FieldViolation(
          "message.android.notification.event_time",
          "Invalid value at 'message.android.notification.event_time' "
            + "(type.googleapis.com/google.protobuf.Timestamp), Field 'event_time', "
            + "Invalid time format: now"),
        FieldViolation(
          "message.android.notification.title_loc_args",
          "Invalid value at 'message.android.notification.title_loc_args' (title_loc_args), "
            + "Starting an object on a scalar field"),
      ]),
    // protobuf's protostream_objectwriter.cc.
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
    let value = try #require(LenientJSONReader.read(Array(text.utf8)).value)
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

  /// `yeſ` would be `yes` outside ASCII (measured in October 2026).
  @Test(arguments: ["2", "\"yeſ\"", "\"on\"", "\" true\"", "\"\""])
  func `a Boolean takes no other`(_ value: String) throws {
    #expect(try Self.read(#"{"validate_only":\#(value)}"#).1.count == 1)
  }

  @Test(arguments: ["false", "0", "0.0", "\"No\"", "\"F\"", "\"0\"", "\"FALSE\""])
  func `a Boolean takes words of denial`(_ value: String) throws {
    let (fields, violations) = try Self.read(#"{"validate_only":\#(value)}"#)
    #expect(violations.isEmpty)
    #expect(fields["validate_only"] == false)
  }

  /// White space other than spaces is stripped (`safe_strto32`, measured in October 2026).
  @Test(arguments: ["7", "7.0", "\"7\"", "\"+7\"", "\"007\"", "\"\\t7\\n\"", "0.7e1"])
  func `a whole number may be a string and have a fraction of zero`(_ value: String) throws {
    let (fields, violations) = try Self.read(
      #"{"message":{"android":{"notification":{"notification_count":\#(value)}}}}"#)
    #expect(violations.isEmpty)
    #expect(fields["message"]?.pointer("/android/notification/notification_count") == 7)
  }

  @Test(arguments: ["7.5", "2147483648", "\"7.0\"", "\"0x7\"", "\"7 \"", "true", "1e300"])
  func `what is no whole number of 32 bits is refused`(_ value: String) throws {
    let text = #"{"message":{"android":{"notification":{"notification_count":\#(value)}}}}"#
    #expect(try Self.read(text).1.count == 1)
  }

  @Test(arguments: ["0.5", "1", "\"0.5\"", "\"Infinity\"", "\"NaN\"", "{\"value\":1}", "{}"])
  func `a fraction may be a string, and one in a wrapper an object`(_ value: String) throws {
    let text =
      #"{"message":{"android":{"notification":{"light_settings":{"color":{"alpha":\#(value)}}}}}}"#
    #expect(try Self.read(text).1 == [])
  }

  @Test(arguments: ["1e39", "\"-1e39\"", "\"x\"", "true"])
  func `what is no fraction of 32 bits is refused`(_ value: String) throws {
    let text =
      #"{"message":{"android":{"notification":{"light_settings":{"color":{"red":\#(value)}}}}}}"#
    #expect(try Self.read(text).1.count == 1)
  }

  @Test(arguments: ["5", "\"5\"", "\"priority-max\"", "\"Priority_Max\""])
  func `dashes of an enumeration's names are underscores`(_ value: String) throws {
    let text =
      #"{"message":{"android":{"notification":{"notification_priority":\#(value)}}}}"#
    let (fields, violations) = try Self.read(text)
    #expect(violations.isEmpty)
    #expect(
      fields["message"]?.pointer("/android/notification/notification_priority") == "PRIORITY_MAX")
  }

  /// protobuf's reader takes the fields of its own messages (protostream_objectwriter.cc).
  @Test(arguments: [
    (#"{"seconds":3}"#, "3s"), (#"{"seconds":"3","nanos":500000000}"#, "3.500000000s"),
    (#"{}"#, "0s"), (#"{"seconds":-1,"nanos":-1}"#, "-1.000000001s"),
  ])
  func `a duration may be an object of its fields`(_ value: String, _ text: String) throws {
    let (fields, violations) = try Self.read(#"{"message":{"android":{"ttl":\#(value)}}}"#)
    #expect(violations.isEmpty)
    #expect(fields["message"]?.pointer("/android/ttl") == .string(text))
  }

  @Test func `a moment may be an object of its fields`() throws {
    let (fields, violations) = try Self.read(
      #"{"message":{"android":{"notification":{"event_time":{"seconds":1}}}}}"#)
    #expect(violations.isEmpty)
    #expect(
      fields["message"]?.pointer("/android/notification/event_time") == "1970-01-01T00:00:01.000Z")
  }

  @Test func `a list may be its one element, hold nulls and further lists`() throws {
    for value in [#""a""#, #"["a"]"#, #"[null,"a"]"#, #"[["a"]]"#] {
      let (fields, violations) = try Self.read(
        #"{"message":{"android":{"notification":{"title_loc_args":\#(value)}}}}"#)
      #expect(violations.isEmpty)
      #expect(fields["message"]?.pointer("/android/notification/title_loc_args") == ["a"])
    }
  }

  @Test func `an entry of a map that is null or an empty object is empty`() throws {
    let (fields, violations) = try Self.read(#"{"message":{"data":{"a":null,"b":{}}}}"#)
    #expect(violations.isEmpty)
    #expect(fields["message"]?["data"] == ["a": "", "b": ""])
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
    ("1.s", .seconds(1)), ("1.00000000000s", .seconds(1)),
  ])
  func `seconds with up to nine decimals are read`(_ text: String, _ duration: Duration) throws {
    #expect(try ProtoDuration.parse(text) == duration)
  }

  @Test(arguments: [
    ("", ProtoDuration.Failure.unit), ("3", .unit), ("s", .seconds), ("xs", .seconds),
    ("--1s", .seconds), ("1.xs", .nanoseconds), ("1.-5s", .nanoseconds),
    ("1.2.3s", .seconds), (".5s", .seconds), ("28.299999999999997s", .nanoseconds),
    ("1.0000000001s", .range), ("315576000001s", .range),
    ("99999999999999999999s", .seconds),
  ])
  func `anything else fails with protobuf's sentence`(
    _ text: String, _ failure: ProtoDuration.Failure
  ) {
    #expect(throws: failure) { try ProtoDuration.parse(text) }
  }
}
