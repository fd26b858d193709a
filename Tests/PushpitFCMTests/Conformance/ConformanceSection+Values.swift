import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")
  private static let source = ConformanceEvidence.assumed(
    "the sentence is one of protobuf's JSON reader, of which the front end is a port")

  static let values = ConformanceSection(
    title: "JSON front end: values",
    rules: [
      ConformanceRule(
        "a whole number that is a word",
        #"{"message":{"topic":"a","android":{"notification":{"notification_count":"x"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \"x\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.notification_count",
                      "description": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \"x\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a whole number in a string with a blank",
        #"{"message":{"topic":"a","android":{"notification":{"notificationCount":" 1"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \" 1\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.notification_count",
                      "description": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), \" 1\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a whole number that is none",
        #"{"message":{"topic":"a","android":{"notification":{"notificationCount":1.5}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 1.5",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.notification_count",
                      "description": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 1.5"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a whole number that is too large",
        #"{"message":{"topic":"a","android":{"notification":{"notificationCount":2147483648}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 2147483648",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.notification_count",
                      "description": "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 2147483648"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a flag that is another word",
        #"{"message":{"topic":"a","android":{"directBootOk":"maybe"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.direct_boot_ok' (TYPE_BOOL), \"maybe\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.direct_boot_ok",
                      "description": "Invalid value at 'message.android.direct_boot_ok' (TYPE_BOOL), \"maybe\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a flag that is 2", #"{"validate_only":2,"message":{"topic":"a"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'validate_only' (TYPE_BOOL), 2",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "validate_only",
                      "description": "Invalid value at 'validate_only' (TYPE_BOOL), 2"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an enumeration's value that there is not",
        #"{"message":{"topic":"a","android":{"priority":"urgent"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority), \"urgent\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.priority",
                      "description": "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority), \"urgent\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured, note: "the type's name is that of Google's reference"),
      ConformanceRule(
        "an enumeration's value in camel case",
        #"{"message":{"topic":"a","android":{"notification":{"visibility":"visibilityUnspecified"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.visibility' (type.googleapis.com/google.firebase.fcm.v1.AndroidNotification.Visibility), \"visibilityUnspecified\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.visibility",
                      "description": "Invalid value at 'message.android.notification.visibility' (type.googleapis.com/google.firebase.fcm.v1.AndroidNotification.Visibility), \"visibilityUnspecified\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured, note: "the type's name is that of Google's reference"),
      ConformanceRule(
        "a fraction that is a word",
        #"{"message":{"topic":"a","android":{"notification":{"lightSettings":{"color":{"red":"x"}}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.light_settings.color.red' (TYPE_FLOAT), \"x\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.light_settings.color.red",
                      "description": "Invalid value at 'message.android.notification.light_settings.color.red' (TYPE_FLOAT), \"x\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a string that is a number", #"{"message":{"topic":1}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.topic' (TYPE_STRING), 1",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.topic",
                      "description": "Invalid value at 'message.topic' (TYPE_STRING), 1"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
    ])
}
