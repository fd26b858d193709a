import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let captured = ConformanceEvidence.captured("FCM, 9 July 2026")
  private static let reserved = ConformanceEvidence.seen(
    "the text, live at five senders and more")
  private static let reservedNote =
    "the details were not captured: their form is that of the others"

  private static let tooLarge = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Message is too large. The maximum is 4K (4096 bytes).",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest"
          },
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT"
          }
        ]
      }
    }

    """#)

  static let messages = ConformanceSection(
    title: "Message: size and keys of data",
    rules: [
      ConformanceRule(
        "4097 bytes to a token",
        #"{"message":{"token":"\#(ServiceFixture.androidToken)","data":{"p":"\#(text(4096))"}}}"#,
        tooLarge, captured, note: "`Android message is too big` until 2026"),
      ConformanceRule(
        "4507 bytes to a topic", #"{"message":{"topic":"news","data":{"p":"\#(text(4506))"}}}"#,
        tooLarge, .measured("FCM, 9 July 2026: 4506 bytes of keys and values pass"),
        note: "Google documents 2048, which the setting `fcmSizeLimit` documented keeps"),
      ConformanceRule(
        "2049 bytes to a topic, with `fcmSizeLimit` documented", tooLarge,
        .documented("FCM error codes")
      ) { fixture in
        fixture.set { $0.sizeLimit = .documented }
        return try fixture.send(#"{"message":{"topic":"news","data":{"p":"\#(text(2048))"}}}"#)
      },
      ConformanceRule(
        "the key from in data", #"{"message":{"topic":"news","data":{"from":"x"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid data payload key: from",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[0].key",
                      "description": "Invalid data payload key: from"
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

          """#),
        reserved, note: reservedNote),
      ConformanceRule(
        "the key message_type in data, second",
        #"{"message":{"topic":"news","data":{"a":"b","message_type":"x"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid data payload key: message_type",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[1].key",
                      "description": "Invalid data payload key: message_type"
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

          """#),
        .documented("discovery document fcm.v1, 23 October 2026"), note: reservedNote),
      ConformanceRule(
        "the key gcm in data", #"{"message":{"topic":"news","data":{"gcm":"x"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid data payload key: gcm",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[0].key",
                      "description": "Invalid data payload key: gcm"
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

          """#),
        .documented("FCM error codes"), note: reservedNote),
      ConformanceRule(
        "a key with google. in the data for Android",
        #"{"message":{"topic":"news","android":{"data":{"google.x":"y"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid data payload key: google.x",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.data[0].key",
                      "description": "Invalid data payload key: google.x"
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

          """#),
        .documented("discovery document fcm.v1, 23 October 2026"), note: reservedNote),
      ConformanceRule(
        "a key with gcm.notification. in the data for browsers",
        #"{"message":{"topic":"news","webpush":{"data":{"gcm.notification.x":"y"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid data payload key: gcm.notification.x",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.webpush.data[0].key",
                      "description": "Invalid data payload key: gcm.notification.x"
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

          """#),
        .documented("discovery document fcm.v1, 23 October 2026"), note: reservedNote),
    ])

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}
