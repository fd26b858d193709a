import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let denied = ConformanceEvidence.seen("reports of senders to another project")
  private static let deniedNote =
    "the ErrorInfo's domain was not captured; it is that of the resource"

  static let projects = ConformanceSection(
    title: "Project, quotas and availability",
    rules: [
      ConformanceRule(
        "a project that the account is not of, or that does not exist",
        .json(
          403,
          #"""
          {
            "error": {
              "code": 403,
              "message": "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/other' (or it may not exist).",
              "status": "PERMISSION_DENIED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "IAM_PERMISSION_DENIED",
                  "domain": "cloudresourcemanager.googleapis.com",
                  "metadata": {
                    "permission": "cloudmessaging.messages.create",
                    "resource": "projects/other"
                  }
                }
              ]
            }
          }

          """#),
        denied, note: deniedNote
      ) { try $0.send(news, project: "other") },
      ConformanceRule(
        "an account without the role",
        .json(
          403,
          #"""
          {
            "error": {
              "code": 403,
              "message": "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/quiet' (or it may not exist).",
              "status": "PERMISSION_DENIED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "IAM_PERMISSION_DENIED",
                  "domain": "cloudresourcemanager.googleapis.com",
                  "metadata": {
                    "permission": "cloudmessaging.messages.create",
                    "resource": "projects/quiet"
                  }
                }
              ]
            }
          }

          """#),
        denied, note: deniedNote
      ) { fixture in
        try fixture.credentials.add(
          ServiceAccount(
            projectID: "quiet", projectNumber: "2", clientEmail: "quiet@quiet", privateKeyID: "k2",
            publicKey: fixture.keys.other.spki, mayPush: false))
        var claims = fixture.goodClaims
        claims["iss"] = "quiet@quiet"
        let bearer = try fixture.sign(
          claims, header: ["alg": "RS256", "kid": "k2"], with: fixture.keys.other)
        return try fixture.send(news, project: "quiet", bearer: bearer)
      },
      ConformanceRule(
        "the API is switched off in the project",
        .json(
          403,
          #"""
          {
            "error": {
              "code": 403,
              "message": "Firebase Cloud Messaging API has not been used in project 123456789012 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123456789012 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.",
              "status": "PERMISSION_DENIED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "SERVICE_DISABLED",
                  "domain": "googleapis.com",
                  "metadata": {
                    "service": "fcm.googleapis.com",
                    "consumer": "projects/123456789012",
                    "activationUrl": "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123456789012"
                  }
                },
                {
                  "@type": "type.googleapis.com/google.rpc.LocalizedMessage",
                  "locale": "en-US",
                  "message": "Firebase Cloud Messaging API has not been used in project 123456789012 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123456789012 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry."
                },
                {
                  "@type": "type.googleapis.com/google.rpc.Help",
                  "links": [
                    {
                      "description": "Google developers console API activation",
                      "url": "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123456789012"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .seen("text at FCM, details at another Google API"),
        note: "with the setting `fcmApiEnabled` false; older answers of FCM have the Help only"
      ) { fixture in
        fixture.set { $0.isAPIEnabled = false }
        return try fixture.send(news)
      },
      ConformanceRule(
        "more requests of the project in a minute than its quota",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service 'fcm.googleapis.com' for consumer 'project_number:123456789012'.",
              "status": "RESOURCE_EXHAUSTED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "RATE_LIMIT_EXCEEDED",
                  "domain": "googleapis.com",
                  "metadata": {
                    "service": "fcm.googleapis.com",
                    "consumer": "projects/123456789012"
                  }
                }
              ]
            }
          }

          """#,
          ["retry-after: 60"]),
        .seen("rails/action_push_native issue 129"),
        note: "with `fcmQuotas`; the names of metric and limit were not captured"
      ) { fixture in
        fixture.set { $0.quotas = FCMSettings.Quotas(projectPerMinute: 1) }
        try fixture.send(news)
        return try fixture.send(news)
      },
      ConformanceRule(
        "more messages to a topic in a minute than its quota",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Topic quota exceeded.",
              "status": "RESOURCE_EXHAUSTED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "QUOTA_EXCEEDED"
                },
                {
                  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                  "violations": [
                    {
                      "subject": "topic",
                      "description": "Topics message rate exceeded."
                    }
                  ]
                }
              ]
            }
          }

          """#,
          ["retry-after: 60"]),
        .seen("ntfy issue 289"),
        note: "with `fcmQuotas`; Google documents a QuotaFailure, whose words were not captured"
      ) { fixture in
        fixture.set { $0.quotas = FCMSettings.Quotas(topicPerMinute: 1) }
        try fixture.send(news)
        return try fixture.send(news)
      },
      ConformanceRule(
        "more messages to a device in a minute than its quota",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Resource has been exhausted (e.g. check quota).",
              "status": "RESOURCE_EXHAUSTED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "QUOTA_EXCEEDED"
                },
                {
                  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                  "violations": [
                    {
                      "subject": "device",
                      "description": "Device message rate exceeded."
                    }
                  ]
                }
              ]
            }
          }

          """#,
          ["retry-after: 60"]),
        .documented("ErrorCode, and Throttling and quotas"),
        note: "with `fcmQuotas`; the QuotaFailure's words were not captured"
      ) { fixture in
        fixture.set { $0.quotas = FCMSettings.Quotas(devicePerMinute: 1) }
        try fixture.send()
        return try fixture.send()
      },
      ConformanceRule(
        "a request when half of the minute is over",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Topic quota exceeded.",
              "status": "RESOURCE_EXHAUSTED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "QUOTA_EXCEEDED"
                },
                {
                  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                  "violations": [
                    {
                      "subject": "topic",
                      "description": "Topics message rate exceeded."
                    }
                  ]
                }
              ]
            }
          }

          """#,
          ["retry-after: 30"]),
        .documented("Throttling and quotas: `retry-after` in seconds"),
        note: "a minute begins with its first message, as Google's are not aligned with the clock"
      ) { fixture in
        fixture.set { $0.quotas = FCMSettings.Quotas(topicPerMinute: 1) }
        try fixture.send(news)
        fixture.time.now = fixture.time.now + .seconds(30)
        return try fixture.send(news)
      },
      ConformanceRule(
        "a fault inside FCM", of: .failed(.internalError),
        .json(
          500,
          #"""
          {
            "error": {
              "code": 500,
              "message": "Internal error encountered.",
              "status": "INTERNAL",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "INTERNAL"
                }
              ]
            }
          }

          """#),
        .documented("ErrorCode; the text is common to Google's APIs"), note: "never by itself"),
      ConformanceRule(
        "FCM is overloaded", of: .failed(.unavailable(retryAfter: nil)),
        .json(
          503,
          #"""
          {
            "error": {
              "code": 503,
              "message": "The service is currently unavailable.",
              "status": "UNAVAILABLE",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "UNAVAILABLE"
                }
              ]
            }
          }

          """#),
        .documented("ErrorCode; the text is common to Google's APIs"), note: "never by itself"),
      ConformanceRule(
        "FCM is overloaded and says for how long", of: .failed(.unavailable(retryAfter: 30)),
        .json(
          503,
          #"""
          {
            "error": {
              "code": 503,
              "message": "The service is currently unavailable.",
              "status": "UNAVAILABLE",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "UNAVAILABLE"
                }
              ]
            }
          }

          """#,
          ["retry-after: 30"]),
        .documented("ErrorCode: honour the retry-after header"),
        note: "never by itself; seconds, since pyfcm takes no date"),
    ])

  private static let news = #"{"message":{"topic":"news"}}"#
}
