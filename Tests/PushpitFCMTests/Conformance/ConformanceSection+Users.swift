import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let reported = ConformanceEvidence.seen("many reports; not measured")
  private static let good =
    "grant_type=refresh_token&client_id=client&client_secret=secret&refresh_token=1//0refresh"

  private static let gone = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": "invalid_token",
      "error_description": "Token expired or revoked"
    }

    """#)
  private static let unknownToken = ExpectedAnswer.json(
    400,
    #"""
    {
      "error": "invalid_token",
      "error_description": "Invalid Value"
    }

    """#)

  static let users = ConformanceSection(
    title: "Access tokens for users, `tokeninfo` and `revoke`",
    rules: [
      ConformanceRule(
        "a refresh token",
        .json(
          200,
          #"{"access_token":"ya29.a0‹213 letters›","expires_in":3599,"scope":"https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/userinfo.email openid","token_type":"Bearer","id_token":"‹letters›"}"#
        ),
        .library("google-auth reads these members"),
        note: "the scopes are those of gcloud's login; that the answer is in one line is assumed"
      ) { try $0.refresh(good) },
      ConformanceRule(
        "a refresh without client",
        .json(
          400,
          #"{"error":"invalid_request","error_description":"Could not determine client ID from request."}"#
        ),
        reported
      ) { try $0.refresh("grant_type=refresh_token") },
      ConformanceRule(
        "a refresh by an unknown client",
        .json(
          401,
          #"{"error":"invalid_client","error_description":"The OAuth client was not found."}"#),
        reported
      ) {
        try $0.refresh(
          "grant_type=refresh_token&client_id=x&client_secret=secret&refresh_token=1//0refresh")
      },
      ConformanceRule(
        "a refresh with another client secret",
        .json(
          401,
          #"{"error":"invalid_client","error_description":"Unauthorized"}"#),
        reported
      ) {
        try $0.refresh(
          "grant_type=refresh_token&client_id=client&client_secret=x&refresh_token=1//0refresh")
      },
      ConformanceRule(
        "a refresh without token",
        .json(
          400,
          #"{"error":"invalid_request","error_description":"Missing required parameter: refresh_token"}"#
        ),
        reported
      ) { try $0.refresh("grant_type=refresh_token&client_id=client&client_secret=secret") },
      ConformanceRule(
        "a refresh token of nobody",
        .json(
          400,
          #"{"error":"invalid_grant","error_description":"Bad Request"}"#),
        reported
      ) {
        try $0.refresh(
          "grant_type=refresh_token&client_id=client&client_secret=secret&refresh_token=x")
      },
      ConformanceRule(
        "a refresh token that was taken back",
        .json(
          400,
          #"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#),
        reported
      ) { fixture in
        _ = try fixture.refresh(good)
        fixture.request("POST", "/revoke", body: "token=1//0refresh")
        return fixture.request("POST", "/token", body: good)
      },
      ConformanceRule(
        "a refresh for a scope that the user did not consent to",
        .json(
          400,
          #"{"error":"invalid_scope","error_description":"Bad Request"}"#),
        .library("google-auth names this answer")
      ) { try $0.refresh(good + "&scope=nothing") },
      ConformanceRule(
        "`tokeninfo` of an access token, a second after its grant",
        .json(
          200,
          #"""
          {
            "azp": "123456789012",
            "aud": "123456789012",
            "scope": "https://www.googleapis.com/auth/firebase.messaging",
            "exp": "1790003600",
            "expires_in": "3599",
            "access_type": "online"
          }

          """#),
        .documented("OAuth 2.0: all values are texts"),
        note: "Google names the account's client ID, which is its project's number here"
      ) { fixture in
        let token = try fixture.accessToken()
        fixture.time.now = fixture.time.now + .seconds(1)
        return fixture.request("GET", "/tokeninfo?access_token=\(token)")
      },
      ConformanceRule("`tokeninfo` of a token of nobody", unknownToken, reported) {
        $0.request("GET", "/tokeninfo?access_token=x")
      },
      ConformanceRule(
        "`tokeninfo` without a token",
        .json(
          400,
          #"""
          {
            "error": "invalid_request",
            "error_description": "either access_token, id_token, or token_handle required"
          }

          """#),
        reported
      ) { $0.request("GET", "/tokeninfo") },
      ConformanceRule(
        "`revoke` of an access token", .json(200, #"{}"#), .documented("OAuth 2.0: 200"),
        note: "the body was not captured"
      ) { $0.request("POST", "/revoke", body: "token=\(try $0.accessToken())") },
      ConformanceRule("`revoke` of a token of nobody", gone, reported) {
        $0.request("POST", "/revoke", body: "token=x")
      },
    ])
}

extension ServiceFixture {
  /// Asks for an access token as the one user there is.
  fileprivate func refresh(_ form: String) throws -> PushOutcome {
    try credentials.add(
      AuthorizedUser(
        clientID: "client", clientSecret: "secret", refreshToken: "1//0refresh", account: account))
    return request("POST", "/token", body: form)
  }
}
