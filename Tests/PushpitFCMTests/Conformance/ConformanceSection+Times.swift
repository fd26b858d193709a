import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let source = ConformanceEvidence.assumed(
    "the sentence is one of protobuf's JSON reader, of which the front end is a port")

  static let times = ConformanceSection(
    title: "JSON front end: durations and times",
    rules: [
      ConformanceRule(
        "a duration without s", #"{"message":{"topic":"a","android":{"ttl":"3600"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Illegal duration format; duration must end with 's'",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.ttl",
                      "description": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Illegal duration format; duration must end with 's'"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("senders to FCM and to Pub/Sub")),
      ConformanceRule(
        "a duration that is a number", #"{"message":{"topic":"a","android":{"ttl":3600}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid data type for duration, value is 3600",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.ttl",
                      "description": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid data type for duration, value is 3600"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a duration without seconds", #"{"message":{"topic":"a","android":{"ttl":"xs"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse seconds",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.ttl",
                      "description": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse seconds"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a duration with another fraction", #"{"message":{"topic":"a","android":{"ttl":"1.xs"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse nano seconds",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.ttl",
                      "description": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse nano seconds"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a duration of more than 10,000 years",
        #"{"message":{"topic":"a","android":{"ttl":"315576000001s"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Duration value exceeds limits",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.ttl",
                      "description": "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Duration value exceeds limits"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        source),
      ConformanceRule(
        "a time that is none",
        #"{"message":{"topic":"a","android":{"notification":{"eventTime":"now"}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'message.android.notification.event_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'eventTime', Invalid time format: now",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message.android.notification.event_time",
                      "description": "Invalid value at 'message.android.notification.event_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'eventTime', Invalid time format: now"
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
