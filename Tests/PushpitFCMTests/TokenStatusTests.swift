import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct TokenStatusTests {
  private static let invalid = """
    {
      "error": "invalid_token",
      "error_description": "Invalid Value"
    }

    """

  @Test(arguments: ["/tokeninfo", "/oauth2/v3/tokeninfo"])
  func `tokeninfo tells of a token in texts`(_ path: String) throws {
    let fixture = try ServiceFixture()
    let token = try fixture.accessToken()
    fixture.workspaces.default.clock.offset = .seconds(600)
    let outcome = fixture.request("GET", "\(path)?access_token=\(token)")
    #expect(
      fixture.text == """
        {
          "azp": "123456789012",
          "aud": "123456789012",
          "scope": "https://www.googleapis.com/auth/firebase.messaging",
          "exp": "1790003600",
          "expires_in": "3000",
          "access_type": "online"
        }

        """)
    #expect(outcome.isAccepted && outcome.service == .oauth)
  }

  @Test func `the legacy form has numbers, and the address where the scope is there`() throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["scope"] = "https://www.googleapis.com/auth/userinfo.email"
    let token = try fixture.accessToken(claims)
    fixture.request("POST", "/oauth2/v1/tokeninfo", body: "access_token=\(token)")
    #expect(
      fixture.text == """
        {
          "issued_to": "123456789012",
          "audience": "123456789012",
          "user_id": "123456789012",
          "scope": "https://www.googleapis.com/auth/userinfo.email",
          "expires_in": 3600,
          "email": "sender@demo.iam.gserviceaccount.com",
          "verified_email": true,
          "access_type": "online"
        }

        """)
    fixture.request("GET", "/tokeninfo?access_token=\(token)")
    #expect(fixture.json?["email"]?.stringValue == ServiceFixture.email)
    #expect(fixture.json?["email_verified"]?.stringValue == "true")
  }

  @Test func `an unknown, expired, revoked or self-signed token has an invalid value`() throws {
    let fixture = try ServiceFixture()
    let signed = try fixture.sign(fixture.goodClaims)
    try fixture.send(bearer: signed)
    let revoked = try fixture.accessToken()
    fixture.request("POST", "/revoke?token=\(revoked)")
    let expired = try fixture.accessToken()
    for token in ["x", signed, revoked] {
      let outcome = fixture.request("GET", "/tokeninfo?access_token=\(token)")
      #expect(fixture.head.status == 400)
      #expect(fixture.text == Self.invalid)
      #expect(outcome.reason == "invalid_token" && outcome.diagnosis != nil)
    }
    fixture.workspaces.default.clock.offset = .seconds(3600)
    fixture.request("GET", "/tokeninfo?access_token=\(expired)")
    #expect(fixture.text == Self.invalid)
    #expect(fixture.request("GET", "/tokeninfo").reason == "invalid_request")
  }

  @Test(arguments: ["/revoke", "/o/oauth2/revoke"])
  func `a revoked access token sends no more, and is revoked once`(_ path: String) throws {
    let fixture = try ServiceFixture()
    let token = try fixture.accessToken()
    #expect(fixture.request("POST", path, body: "token=\(token)").isAccepted)
    #expect(fixture.head.status == 200 && fixture.text == "{}")
    let outcome = try fixture.send(bearer: token)
    #expect(outcome.reason == "UNAUTHENTICATED")
    #expect(outcome.diagnosis?.code == .accessTokenRevoked)
    fixture.request("POST", path, body: "token=\(token)")
    #expect(fixture.head.status == 400)
    #expect(
      fixture.text == """
        {
          "error": "invalid_token",
          "error_description": "Token expired or revoked"
        }

        """)
    #expect(fixture.request("POST", path).reason == "invalid_request")
  }

  @Test func `the lifetime is the workspace's at the time of the grant, by its clock`() throws {
    let fixture = try ServiceFixture()
    fixture.workspaces.default.fcm.accessTokenLifetime = .seconds(90)
    let token = try fixture.accessToken()
    #expect(fixture.json?["expires_in"]?.intValue == 89)
    fixture.workspaces.default.fcm.accessTokenLifetime = .seconds(3600)
    fixture.workspaces.default.clock.offset = .milliseconds(89_999)
    #expect(try fixture.send(bearer: token).isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(90)
    #expect(try fixture.send(bearer: token).reason == "ACCESS_TOKEN_EXPIRED")
  }
}
