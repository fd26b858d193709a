import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("token endpoint, 2 September 2026")

  private static let granted = ExpectedAnswer.json(
    200, #"{"access_token":"ya29.c.‹993 letters›","expires_in":3599,"token_type":"Bearer"}"#)
  private static let badRequest = ExpectedAnswer.json(
    400, #"{"error":"invalid_request","error_description":"Bad Request"}"#)
  private static let badSignature = ExpectedAnswer.json(
    400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#)
  private static let notFound = ExpectedAnswer.json(
    400, #"{"error":"invalid_grant","error_description":"Invalid grant: account not found"}"#)
  private static let badTimes = ExpectedAnswer.json(
    400,
    #"{"error":"invalid_grant","error_description":"Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."}"#
  )
  private static let badScope = ExpectedAnswer.json(
    400,
    #"{"error":"invalid_scope","error_description":"Invalid OAuth scope or ID token audience provided."}"#
  )
  private static let badAudience = ExpectedAnswer.json(
    400,
    #"{"error":"invalid_grant","error_description":"Invalid JWT: Failed audience check."}"#)
  private static let identityToken = ExpectedAnswer.json(200, #"{"id_token":"‹letters›"}"#)

  static let accessTokens = ConformanceSection(
    title: "Access tokens for service accounts: `POST /token`",
    rules: [
      ConformanceRule(
        "a good assertion", granted, measured,
        note: "that the answers are in one line is assumed: the measurement keeps their texts"
      ) { try $0.grant() },
      ConformanceRule(
        "another `grant_type`",
        .json(
          400,
          #"{"error":"unsupported_grant_type","error_description":"Invalid grant_type: password"}"#),
        measured
      ) { $0.grant(assertion: try $0.sign($0.goodClaims), type: "password") },
      ConformanceRule(
        "no `grant_type`",
        .json(
          400, #"{"error":"unsupported_grant_type","error_description":"Invalid grant_type: "}"#),
        measured
      ) { $0.request("POST", "/token", body: "assertion=e30.e30.x") },
      ConformanceRule("no `assertion`", badRequest, measured) {
        $0.request(
          "POST", "/token", body: "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer")
      },
      ConformanceRule("an empty assertion", badRequest, measured) { $0.grant(assertion: "") },
      ConformanceRule("an assertion of two parts", badRequest, measured) {
        $0.grant(assertion: "e30.e30")
      },
      ConformanceRule("an assertion of four parts", badRequest, measured) {
        $0.grant(assertion: try $0.sign($0.goodClaims) + ".x")
      },
      ConformanceRule("an assertion that is no base64", badRequest, measured) {
        $0.grant(assertion: "!!.e30.e30")
      },
      ConformanceRule("an assertion whose claims are no JSON object", badRequest, measured) {
        $0.grant(assertion: "e30.W10.e30")
      },
      ConformanceRule("a signature by another key", badSignature, measured) {
        $0.grant(assertion: try $0.sign($0.goodClaims, with: $0.keys.other))
      },
      ConformanceRule("an assertion with `alg` HS256", badSignature, measured) {
        $0.grant(assertion: try $0.sign($0.goodClaims, header: ["alg": "HS256", "kid": "k1"]))
      },
      ConformanceRule("an assertion with `alg` none", badSignature, measured) {
        $0.grant(assertion: try $0.sign($0.goodClaims, header: ["alg": "none", "kid": "k1"]))
      },
      ConformanceRule("an assertion without `alg`", badSignature, measured) {
        $0.grant(assertion: try $0.sign($0.goodClaims, header: ["kid": "k1"]))
      },
      ConformanceRule("an `iss` that is no account", notFound, measured) {
        try $0.grant { $0["iss"] = "nobody@demo.iam.gserviceaccount.com" }
      },
      ConformanceRule("no `iss`", notFound, measured) { try $0.grant { $0["iss"] = nil } },
      ConformanceRule(
        "no `iat`",
        .json(
          400,
          #"{"error":"invalid_grant","error_description":"Invalid JWT: iat (issued at) is not set."}"#
        ),
        measured
      ) { try $0.grant { $0["iat"] = nil } },
      ConformanceRule(
        "no `exp`",
        .json(
          400,
          #"{"error":"invalid_grant","error_description":"Invalid JWT: exp (expiration time) is not set."}"#
        ),
        measured
      ) { try $0.grant { $0["exp"] = nil } },
      ConformanceRule("an assertion that has expired", badTimes, measured) { fixture in
        try fixture.grant {
          $0["iat"] = .int(fixture.time.now.seconds - 3601)
          $0["exp"] = .int(fixture.time.now.seconds - 1)
        }
      },
      ConformanceRule("an assertion for more than an hour", badTimes, measured) { fixture in
        try fixture.grant { $0["exp"] = .int(fixture.time.now.seconds + 3601) }
      },
      ConformanceRule(
        "an `iat` ten minutes ahead", badTimes, measured,
        note: "a minute is let pass; Google's tolerance was not measured"
      ) { fixture in
        try fixture.grant {
          $0["iat"] = .int(fixture.time.now.seconds + 600)
          $0["exp"] = .int(fixture.time.now.seconds + 1200)
        }
      },
      ConformanceRule("`iat` and `exp` as strings of digits", granted, measured) { fixture in
        try fixture.grant {
          $0["iat"] = .string("\(fixture.time.now.seconds)")
          $0["exp"] = .string("\(fixture.time.now.seconds + 3600)")
        }
      },
      ConformanceRule("an empty `scope`", badScope, measured) {
        try $0.grant { $0["scope"] = "" }
      },
      ConformanceRule("no `scope`", badScope, .assumed("nothing else can be meant by it")) {
        try $0.grant { $0["scope"] = nil }
      },
      ConformanceRule(
        "a scope that Google does not know", identityToken, measured,
        note: "with the warning `scope-unknown` on the envelope"
      ) { try $0.grant { $0["scope"] = "https://www.googleapis.com/auth/firebase.mesaging" } },
      ConformanceRule("a known scope and an unknown one", identityToken, measured) {
        try $0.grant { $0["scope"] = .string(ServiceFixture.messagingScope + " x") }
      },
      ConformanceRule(
        "another `aud`", badAudience, measured,
        note: "the text of 2026; it named the right audience before"
      ) { try $0.grant { $0["aud"] = "https://example.com/token" } },
      ConformanceRule("no `aud`", badAudience, measured) { try $0.grant { $0["aud"] = nil } },
      ConformanceRule(
        "the old URL as `aud`, at the old path", granted,
        .library("gtoken of Node sent it for years")
      ) { fixture in
        var claims = fixture.goodClaims
        claims["aud"] = "https://www.googleapis.com/oauth2/v4/token"
        return fixture.grant(assertion: try fixture.sign(claims), path: "/oauth2/v4/token")
      },
      ConformanceRule(
        "the gateway's own URL as `aud`", granted,
        .library("x/oauth2 of Go signs the `token_uri` of the account's file"),
        note: "Google knows only its own; a sender is pointed here by that file"
      ) { try $0.grant { $0["aud"] = "https://localhost:2197/token" } },
      ConformanceRule(
        "a `sub` that has not delegated",
        .json(
          401,
          #"{"error":"unauthorized_client","error_description":"Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested."}"#
        ),
        .seen("many reports say 401; not measured")
      ) { try $0.grant { $0["sub"] = "somebody@example.com" } },
      ConformanceRule(
        "of two faults the earlier is answered: form, signature, `iss`, `iat`, `exp`, times, `scope`, `aud`",
        measured, file: "Tests/PushpitFCMTests/TokenGrantsTests.swift",
        test: "of two faults the earlier of Google's order is answered"),
      ConformanceRule(
        "a failure of Google's own", of: .grantRefused(.internalFailure),
        .json(500, #"{"error":"internal_failure","error_description":"Backend Error"}"#),
        .library("google-auth asks again after it"),
        note: "never by itself; of the 5xx, 500 is assumed"),
    ])
}

extension ServiceFixture {
  /// Asks for an access token with a good assertion of which claims were changed.
  fileprivate func grant(_ change: (inout JSONObject) -> Void) throws -> PushOutcome {
    var claims = goodClaims
    change(&claims)
    return try grant(claims)
  }
}
