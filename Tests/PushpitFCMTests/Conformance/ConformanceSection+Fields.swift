import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")
  static let fields = ConformanceSection(
    title: "JSON front end: names",
    rules: [
      ConformanceRule(
        "an unknown field", #"{"message":{"toen":"x"}}"#,
        .json(
          400,
          #"""
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

          """#),
        .seen("fcm-v1-http2 issue 5, 2024; measured at the API front end too, October 2026")),
      ConformanceRule(
        "an unknown field deeper down", #"{"message":{"android":{"X":1}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"X\" at 'message.android': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android",
                      "description": "Invalid JSON payload received. Unknown name \"X\" at 'message.android': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an unknown field below one that is written in camel case",
        #"{"message":{"android":{"notification":{"lightSettings":{"x":1}}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"x\" at 'message.android.notification.light_settings': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.light_settings",
                      "description": "Invalid JSON payload received. Unknown name \"x\" at 'message.android.notification.light_settings': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a field in another case", #"{"message":{"Topic":"news"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"Topic\" at 'message': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"Topic\" at 'message': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an unknown field of the root", #"{"mesage":{}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"mesage\": Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "description": "Invalid JSON payload received. Unknown name \"mesage\": Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an unknown field with markup and a zero width space", "{\"message\":{\"<b>\u{200B}\":1}}",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"\u003cb\u003e\u200b\" at 'message': Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"\u003cb\u003e\u200b\" at 'message': Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .assumed(
          "escapes are those of protobuf's json_escaping.cc, of which the front end is a port")),
      ConformanceRule(
        "several unknown fields", #"{"message":{"a":1,"b":2},"c":3}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"a\" at 'message': Cannot find field.\nInvalid JSON payload received. Unknown name \"b\" at 'message': Cannot find field.\nInvalid JSON payload received. Unknown name \"c\": Cannot find field.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"a\" at 'message': Cannot find field."
                    },
                    {
                      "field": "message",
                      "description": "Invalid JSON payload received. Unknown name \"b\" at 'message': Cannot find field."
                    },
                    {
                      "description": "Invalid JSON payload received. Unknown name \"c\": Cannot find field."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a parameter of the query that does not exist",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unknown name \"validate_only\": Cannot bind query parameter. Field 'validate_only' could not be found in request message.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "description": "Invalid JSON payload received. Unknown name \"validate_only\": Cannot bind query parameter. Field 'validate_only' could not be found in request message."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("other Google APIs with this front end")
      ) { fixture in
        try fixture.request(
          "POST", "/v1/projects/demo/messages:send?validate_only=true",
          fields: ["authorization": "Bearer \(fixture.accessToken())"],
          body: #"{"message":{"topic":"news"}}"#)
      },
      ConformanceRule(
        "a mask with a field that does not exist",
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
                      "field": "id",
                      "description": "Error expanding 'fields' parameter. Cannot find matching fields for path 'id'."
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("other Google APIs with this front end")
      ) { fixture in
        try fixture.request(
          "POST", "/v1/projects/demo/messages:send?fields=id",
          fields: ["authorization": "Bearer \(fixture.accessToken())"],
          body: #"{"message":{"topic":"news"}}"#)
      },
    ])
}
