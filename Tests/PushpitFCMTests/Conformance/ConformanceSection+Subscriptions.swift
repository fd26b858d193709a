import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let reference = ConformanceEvidence.documented(
    "projects.registrations.topicSubscriptions, and the discovery document fcm.v1, 2026")
  private static let text = "the text was not captured: it is the common one of the status"

  private static let subscription = ExpectedAnswer.json(
    200,
    #"""
    {
      "name": "projects/demo/registrations/\#(ServiceFixture.androidToken)/topicSubscriptions/news",
      "topicName": "news",
      "createTime": "2026-09-21T14:13:20Z"
    }

    """#)
  private static let empty = ExpectedAnswer.json(
    200,
    #"""
    {}

    """#)
  private static let notSubscribed = ExpectedAnswer.json(
    404,
    #"""
    {
      "error": {
        "code": 404,
        "message": "Requested entity was not found.",
        "status": "NOT_FOUND"
      }
    }

    """#)

  static let subscriptions = ConformanceSection(
    title: "Topics: `/v1/projects/{project}/registrations/{registration}/topicSubscriptions`",
    rules: [
      ConformanceRule("`POST` with `topicName`", subscription, reference) {
        try $0.subscriptions("POST", "?topicName=news", body: "{}")
      },
      ConformanceRule(
        "`POST` with `topic_name`", subscription, .library("firebase-admin 7.7, async-firebase 6.4")
      ) { try $0.subscriptions("POST", "?topic_name=news", body: "{}") },
      ConformanceRule(
        "a second `POST`",
        .json(
          409,
          #"""
          {
            "error": {
              "code": 409,
              "message": "Requested entity already exists",
              "status": "ALREADY_EXISTS"
            }
          }

          """#),
        reference, note: text
      ) { fixture in
        try fixture.subscriptions("POST", "?topicName=news")
        return try fixture.subscriptions("POST", "?topicName=news")
      },
      ConformanceRule(
        "`POST` of a name with other characters",
        .json(
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
                      "field": "topic_name",
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

          """#),
        .assumed("the sentence of a send, under the field's name")
      ) { try $0.subscriptions("POST", "?topicName=a%20b") },
      ConformanceRule(
        "`POST` for a text that is no token",
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
                      "field": "parent",
                      "description": "The registration token is not a valid FCM registration token"
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .assumed("the sentence of a send, under the resource's name")
      ) { try $0.subscriptions("POST", "?topicName=news", of: "nonsense") },
      ConformanceRule(
        "`POST` for the token of an uninstalled app",
        .json(
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

          """#),
        .assumed("as a send")
      ) { fixture in
        fixture.register().state = .unregistered(since: fixture.time.now)
        return try fixture.subscriptions("POST", "?topicName=news")
      },
      ConformanceRule(
        "`POST` without a credential",
        .json(
          401,
          #"""
          {
            "error": {
              "code": 401,
              "message": "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
              "status": "UNAUTHENTICATED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "CREDENTIALS_MISSING",
                  "domain": "googleapis.com",
                  "metadata": {
                    "method": "google.firebase.fcm.v1.FcmService.CreateTopicSubscription",
                    "service": "fcm.googleapis.com"
                  }
                }
              ]
            }
          }

          """#,
          [#"www-authenticate: Bearer realm="https://accounts.google.com/""#]),
        .assumed("as a send, by the name that Google's rules for resource methods give")
      ) {
        $0.request("POST", "/v1/projects/demo/registrations/x/topicSubscriptions?topicName=news")
      },
      ConformanceRule("`GET` of a subscription", subscription, reference) { fixture in
        try fixture.subscriptions("POST", "?topicName=news")
        return try fixture.subscriptions("GET", "/news")
      },
      ConformanceRule(
        "`GET` of one that is not there", notSubscribed, reference,
        note: "without an FcmError, since SDKs would take the token for dead"
      ) { try $0.subscriptions("GET", "/news") },
      ConformanceRule(
        "`GET` of all, a page of one",
        .json(
          200,
          #"""
          {
            "topicSubscriptions": [
              {
                "name": "projects/demo/registrations/\#(ServiceFixture.androidToken)/topicSubscriptions/a",
                "topicName": "a",
                "createTime": "2026-09-21T14:13:20Z"
              }
            ],
            "nextPageToken": "‹letters›"
          }

          """#),
        reference
      ) { fixture in
        for name in ["b", "a"] { try fixture.subscriptions("POST", "?topicName=\(name)") }
        return try fixture.subscriptions("GET", "?pageSize=1")
      },
      ConformanceRule("`GET` of all where there are none", empty, reference) {
        try $0.subscriptions("GET")
      },
      ConformanceRule(
        "`GET` with a page size that is no number",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid value at 'page_size' (TYPE_INT32), \"x\"",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "page_size",
                      "description": "Invalid value at 'page_size' (TYPE_INT32), \"x\""
                    }
                  ]
                }
              ]
            }
          }

          """#),
        .assumed("the front end reads the query as it reads the body")
      ) { try $0.subscriptions("GET", "?pageSize=x") },
      ConformanceRule("`DELETE`", empty, reference) { fixture in
        try fixture.subscriptions("POST", "?topicName=news")
        return try fixture.subscriptions("DELETE", "/news")
      },
      ConformanceRule("`DELETE` of one that is not there", notSubscribed, reference, note: text) {
        try $0.subscriptions("DELETE", "/news")
      },
      ConformanceRule(
        "the same with `allow_missing=true`", empty,
        .library("firebase-admin 7.7, async-firebase 6.4")
      ) { try $0.subscriptions("DELETE", "/news?allow_missing=true") },
      ConformanceRule("`PATCH` of one that is not there", notSubscribed, reference, note: text) {
        try $0.subscriptions("PATCH", "/news", body: "{}")
      },
      ConformanceRule("`PATCH` with `allowMissing=true`", subscription, reference) {
        try $0.subscriptions("PATCH", "/news?allowMissing=true", body: "{}")
      },
      ConformanceRule(
        "more topics than a token may have",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Resource has been exhausted (e.g. check quota).",
              "status": "RESOURCE_EXHAUSTED"
            }
          }

          """#),
        .documented("Manage topics: 2,000 for each app instance"),
        note: "the answer was not captured"
      ) { fixture in
        fixture.workspaces.default.topics = TopicDirectory(topicLimit: 0)
        return try fixture.subscriptions("POST", "?topicName=news")
      },
    ])
}
