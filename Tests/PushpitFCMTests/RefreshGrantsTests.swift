import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct RefreshGrantsTests {
  /// A fixture with one user.
  static func fixture() throws -> ServiceFixture {
    let fixture = try ServiceFixture()
    try fixture.credentials.add(
      AuthorizedUser(
        clientID: "client", clientSecret: "secret", refreshToken: "1//0refresh",
        account: fixture.account))
    return fixture
  }

  private static let good =
    "grant_type=refresh_token&client_id=client&client_secret=secret&refresh_token=1//0refresh"

  @Test func `a refresh token gets an access token that sends, with scope and ID token`() throws {
    let fixture = try Self.fixture()
    let outcome = fixture.request("POST", "/token", body: Self.good)
    #expect(outcome.isAccepted)
    #expect(outcome.credential?.kind == .refreshToken)
    let json = try #require(fixture.json)
    #expect(
      json.objectValue?.members.map(\.key)
        == ["access_token", "expires_in", "scope", "token_type", "id_token"])
    #expect(json["expires_in"]?.intValue == 3599)
    let token = try #require(json["access_token"]?.stringValue)
    #expect(token.hasPrefix("ya29.a0"))
    #expect(try fixture.send(bearer: token).isAccepted)
  }

  @Test func `scopes that are asked for are those of the token`() throws {
    let fixture = try Self.fixture()
    let scope = "https://www.googleapis.com/auth/firebase"
    fixture.request("POST", "/token", body: Self.good + "&scope=\(PercentCoding.encode(scope))")
    let json = try #require(fixture.json)
    #expect(json["scope"]?.stringValue == scope)
    #expect(json["id_token"] == nil)
    let token = try #require(json["access_token"]?.stringValue)
    #expect(try fixture.send(bearer: token).reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
  }

  // Widely reported texts; the order is assumed.
  @Test(arguments: [
    (
      "grant_type=refresh_token", 400, "invalid_request",
      "Could not determine client ID from request."
    ),
    (
      "grant_type=refresh_token&client_id=x&client_secret=secret&refresh_token=1//0refresh", 401,
      "invalid_client", "The OAuth client was not found."
    ),
    (
      "grant_type=refresh_token&client_id=client&client_secret=x&refresh_token=1//0refresh", 401,
      "invalid_client", "Unauthorized"
    ),
    (
      "grant_type=refresh_token&client_id=client&client_secret=secret", 400, "invalid_request",
      "Missing required parameter: refresh_token"
    ),
    (
      "grant_type=refresh_token&client_id=client&client_secret=secret&refresh_token=x", 400,
      "invalid_grant", "Bad Request"
    ),
    (good + "&scope=nothing", 400, "invalid_scope", "Bad Request"),
  ])
  func `a refresh that is wrong is refused as reported`(
    _ body: String, _ status: Int, _ error: String, _ text: String
  ) throws {
    let fixture = try Self.fixture()
    let outcome = fixture.request("POST", "/token", body: body)
    #expect(fixture.head.status == status)
    #expect(fixture.text == #"{"error":"\#(error)","error_description":"\#(text)"}"#)
    #expect(outcome.reason == error)
    #expect(outcome.diagnosis?.code == .grantRefused)
  }

  @Test(arguments: [true, false])
  func `a revoked user is refused, and so are the tokens it got`(_ byRefreshToken: Bool) throws {
    let fixture = try Self.fixture()
    fixture.request("POST", "/token", body: Self.good)
    let token = try #require(fixture.json?["access_token"]?.stringValue)
    let revoked = byRefreshToken ? "1//0refresh" : token
    fixture.request("POST", "/revoke", body: "token=\(PercentCoding.encode(revoked))")
    #expect(fixture.text == "{}")
    #expect(try fixture.send(bearer: token).diagnosis?.code == .accessTokenRevoked)
    fixture.request("POST", "/token", body: Self.good)
    #expect(
      fixture.text
        == #"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#)
  }
}
