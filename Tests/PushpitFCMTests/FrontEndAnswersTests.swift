import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

extension ServiceFixture {
  /// Sends any bytes with a bearer.
  @discardableResult
  func send(bytes: [UInt8], bearer: String) -> PushOutcome {
    let request = PushRequest(
      head: RequestHead(
        method: "POST", target: "/v1/projects/demo/messages:send", authority: "localhost:2197",
        fields: ["authorization": "Bearer \(bearer)"]),
      body: bytes, isBodyCut: false, receivedAt: time.now)
    return service.respond(to: request, response: &head, body: &body)
  }
}

/// A body that the front end refuses, and the bytes of its answer.
struct FrontEndAnswer: Sendable, CustomTestStringConvertible {
  let rule: String
  let body: String
  /// The texts of the answer as they are in JSON, escaped: the message, and of each violation the
  /// field, if it has one, and the description.
  let message: String
  let violations: [(field: String?, description: String)]

  init(
    _ rule: String, _ body: String, _ message: String,
    _ violations: [(field: String?, description: String)] = []
  ) {
    self.rule = rule
    self.body = body
    self.message = message
    self.violations = violations
  }

  /// One whose message is its only violation.
  init(_ rule: String, _ body: String, field: String?, _ message: String) {
    self.init(rule, body, message, [(field, message)])
  }

  var testDescription: String { rule }

  /// The bytes, put together without the writer that is tested.
  var bytes: String {
    var text = "{\n  \"error\": {\n    \"code\": 400,\n    \"message\": \"\(message)\",\n"
    text += "    \"status\": \"INVALID_ARGUMENT\""
    guard !violations.isEmpty else { return text + "\n  }\n}\n" }
    text += ",\n    \"details\": [\n      {\n"
    text += "        \"@type\": \"type.googleapis.com/google.rpc.BadRequest\",\n"
    text += "        \"fieldViolations\": [\n"
    text += violations.map { violation in
      let field = violation.field.map { "            \"field\": \"\($0)\",\n" } ?? ""
      return
        "          {\n\(field)            \"description\": \"\(violation.description)\"\n          }"
    }.joined(separator: ",\n")
    return text + "\n        ]\n      }\n    ]\n  }\n}\n"
  }

  private static let unknown = #"Invalid JSON payload received. Unknown name "#

  /// What does not fit the schema; measured at Google's front end in October 2026, FCM's type names by
  /// its documentation.
  static let ofFields = [
    FrontEndAnswer(
      "an unknown key has the path of its object", #"{"message":{"android":{"X":1}}}"#,
      field: "message.android", unknown + #"\"X\" at 'message.android': Cannot find field."#),
    FrontEndAnswer(
      "a path has proto names",
      #"{"message":{"android":{"notification":{"lightSettings":{"x":1}}}}}"#,
      field: "message.android.notification.light_settings",
      unknown
        + #"\"x\" at 'message.android.notification.light_settings': Cannot find field."#),
    FrontEndAnswer(
      "an unknown key of the root has no path and no field", #"{"mesage":{}}"#, field: nil,
      unknown + #"\"mesage\": Cannot find field."#),
    FrontEndAnswer(
      "several violations are joined by line feeds", #"{"message":{"a":1,"b":2},"c":3}"#,
      unknown + #"\"a\" at 'message': Cannot find field.\n"# + unknown
        + #"\"b\" at 'message': Cannot find field.\n"# + unknown + #"\"c\": Cannot find field."#,
      [
        ("message", unknown + #"\"a\" at 'message': Cannot find field."#),
        ("message", unknown + #"\"b\" at 'message': Cannot find field."#),
        (nil, unknown + #"\"c\": Cannot find field."#),
      ]),
    FrontEndAnswer(
      "null is no message", "null", field: nil, unknown + #"\"\": Root element must be a message."#),
    FrontEndAnswer(
      "a list is no message", "[]", field: nil, unknown + #"\"\": Root element must be a message."#),
    FrontEndAnswer(
      "a string is no message", #""x""#, field: nil,
      unknown + #"\"\": Root element must be a message."#),
    FrontEndAnswer(
      "a field that is not repeated takes no list", #"{"message":{"token":["a"]}}"#,
      field: "message",
      unknown + #"\"token\" at 'message': Proto field is not repeating, cannot start list."#),
    FrontEndAnswer(
      "a scalar takes no object", #"{"message":{"notification":{"title":{}}}}"#,
      field: "message.notification",
      "Invalid value at 'message.notification' (title), Starting an object on a scalar field"),
    FrontEndAnswer(
      "a message takes no scalar", #"{"message":{"notification":"x"}}"#,
      field: "message.notification",
      "Invalid value at 'message.notification' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.Notification), \"x\""#),
    FrontEndAnswer(
      "a whole number takes no word",
      #"{"message":{"android":{"notification":{"notificationCount":"x"}}}}"#,
      field: "message.android.notification.notification_count",
      "Invalid value at 'message.android.notification.notification_count' "
        + #"(TYPE_INT32), \"x\""#),
    FrontEndAnswer(
      "an enumeration takes no other word", #"{"message":{"android":{"priority":"urgent"}}}"#,
      field: "message.android.priority",
      "Invalid value at 'message.android.priority' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority), \"urgent\""#),
    FrontEndAnswer(
      "a oneof takes one member, named as it was spelled",
      #"{"message":{"token":"a","topic":"b"}}"#,
      field: "message",
      "Invalid value at 'message' (oneof), oneof field 'target' is already set. "
        + "Cannot set 'topic'"),
    FrontEndAnswer(
      "entries of a map are addressed by position", #"{"message":{"data":{"a":"b","c":12}}}"#,
      field: "message.data[1].value", "Invalid value at 'message.data[1].value' (TYPE_STRING), 12"),
    FrontEndAnswer(
      "a map takes no list (seen at FCM in 2026)", #"{"message":{"data":[]}}"#, field: "message",
      "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."),
    FrontEndAnswer(
      "a duration ends in s", #"{"message":{"android":{"ttl":"3600"}}}"#,
      field: "message.android.ttl",
      "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), "
        + "Field 'ttl', Illegal duration format; duration must end with 's'"),
    FrontEndAnswer(
      "what was read before the end is faulted before the end is", #"{"message":{"x":1,"#,
      field: "message", unknown + #"\"x\" at 'message': Cannot find field."#),
  ]

  /// What is no JSON; sentences of protobuf's json_stream_parser.cc, measured in October 2026.
  static let ofSyntax = [
    FrontEndAnswer(
      "a body cut short", #"{"message":"#,
      #"Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^"#),
    FrontEndAnswer(
      "a body that is no JSON", "not json",
      #"Invalid JSON payload received. Unexpected token.\nnot json\n^"#),
    FrontEndAnswer(
      "an excerpt has 20 bytes before and after the place",
      #"{"message":{"notification":{"title":"a" "body":"b"}}}"#,
      #"Invalid JSON payload received. Expected , or } after key:value pair.\n"#
        + #"ation\":{\"title\":\"a\" \"body\":\"b\"}}}\n                    ^"#),
    FrontEndAnswer(
      "an error at once comes before faults of values", #"{"message":{"x":1},"a" 1}"#,
      #"Invalid JSON payload received. Expected : between key:value pair.\n"#
        + #"essage\":{\"x\":1},\"a\" 1}\n                    ^"#),
    FrontEndAnswer(
      "an excerpt that cuts a character is left out", #"{"message":"éééééééééééé"  1}"#,
      "Request contains an invalid argument."),
    FrontEndAnswer(
      "nesting that is too deep",
      #"{"message":{"apns":{"payload":{"x":"# + String(repeating: "[", count: 97) + "1",
      "Invalid JSON payload received. Message too deep. Max recursion depth reached in array"),
  ]
}

@Suite struct FrontEndAnswersTests {
  @Test(arguments: FrontEndAnswer.ofFields + FrontEndAnswer.ofSyntax)
  func `refusals are answered byte for byte`(_ answer: FrontEndAnswer) throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(answer.body)
    #expect(fixture.text == answer.bytes)
    #expect(outcome.status == 400)
    #expect(
      outcome.diagnosis?.code == (answer.violations.isEmpty ? .bodyNotJSON : .fieldInvalid))
  }

  /// Spelled out once, whitespace and all.
  @Test func `an answer is indented and ends in a line feed`() throws {
    let fixture = try ServiceFixture()
    try fixture.send(#"{"message":{"toen":"x"}}"#)
    #expect(
      fixture.text == #"""
        {
          "error": {
            "code": 400,
            "message": "Invalid JSON payload received. Unknown name \"toen\" at 'message': Cannot find field.",
            "status": "INVALID_ARGUMENT",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                  {
                    "field": "message",
                    "description": "Invalid JSON payload received. Unknown name \"toen\" at 'message': Cannot find field."
                  }
                ]
              }
            ]
          }
        }

        """#)
  }

  /// Every leniency at once (measured in October 2026).
  @Test(arguments: [
    "{'message':{'topic':'news'}}", "{message:{topic:\"news\",},}",
    #"{"message":{"topic":"news","android":{"notification":{"notification_count":1.}}}}"#,
    #"{"message":{"token":null,"topic":"news"}}"#, #"{"message":{"topic":"a","topic":"news"}}"#,
    "\u{FEFF}{\"message\":{\"topic\":\"ne\\ws\"}}",
    #"{"validate_only":"No","message":{"topic":"news"}}"#,
    #"{"message":{"topic":"news","android":{"priority":"High","directBootOk":1}}}"#,
  ])
  func `lenient bodies are sent`(_ body: String) throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(body)
    #expect(outcome.status == 200, "\(fixture.text)")
    #expect(outcome.topic.elementsEqual("news".utf8))
  }

  @Test func `invalid UTF-8 in a value is sent as spaces`() throws {
    let fixture = try ServiceFixture()
    let bytes =
      Array(#"{"message":{"topic":"news","data":{"a":"x"#.utf8) + [0xE2, 0x82]
      + Array(#""}}}"#.utf8)
    let outcome = fixture.send(bytes: bytes, bearer: try fixture.accessToken())
    #expect(outcome.status == 200)
    #expect(String(decoding: outcome.deviceMessage, as: UTF8.self).contains(#""a":"x  ""#))
  }

  @Test(arguments: [[], [0xEF, 0xBB, 0xBF], Array("{}".utf8)])
  func `an empty body is an empty message`(_ body: [UInt8]) throws {
    let fixture = try ServiceFixture()
    fixture.send(bytes: body, bearer: try fixture.accessToken())
    #expect(fixture.json?.pointer("/error/message") == "Recipient of the message is not set.")
  }

  /// Measured at the front end in 2026.
  @Test func `the credential is checked before the body is read`() throws {
    let fixture = try ServiceFixture()
    fixture.send(bytes: Array("{".utf8), bearer: "x")
    #expect(fixture.head.status == 401)
  }
}
