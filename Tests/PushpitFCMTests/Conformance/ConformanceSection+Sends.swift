import PushpitHTTPTypes
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let discovery = ConformanceEvidence.documented(
    "discovery document fcm.v1, 23 October 2026")
  private static let captured = ConformanceEvidence.captured("FCM, 9 July 2026")
  private static let fid = "fiHc_h5ierxceZ8XZ2JEBS"
  private static let news = #"{"message":{"topic":"news"}}"#

  private static let toBrowserOrPhone = ExpectedAnswer.json(
    200,
    #"""
    {
      "name": "projects/demo/messages/‹16 digits›"
    }

    """#)
  private static let fake = ExpectedAnswer.json(
    200,
    #"""
    {
      "name": "projects/demo/messages/fake_message_id"
    }

    """#)

  static let sends = ConformanceSection(
    title: "Accepted messages",
    rules: [
      ConformanceRule(
        "a message to an Android device", .toAndroid,
        .documented("HTTP v1 API; captured with senders")
      ) { fixture in
        fixture.register()
        return try fixture.send()
      },
      ConformanceRule(
        "a message to an iOS device", toBrowserOrPhone,
        .captured("FCM: the form on iOS and elsewhere")
      ) { fixture in
        fixture.register(platform: .ios)
        return try fixture.send()
      },
      ConformanceRule(
        "a message to a browser", toBrowserOrPhone,
        .captured("FCM: the form where it is not Android")
      ) { fixture in
        fixture.register(platform: .web)
        return try fixture.send()
      },
      ConformanceRule(
        "a message to a token that nobody registered", .toAndroid,
        .assumed("most tokens are Android's")
      ) { try $0.send() },
      ConformanceRule(
        "a message to an installation ID", #"{"message":{"fid":"\#(fid)"}}"#, .toAndroid, discovery,
        note: "the name's form was not captured; it is a token's"),
      ConformanceRule(
        "an installation ID as `token`", #"{"message":{"token":"\#(fid)"}}"#, .toAndroid, discovery,
        note: "the name's form was not captured; it is a token's"),
      ConformanceRule("a message to a topic that nobody follows", news, .toTopic, captured),
      ConformanceRule(
        "a message to a condition", #"{"message":{"condition":"'a' in topics"}}"#, .toTopic,
        captured),
      ConformanceRule(
        "a message to a token, only validated",
        #"{"validate_only":true,"message":{"token":"\#(ServiceFixture.androidToken)"}}"#, fake,
        .captured("FCM, in a public project")),
      ConformanceRule(
        "a message to a topic, only validated",
        #"{"validate_only":true,"message":{"topic":"news"}}"#, .toTopic, captured),
      ConformanceRule(
        "a message to a condition, only validated",
        #"{"validate_only":true,"message":{"condition":"'a' in topics"}}"#, .toTopic, captured),
      ConformanceRule(
        "notification alone", #"{"message":{"topic":"news","notification":{"title":"Hello"}}}"#,
        .toTopic, captured),
      ConformanceRule(
        "data alone", #"{"message":{"topic":"news","data":{"a":"b"}}}"#, .toTopic, captured),
      ConformanceRule(
        "the key collapse_key in data",
        #"{"message":{"topic":"news","data":{"collapse_key":"a"}}}"#,
        .toTopic, .documented("FCM error codes do not list it"), note: "Google overrides its value"),
      ConformanceRule(
        "4506 bytes to a topic",
        #"{"message":{"topic":"news","data":{"p":"\#(String(repeating: "x", count: 4505))"}}}"#,
        .toTopic, .measured("FCM, 9 July 2026")),
      ConformanceRule(
        "a topic of every character", #"{"message":{"topic":"aZ09-_.~%"}}"#, .toTopic, discovery),
      ConformanceRule(
        "a topic of 900 characters",
        #"{"message":{"topic":"\#(String(repeating: "t", count: 900))"}}"#, .toTopic, discovery),
      ConformanceRule(
        "a condition with parentheses and negation",
        #"{"message":{"condition":"'a' in topics && ('b' in topics || !('c' in topics))"}}"#,
        .toTopic, .documented("Send messages to topics")),
      ConformanceRule(
        "a condition of five topics",
        #"{"message":{"condition":"'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics"}}"#,
        .toTopic, .documented("Send messages to topics")),
      ConformanceRule(
        "operators bind from left to right, parentheses first",
        .documented("Send messages to topics"),
        file: "Tests/PushpitFCMTests/TopicConditionTests.swift",
        test: "operators bind from left to right, parentheses first"),
      ConformanceRule(
        "a time to live of nothing", #"{"message":{"topic":"news","android":{"ttl":"0s"}}}"#,
        .toTopic, .documented("FCM error codes: 0 to 2,419,200 seconds")),
      ConformanceRule(
        "a time to live with a fraction",
        #"{"message":{"topic":"news","android":{"ttl":"3.000000001s"}}}"#, .toTopic, discovery),
      ConformanceRule(
        "four weeks and a fraction to live, which is rounded down",
        #"{"message":{"topic":"news","android":{"ttl":"2419200.999999999s"}}}"#, .toTopic,
        discovery,
        note: "that it is rounded before its range is checked is assumed"),
      ConformanceRule(
        "a collapse key",
        #"{"message":{"topic":"news","android":{"collapseKey":"a"}}}"#, .toTopic, discovery),
      ConformanceRule(
        "a second message with a collapse key replaces the first while the device is offline",
        discovery, file: "Tests/PushpitDevicesTests/DeliveryTests.swift",
        test: "a message with the same collapse key replaces the stored one"),
      ConformanceRule(
        "a notification without a collapse key replaces the one before while the device is offline",
        .documented("Non-collapsible and collapsible messages"),
        note: "its key is the package name, as that page says",
        file: "Tests/PushpitDevicesTests/DeliveryTests.swift",
        test: "of 101 notification messages the newest is stored, by the package name"),
      ConformanceRule(
        "of more than four collapse keys four are kept", discovery,
        note: "Google keeps any four; here the oldest goes",
        file: "Tests/PushpitDevicesTests/DeliveryTests.swift",
        test: "a fifth collapse key drops the oldest"),
    ])

  static let requests = ConformanceSection(
    title: "Path and query of a send",
    rules: [
      ConformanceRule(
        "the project by its number",
        .json(
          200,
          #"""
          {
            "name": "projects/123456789012/messages/‹19 digits›"
          }

          """#),
        discovery
      ) { try $0.send(news, project: "123456789012") },
      ConformanceRule(
        "the colon of the path in percent-encoding", .toTopic,
        .library("async-firebase issue 68: `/messages%3Asend`")
      ) { try $0.send(at: "/v1/projects/demo/messages%3Asend") },
      ConformanceRule(
        "`prettyPrint=false`",
        .json(200, #"{"name":"projects/demo/messages/‹19 digits›"}"#), discovery
      ) { try $0.send(at: "/v1/projects/demo/messages:send?prettyPrint=false") },
      ConformanceRule(
        "`prettyPrint` twice: the last counts",
        .json(200, #"{"name":"projects/demo/messages/‹19 digits›"}"#), discovery
      ) { try $0.send(at: "/v1/projects/demo/messages:send?prettyPrint=true&prettyPrint=0") },
      ConformanceRule(
        "an error with `prettyPrint=false`",
        .json(
          400,
          #"{"error":{"code":400,"message":"Topic name contains invalid characters.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message","description":"Topic name contains invalid characters."}]},{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"}]}}"#
        ),
        discovery
      ) {
        try $0.send(
          at: "/v1/projects/demo/messages:send?prettyPrint=false",
          #"{"message":{"topic":"a b"}}"#)
      },
      ConformanceRule("`fields=name`", .toTopic, discovery) {
        try $0.send(at: "/v1/projects/demo/messages:send?fields=name")
      },
      ConformanceRule(
        "`fields=data`, which leaves nothing",
        .json(
          200,
          #"""
          {}

          """#),
        .assumed("an empty message, printed")
      ) { try $0.send(at: "/v1/projects/demo/messages:send?fields=data") },
      ConformanceRule(
        "Google's other parameters, which change nothing", .toTopic, discovery,
        note: "no sender asks for another `alt`, and no such answer was captured"
      ) {
        try $0.send(
          at:
            "/v1/projects/demo/messages:send?$.xgafv=2&alt=json&callback=f&key=k&quotaUser=u&uploadType=x&upload_protocol=raw"
        )
      },
    ])
}

extension ServiceFixture {
  /// Sends to any path.
  fileprivate func send(
    at target: String, _ body: String = #"{"message":{"topic":"news"}}"#
  ) throws -> PushOutcome {
    try request(
      "POST", target, fields: ["authorization": "Bearer \(accessToken())"], body: body)
  }
}

extension ExpectedAnswer {
  /// A message to an Android device; the percent sign is literal.
  static let toAndroid = ExpectedAnswer.json(
    200,
    #"""
    {
      "name": "projects/demo/messages/0:‹16 digits›%‹16 hex›"
    }

    """#)
}
