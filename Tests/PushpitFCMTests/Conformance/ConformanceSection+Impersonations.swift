import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let likeSends = ConformanceEvidence.assumed(
    "as a send's, with the method and the host of IAM's credentials API")

  static let impersonations = ConformanceSection(
    title:
      "The caller's credential: `POST /v1/projects/-/serviceAccounts/{email}:generateAccessToken`",
    rules: [
      ConformanceRule(
        "no credential for an access token in a service account's name",
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
                    "method": "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
                    "service": "iamcredentials.googleapis.com"
                  }
                }
              ]
            }
          }

          """#, [#"www-authenticate: Bearer realm="https://accounts.google.com/""#]), likeSends
      ) {
        $0.request("POST", "/v1/projects/-/serviceAccounts/a@b:generateAccessToken", body: "{}")
      },
      ConformanceRule(
        "a caller's access token after its hour",
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
                    "method": "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
                    "service": "iamcredentials.googleapis.com"
                  }
                }
              ]
            }
          }

          """#,
          [#"www-authenticate: Bearer realm="https://accounts.google.com/", error="invalid_token""#]
        ), likeSends
      ) { fixture in
        let token = try fixture.accessToken()
        fixture.workspaces.default.clock.offset = .seconds(3600)
        return try fixture.impersonate(ServiceFixture.email, bearer: token)
      },
      ConformanceRule(
        "an ID token for an access token in a service account's name",
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
                  "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED",
                  "domain": "googleapis.com",
                  "metadata": {
                    "method": "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
                    "service": "iamcredentials.googleapis.com"
                  }
                }
              ]
            }
          }

          """#,
          [#"www-authenticate: Bearer realm="https://accounts.google.com/", error="invalid_token""#]
        ), likeSends
      ) { fixture in
        let token = try fixture.sign(
          JSONObject(["iss": "https://accounts.google.com", "aud": "demo"]),
          header: ["alg": "RS256", "kid": "google"], with: fixture.keys.other)
        return try fixture.impersonate(ServiceFixture.email, bearer: token)
      },
      ConformanceRule(
        "a caller's access token for messages only",
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
                    "method": "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
                    "service": "iamcredentials.googleapis.com"
                  }
                }
              ]
            }
          }

          """#), likeSends
      ) { try $0.impersonate(ServiceFixture.email, bearer: $0.accessToken()) },
    ])
}
