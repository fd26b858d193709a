import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let captured = ConformanceEvidence.captured("FCM, 9 July 2026")
  private static let fid = "fiHc_h5ierxceZ8XZ2JEBS"
  private static let toDevice = #"{"message":{"token":"\#(ServiceFixture.androidToken)"}}"#

  private static let noRecipient = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Recipient of the message is not set.",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message",
                "description": "Recipient of the message is not set."
              }
            ]
          },
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT"
          }
        ]
      }
    }

    """#)
  private static let badToken = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "The registration token is not a valid FCM registration token",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT"
          },
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message.token",
                "description": "The registration token is not a valid FCM registration token"
              }
            ]
          }
        ]
      }
    }

    """#)
  private static let unregistered = ExpectedAnswer.json(
    404,
    #"""
    {
      "error": {
        "code": 404,
        "message": "Requested entity was not found.",
        "status": "NOT_FOUND",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "UNREGISTERED"
          }
        ]
      }
    }

    """#)
  private static let otherSender = ExpectedAnswer.json(
    403,
    #"""
    {
      "error": {
        "code": 403,
        "message": "SenderId mismatch",
        "status": "PERMISSION_DENIED",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "SENDER_ID_MISMATCH"
          }
        ]
      }
    }

    """#)
  private static let badTopic = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Topic name contains invalid characters.",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message",
                "description": "Topic name contains invalid characters."
              }
            ]
          },
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT"
          }
        ]
      }
    }

    """#)
  private static let badCondition = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Request contains an invalid argument.",
        "status": "INVALID_ARGUMENT"
      }
    }

    """#)

  static let targets = ConformanceSection(
    title: "Target: token, topic, condition",
    rules: [
      ConformanceRule(
        "no target", #"{"message":{"notification":{"title":"Hello"}}}"#, noRecipient, captured),
      ConformanceRule("no message", "{}", noRecipient, .measured("API front end, October 2026")),
      ConformanceRule("no body", "", noRecipient, .measured("API front end, October 2026")),
      ConformanceRule(
        "an empty target", #"{"message":{"token":""}}"#, noRecipient,
        .assumed("protobuf does not tell an empty string from none")),
      ConformanceRule(
        "a text that is no token", #"{"message":{"token":"nonsense"}}"#, badToken, captured,
        note: "until 2025 without the BadRequest"),
      ConformanceRule(
        "an APNs device token",
        #"{"message":{"token":"\#(String(repeating: "0aF1", count: 16))"}}"#, badToken,
        .assumed("to FCM it is a text like any other")),
      ConformanceRule(
        "a registration token as `fid`",
        #"{"message":{"fid":"\#(ServiceFixture.androidToken)"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "The registration token is not a valid FCM registration token",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "INVALID_ARGUMENT"
                },
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.fid",
                      "description": "The registration token is not a valid FCM registration token"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .assumed(
          "only `token` takes both kinds, says the discovery document; the form is a token's")),
      ConformanceRule("the token of an uninstalled app", unregistered, captured) { fixture in
        fixture.register().state = .unregistered(since: fixture.time.now)
        return try fixture.send()
      },
      ConformanceRule(
        "the same in a message that is only validated", unregistered,
        .captured("FCM, in a public project")
      ) { fixture in
        fixture.register().state = .unregistered(since: fixture.time.now)
        return try fixture.send(#"{"validate_only":true,"# + toDevice.dropFirst())
      },
      ConformanceRule(
        "the token of an uninstalled app before FCM knows", .toAndroid,
        .captured("FCM, 9 July 2026: the first send after a deletion had 200 once and 404 once"),
        note: "with the setting `uninstallDelay`"
      ) { fixture in
        fixture.workspaces.default.apns.uninstallDelay = .seconds(60)
        fixture.register().state = .unregistered(since: fixture.time.now)
        return try fixture.send()
      },
      ConformanceRule(
        "a token that the app has replaced", unregistered,
        .documented("Best practices for registration token management")
      ) { fixture in
        fixture.register().state = .rotated(at: fixture.time.now)
        return try fixture.send()
      },
      ConformanceRule(
        "a token that has expired", unregistered,
        .documented("Best practices for registration token management"),
        note: "when the device is told so; at Google after 270 days"
      ) { fixture in
        fixture.register().state = .expired(since: fixture.time.now)
        return try fixture.send()
      },
      ConformanceRule(
        "a token that nobody registered, with `tokens: strict`", unregistered, captured,
        note: "accepted with `tokens: open`, the default, so that a first push works"
      ) { fixture in
        fixture.workspaces.default.policies.tokens = .strict
        return try fixture.send()
      },
      ConformanceRule(
        "an installation ID that nobody registered, with `tokens: strict`", unregistered,
        .assumed("as a token; firebase-admin for Node looks for it")
      ) { fixture in
        fixture.workspaces.default.policies.tokens = .strict
        return try fixture.send(#"{"message":{"fid":"\#(fid)"}}"#)
      },
      ConformanceRule(
        "a token of another project", otherSender,
        .seen("airnotifier issues 211 and 219, laravel-notification-channels/fcm issue 84")
      ) { fixture in
        fixture.register(project: "other")
        return try fixture.send()
      },
      ConformanceRule(
        "a topic with other characters", #"{"message":{"topic":"bad#topic!name"}}"#, badTopic,
        captured),
      ConformanceRule(
        "a topic with its prefix", #"{"message":{"topic":"/topics/news"}}"#, badTopic,
        .assumed("the discovery document says not to give the prefix, and a slash is no character")),
      ConformanceRule(
        "a topic of 901 characters",
        #"{"message":{"topic":"\#(String(repeating: "t", count: 901))"}}"#, badTopic,
        .assumed("the discovery document allows 900; the answer is that for characters")),
      ConformanceRule(
        "a condition that breaks off", #"{"message":{"condition":"'a' in topics &&"}}"#,
        badCondition, captured),
      ConformanceRule(
        "a condition without quotes", #"{"message":{"condition":"a in topics"}}"#, badCondition,
        .assumed("as one that breaks off")),
      ConformanceRule(
        "a condition with another operator",
        #"{"message":{"condition":"'a' in topics & 'b' in topics"}}"#, badCondition,
        .assumed("as one that breaks off")),
      ConformanceRule(
        "a condition with an open parenthesis", #"{"message":{"condition":"('a' in topics"}}"#,
        badCondition, .assumed("as one that breaks off")),
      ConformanceRule(
        "a condition with a bad topic", #"{"message":{"condition":"'a b' in topics"}}"#,
        badCondition, .assumed("as one that breaks off")),
      ConformanceRule(
        "a condition of six topics",
        #"{"message":{"condition":"'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics || 'f' in topics"}}"#,
        badCondition,
        .assumed("Google documents five at most; the answer is that to a malformed one")),
    ])
}
