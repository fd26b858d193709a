import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let captured = ConformanceEvidence.captured("FCM, 9 July 2026")
  private static let apsType = ConformanceEvidence.assumed(
    "as badge, by the types of Apple's page")

  private static let badTimeToLive = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Request contains an invalid argument.",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message.android.ttl",
                "description": "The time to live must be between 0 and 2419200 seconds."
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
  private static let badWebPushTTL = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "TTL must be a non-negative integer.",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message.webpush.headers.TTL",
                "description": "TTL must be a non-negative integer."
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

  static let configurations = ConformanceSection(
    title: "Message: configurations of Android, iOS and browsers",
    rules: [
      ConformanceRule(
        "a time to live of more than four weeks",
        #"{"message":{"topic":"news","android":{"ttl":"2419201s"}}}"#, badTimeToLive,
        .documented("FCM error codes: 0 to 2,419,200 seconds"),
        note: "the answer was not captured; it has the form of APS errors"),
      ConformanceRule(
        "a negative time to live", #"{"message":{"topic":"news","android":{"ttl":"-1s"}}}"#,
        badTimeToLive, .documented("FCM error codes: 0 to 2,419,200 seconds"),
        note: "the answer was not captured; it has the form of APS errors"),
      ConformanceRule(
        "a web push TTL that is no number",
        #"{"message":{"topic":"news","webpush":{"headers":{"TTL":"1h"}}}}"#, badWebPushTTL,
        captured),
      ConformanceRule(
        "a negative web push TTL",
        #"{"message":{"topic":"news","webpush":{"headers":{"TTL":"-1"}}}}"#, badWebPushTTL,
        .assumed("the text says so")),
      ConformanceRule(
        "a badge that is a string",
        #"{"message":{"topic":"news","apns":{"payload":{"aps":{"badge":"1"}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.apns.payload.aps.badge",
                      "description": "Value type for APS key [badge] is a number."
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
        .seen("an answer of FCM in a comment of async-firebase")),
      ConformanceRule(
        "an alert that is a number",
        #"{"message":{"topic":"news","apns":{"payload":{"aps":{"alert":1}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.apns.payload.aps.alert",
                      "description": "Value type for APS key [alert] is a string or a dictionary."
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
        apsType),
      ConformanceRule(
        "a sound that is true",
        #"{"message":{"topic":"news","apns":{"payload":{"aps":{"sound":true}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.apns.payload.aps.sound",
                      "description": "Value type for APS key [sound] is a string or a dictionary."
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
        apsType),
      ConformanceRule(
        "a category that is a number",
        #"{"message":{"topic":"news","apns":{"payload":{"aps":{"category":2}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.apns.payload.aps.category",
                      "description": "Value type for APS key [category] is a string."
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
        apsType),
      ConformanceRule(
        "a thread ID that is an object",
        #"{"message":{"topic":"news","apns":{"payload":{"aps":{"thread-id":{}}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.apns.payload.aps.thread-id",
                      "description": "Value type for APS key [thread-id] is a string."
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
        apsType),
      ConformanceRule(
        "both generations of Android", #"{"message":{"topic":"news","android":{},"androidV2":{}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Only one of android and android_v2 may be set."
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
        .documented("discovery document fcm.v1, 23 October 2026: will be rejected"),
        note: "the answer was not captured; it has the form of APS errors"),
      ConformanceRule(
        "a `restricted_package_name` that is not the token's",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.restricted_package_name",
                      "description": "The package name of the registration token does not match."
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
        .documented("discovery document fcm.v1: must match"),
        note: "the answer was not captured; it has the form of APS errors"
      ) { fixture in
        fixture.register()
        return try fixture.send(
          #"{"message":{"token":"\#(ServiceFixture.androidToken)","android":{"restricted_package_name":"com.other"}}}"#
        )
      },
    ])
}
