import PushpitCrypto
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct SenderAuthenticationTests {
  private static let expectation =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. See "
    + "https://developers.google.com/identity/sign-in/web/devconsole-project."

  private static let info = """
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          "reason": "%",
          "domain": "googleapis.com",
          "metadata": {
            "method": "google.firebase.fcm.v1.FcmService.SendMessage",
            "service": "fcm.googleapis.com"
          }
        }
    """

  private static func body(
    _ code: Int, _ status: String, _ message: String, reason: String? = nil
  ) -> String {
    guard let reason else {
      return """
        {
          "error": {
            "code": \(code),
            "message": "\(message)",
            "status": "\(status)"
          }
        }

        """
    }
    let detail = info.split(separator: "%").joined(separator: reason)
    return """
      {
        "error": {
          "code": \(code),
          "message": "\(message)",
          "status": "\(status)",
          "details": [
      \(detail.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
          ]
        }
      }

      """
  }

  private static let message = #"{"message":{"topic":"news"}}"#
  private static let path = "/v1/projects/demo/messages:send"

  @Test func `no credential is answered as captured, before the body is read`() throws {
    let fixture = try ServiceFixture()
    for body in [Self.message, "{"] {
      let outcome = fixture.request("POST", Self.path, body: body)
      #expect(fixture.head.status == 401)
      #expect(
        fixture.text
          == Self.body(
            401, "UNAUTHENTICATED",
            "Request is missing required authentication credential. " + Self.expectation,
            reason: "CREDENTIALS_MISSING"))
      #expect(
        fixture.head.fields.text("www-authenticate")
          == #"Bearer realm="https://accounts.google.com/""#)
      #expect(outcome.reason == "CREDENTIALS_MISSING")
      #expect(outcome.googleStatus == "UNAUTHENTICATED")
    }
  }

  @Test(arguments: ["key=AAAA", "Basic eDp5", "Bearer", "Bearer "])
  func `an Authorization that is no bearer is no credential`(_ value: String) throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request(
      "POST", Self.path, fields: ["authorization": value], body: Self.message)
    #expect(outcome.reason == "CREDENTIALS_MISSING")
  }

  @Test func `an unknown bearer is answered without details, as captured`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(Self.message, bearer: "ya29.unknown")
    #expect(
      fixture.text
        == Self.body(
          401, "UNAUTHENTICATED",
          "Request had invalid authentication credentials. " + Self.expectation))
    #expect(
      fixture.head.fields.text("www-authenticate")
        == #"Bearer realm="https://accounts.google.com/", error="invalid_token""#)
    #expect(outcome.reason == "UNAUTHENTICATED")
    #expect(outcome.credential?.kind == .unreadable)
    #expect(outcome.diagnosis?.code.rawValue == "credential-unknown")
  }

  @Test func `an access token expires by the clock of its workspace, answered as captured`() throws
  {
    let fixture = try ServiceFixture()
    let bearer = try fixture.accessToken()
    fixture.workspaces.default.clock.offset = .seconds(3599)
    #expect(try fixture.send(Self.message, bearer: bearer).isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(3600)
    let outcome = try fixture.send(Self.message, bearer: bearer)
    #expect(
      fixture.text
        == Self.body(
          401, "UNAUTHENTICATED",
          "Request had invalid authentication credentials. " + Self.expectation,
          reason: "ACCESS_TOKEN_EXPIRED"))
    #expect(outcome.diagnosis?.code.rawValue == "access-token-expired")
    #expect(try fixture.send(Self.message).isAccepted)
  }

  @Test func `a token for other scopes is refused with ACCESS_TOKEN_SCOPE_INSUFFICIENT`() throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["scope"] = "https://www.googleapis.com/auth/firebase"
    let outcome = try fixture.send(Self.message, bearer: try fixture.accessToken(claims))
    #expect(
      fixture.text
        == Self.body(
          403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.",
          reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT"))
    #expect(fixture.head.fields.text("www-authenticate") == nil)
    #expect(outcome.reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
  }

  @Test func `another project is denied by IAM, seen in the wild`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(Self.message, project: "other")
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 403,
            "message": "Permission 'cloudmessaging.messages.create' denied on resource \
        '//cloudresourcemanager.googleapis.com/projects/other' (or it may not exist).",
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

        """)
    #expect(outcome.reason == "IAM_PERMISSION_DENIED")
    #expect(outcome.diagnosis?.code == .projectNotOfServiceAccount)
  }

  @Test func `an account without the role is denied in its own project`() throws {
    let fixture = try ServiceFixture(mayPush: false)
    let outcome = try fixture.send(Self.message)
    #expect(outcome.reason == "IAM_PERMISSION_DENIED")
    #expect(outcome.diagnosis?.code == .serviceAccountWithoutRole)
  }

  @Test func `the project may be named by its number, and the answer repeats it`() throws {
    let fixture = try ServiceFixture()
    #expect(try fixture.send(Self.message, project: "123456789012").isAccepted)
    #expect(
      fixture.json?["name"]?.stringValue?.hasPrefix("projects/123456789012/messages/") == true)
  }

  @Test(arguments: ["access_token", "oauth_token"])
  func `the token may come as a query parameter`(_ name: String) throws {
    let fixture = try ServiceFixture()
    let bearer = try fixture.accessToken()
    let outcome = fixture.request(
      "POST", "\(Self.path)?\(name)=\(bearer)", body: Self.message)
    #expect(outcome.isAccepted)
    #expect(outcome.credential?.kind == .accessToken)
    #expect(outcome.credential?.serviceAccount == ServiceFixture.email)
  }

  @Test func `one access token has one CredentialFacts, made when it was granted`() throws {
    let fixture = try ServiceFixture()
    let bearer = try fixture.accessToken()
    let first = try fixture.send(Self.message, bearer: bearer).credential
    let second = try fixture.send(Self.message, bearer: bearer).credential
    #expect(first === second)
    #expect(first?.fingerprint == SHA256.hex(Array(bearer.utf8)))
  }

  @Test func `the table of access tokens forgets the first when it is full`() throws {
    let tokens = AccessTokens(random: RandomSource(seed: 1), limit: 2) { _ in false }
    let account = try ServiceFixture().account
    let now = Timestamp(milliseconds: 0)
    let granted = (0..<3).map { _ in
      tokens.grant(to: account, scopes: [], now: now, lifetime: .seconds(60)).text
    }
    #expect(granted.map { tokens.token(Array($0.utf8)) != nil } == [false, true, true])
  }

  @Test func `an expired token makes room before one that can still be used`() throws {
    var now = Timestamp(milliseconds: 0)
    let tokens = AccessTokens(random: RandomSource(seed: 1), limit: 3) { $0.expiresAt <= now }
    let account = try ServiceFixture().account
    func grant(_ seconds: Int) -> [UInt8] {
      Array(
        tokens.grant(to: account, scopes: [], now: now, lifetime: .seconds(seconds)).text.utf8)
    }
    let granted = [60, 10, 60].map(grant)
    now = now + .seconds(10)
    let next = grant(60)
    #expect((granted + [next]).map { tokens.token($0) != nil } == [true, false, true, true])
    // None has expired: the oldest goes, as ever.
    let last = grant(60)
    #expect(
      (granted + [next, last]).map { tokens.token($0) != nil }
        == [false, false, true, true, true])
  }

  @Test func `a bearer that nobody knows is not said to be none that was granted`() throws {
    let diagnosis = try ServiceFixture().send(Self.message, bearer: "ya29.c.x").diagnosis
    #expect(diagnosis?.what == "the bearer is no access token that this gateway knows")
    #expect(diagnosis?.fix.contains("over 10000 more") == true)
  }

  /// google-auth with `always_use_jwt_access`.
  @Test func `a bearer that the account signed itself sends, with a scope or FCM's audience`()
    throws
  {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["sub"] = .string(ServiceFixture.email)
    claims["aud"] = nil
    let outcome = try fixture.send(Self.message, bearer: fixture.sign(claims))
    #expect(outcome.isAccepted)
    #expect(outcome.credential?.kind == .selfSignedToken)
    claims["scope"] = nil
    claims["aud"] = "https://fcm.googleapis.com/"
    #expect(try fixture.send(Self.message, bearer: fixture.sign(claims)).isAccepted)
    claims["aud"] = "https://example.com/"
    #expect(
      try fixture.send(Self.message, bearer: fixture.sign(claims)).reason
        == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
  }

  @Test func `a self-signed bearer of a wrong key is invalid, one of nobody is another kind`()
    throws
  {
    let fixture = try ServiceFixture()
    let forged = try fixture.sign(fixture.goodClaims, with: fixture.keys.other)
    #expect(try fixture.send(Self.message, bearer: forged).reason == "UNAUTHENTICATED")
    let identity = try fixture.sign(
      JSONObject(["iss": "https://accounts.google.com"]), header: ["alg": "RS256", "kid": "g"])
    #expect(
      try fixture.send(Self.message, bearer: identity).reason == "ACCESS_TOKEN_TYPE_UNSUPPORTED")
  }

  // Seen in the wild; google.api.ErrorReason lists the reason.
  @Test(arguments: [
    ("AIzaSyA0000000000000000000000000000000000", "an API key"),
    ("AAAAabcdefg:APA91b" + String(repeating: "x", count: 134), "a server key"),
  ])
  func `an API key as bearer is a token of another type`(_ key: String, _ words: String) throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(Self.message, bearer: key)
    #expect(
      fixture.text
        == Self.body(
          401, "UNAUTHENTICATED",
          "Request had invalid authentication credentials. " + Self.expectation,
          reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED"))
    #expect(outcome.diagnosis?.code.rawValue == "api-key-as-bearer")
    #expect(outcome.diagnosis?.what.contains(words) == true)
  }

  @Test func `the workspace is the bearer's, else the path's project's, else the token's`() throws {
    let fixture = try ServiceFixture()
    let other = WorkspaceID("other")
    try fixture.credentials.add(
      ServiceAccount(
        projectID: "second", projectNumber: "2", clientEmail: "s@second", privateKeyID: "k2",
        publicKey: fixture.keys.other.spki, workspace: other))
    #expect(try fixture.send(Self.message, project: "second").workspace == .default)
    #expect(try fixture.send(Self.message, project: "second", bearer: "x").workspace == other)
    fixture.register(workspace: other)
    let message = #"{"message":{"token":"\#(ServiceFixture.androidToken)"}}"#
    #expect(try fixture.send(message, project: "nowhere", bearer: "x").workspace == other)
    #expect(try fixture.send(Self.message, project: "nowhere", bearer: "x").workspace == .default)
  }
}
