import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")
  private static let noMessage = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": {
        "code": 400,
        "message": "Invalid JSON payload received. Unknown name \"\": Root element must be a message.",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "description": "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
              }
            ]
          }
        ]
      }
    }

    """#)

  static let structure = ConformanceSection(
    title: "JSON front end: structure",
    rules: [
      ConformanceRule("a root that is null", "null", noMessage, measured),
      ConformanceRule("a root that is a list", "[]", noMessage, measured),
      ConformanceRule("a root that is a string", #""x""#, noMessage, measured),
      ConformanceRule(
        "a list where one message goes", #"{"message":[]}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"message\": Proto field is not repeating, cannot start list.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "description": "Invalid JSON payload received. Unknown name \"message\": Proto field is not repeating, cannot start list."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a list where one string goes", #"{"message":{"token":["a"]}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"token\" at 'message': Proto field is not repeating, cannot start list.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"token\" at 'message': Proto field is not repeating, cannot start list."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an object where a string goes", #"{"message":{"notification":{"title":{}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.notification' (title), Starting an object on a scalar field",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.notification",
                      "description": "Invalid value at 'message.notification' (title), Starting an object on a scalar field"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a string where an object goes", #"{"message":{"notification":"x"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.notification' (type.googleapis.com/google.firebase.fcm.v1.Notification), \"x\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.notification",
                      "description": "Invalid value at 'message.notification' (type.googleapis.com/google.firebase.fcm.v1.Notification), \"x\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured, note: "the names of types are those of Google's reference"),
      ConformanceRule(
        "a string where the message goes", #"{"message":"x"}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), \"x\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), \"x\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "two targets", #"{"message":{"token":"a","topic":"b"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured, note: "the name of the oneof was not captured at FCM"),
      ConformanceRule(
        "two targets, the second an installation ID", #"{"message":{"condition":"a","fid":"b"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'fid'",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'fid'"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured, note: "the name of the oneof was not captured at FCM"),
      ConformanceRule(
        "a data value that is a number", #"{"message":{"topic":"news","data":{"a":12}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.data[0].value' (TYPE_STRING), 12",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[0].value",
                      "description": "Invalid value at 'message.data[0].value' (TYPE_STRING), 12"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .documented("FCM error codes")),
      ConformanceRule(
        "a data value that is true, second",
        #"{"message":{"topic":"news","data":{"a":"b","c":true}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.data[1].value' (TYPE_STRING), true",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[1].value",
                      "description": "Invalid value at 'message.data[1].value' (TYPE_STRING), true"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a data value that is an object",
        #"{"message":{"topic":"news","data":{"a":{"metadata":"x"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"metadata\" at 'message.data[0].value': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.data[0].value",
                      "description": "Invalid JSON payload received. Unknown name \"metadata\" at 'message.data[0].value': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("an answer of FCM in 2018, of the data for Android")),
      ConformanceRule(
        "data that is a list", #"{"message":{"topic":"news","data":[]}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("a sender to FCM, 2026")),
      ConformanceRule(
        "an unknown field before a body that breaks off", #"{"message":{"x":1,"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"x\" at 'message': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"x\" at 'message': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
    ])
}
