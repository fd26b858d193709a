import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let path = "/v1/projects/demo/messages:send"
  private static let body = #"{"message":{"topic":"news"}}"#
  private static let realm = #"www-authenticate: Bearer realm="https://accounts.google.com/""#
  private static let invalidToken = realm + #", error="invalid_token""#
  private static let frontEnd = ConformanceEvidence.measured(
    "API front end, September 2026; captured at FCM before")

  private static let missing = ExpectedAnswer.json(
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
              "method": "google.firebase.fcm.v1.FcmService.SendMessage",
              "service": "fcm.googleapis.com"
            }
          }
        ]
      }
    }

    """#, [realm])
  private static let invalid = ExpectedAnswer.json(
    401,
    #"""
    {
      "error": {
        "code": 401,
        "message": "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        "status": "UNAUTHENTICATED"
      }
    }

    """#, [invalidToken])
  private static let otherKind = ExpectedAnswer.json(
    401,
    #"""
    {
      "error": {
        "code": 401,
        "message": "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        "status": "UNAUTHENTICATED",
        "details": [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED",
            "domain": "googleapis.com",
            "metadata": {
              "method": "google.firebase.fcm.v1.FcmService.SendMessage",
              "service": "fcm.googleapis.com"
            }
          }
        ]
      }
    }

    """#, [invalidToken])

  static let bearers = ConformanceSection(
    title: "The sender's credential: `POST /v1/projects/{project}/messages:send`",
    rules: [
      ConformanceRule("no credential", missing, frontEnd) { $0.request("POST", path, body: body) },
      ConformanceRule("no credential and a body that is no JSON", missing, frontEnd) {
        $0.request("POST", path, body: "{")
      },
      ConformanceRule(
        "an Authorization of another scheme", missing,
        .assumed("it is no OAuth credential; legacy senders write `key=`")
      ) { $0.request("POST", path, fields: ["authorization": "key=AAAA"], body: body) },
      ConformanceRule("a bearer of nobody", invalid, frontEnd) {
        try $0.send(body, bearer: "ya29.unknown")
      },
      ConformanceRule("a bearer that its owner took back", invalid, .assumed("it is nobody's now"))
      {
        fixture in
        let token = try fixture.accessToken()
        fixture.request("POST", "/revoke", body: "token=\(token)")
        return try fixture.send(body, bearer: token)
      },
      ConformanceRule(
        "an access token after its hour",
        .json(
          401,
          #"""
          {
            "error": {
              "code": 401,
              "message": "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
              "status": "UNAUTHENTICATED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "ACCESS_TOKEN_EXPIRED",
                  "domain": "googleapis.com",
                  "metadata": {
                    "method": "google.firebase.fcm.v1.FcmService.SendMessage",
                    "service": "fcm.googleapis.com"
                  }
                }
              ]
            }
          }

          """#, [invalidToken]),
        .captured("FCM, in a public project; pyfcm looks for this reason")
      ) { fixture in
        let token = try fixture.accessToken()
        fixture.workspaces.default.clock.offset = .seconds(3600)
        return try fixture.send(body, bearer: token)
      },
      ConformanceRule(
        "an ID token", otherKind, .seen("google.api.ErrorReason lists the reason")
      ) { fixture in
        let token = try fixture.sign(
          JSONObject(["iss": "https://accounts.google.com", "aud": "demo"]),
          header: ["alg": "RS256", "kid": "google"], with: fixture.keys.other)
        return try fixture.send(body, bearer: token)
      },
      ConformanceRule(
        "an API key", otherKind, .seen("google.api.ErrorReason lists the reason")
      ) { try $0.send(body, bearer: "AIzaSyA0000000000000000000000000000000000") },
      ConformanceRule(
        "a server key of the legacy API", otherKind, .assumed("it is a key and no token")
      ) {
        try $0.send(body, bearer: "AAAAabcdefg:APA91b" + String(repeating: "x", count: 134))
      },
      ConformanceRule(
        "an access token without a scope of FCM's",
        .json(
          403,
          #"""
          {
            "error": {
              "code": 403,
              "message": "Request had insufficient authentication scopes.",
              "status": "PERMISSION_DENIED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
                  "domain": "googleapis.com",
                  "metadata": {
                    "method": "google.firebase.fcm.v1.FcmService.SendMessage",
                    "service": "fcm.googleapis.com"
                  }
                }
              ]
            }
          }

          """#),
        .seen("google.api.ErrorReason lists the reason, many Google APIs have the text")
      ) { fixture in
        var claims = fixture.goodClaims
        claims["scope"] = "https://www.googleapis.com/auth/firebase"
        return try fixture.send(body, bearer: fixture.accessToken(claims))
      },
      ConformanceRule(
        "an access token with only cloud-platform", .toTopic,
        .documented("discovery document fcm.v1, 23 October 2026")
      ) { fixture in
        var claims = fixture.goodClaims
        claims["scope"] = "https://www.googleapis.com/auth/cloud-platform"
        return try fixture.send(body, bearer: fixture.accessToken(claims))
      },
      ConformanceRule(
        "a bearer that the account signed itself, with a scope", .toTopic,
        .library("google-auth with always_use_jwt_access")
      ) { fixture in
        var claims = fixture.goodClaims
        claims["aud"] = nil
        return try fixture.send(body, bearer: fixture.sign(claims))
      },
      ConformanceRule(
        "a bearer that the account signed itself, for FCM", .toTopic,
        .library("google-auth with always_use_jwt_access")
      ) { fixture in
        var claims = fixture.goodClaims
        (claims["scope"], claims["aud"]) = (nil, "https://fcm.googleapis.com/")
        return try fixture.send(body, bearer: fixture.sign(claims))
      },
      ConformanceRule(
        "the access token as `access_token` of the query", .toTopic,
        .documented("discovery document fcm.v1, 23 October 2026")
      ) { try $0.request("POST", path + "?access_token=\($0.accessToken())", body: body) },
      ConformanceRule(
        "the access token as `oauth_token` of the query", .toTopic,
        .documented("discovery document fcm.v1, 23 October 2026")
      ) { try $0.request("POST", path + "?oauth_token=\($0.accessToken())", body: body) },
    ])
}

extension ExpectedAnswer {
  /// A message to a topic, sent or only validated.
  static let toTopic = ExpectedAnswer.json(
    200,
    #"""
    {
      "name": "projects/demo/messages/‹19 digits›"
    }

    """#)
}
