import PushpitCrypto
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// One way to spoil an assertion; the cases are in Google's order of checks (measured 2026-09-02).
enum AssertionFault: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case signature, issuer, issuedAtAbsent, expirationAbsent, timeframe, scopeEmpty, audience

  var testDescription: String { rawValue }

  /// The `error` and `error_description` of the answer.
  var answer: (error: String, description: String) {
    switch self {
    case .signature: ("invalid_grant", "Invalid JWT Signature.")
    case .issuer: ("invalid_grant", "Invalid grant: account not found")
    case .issuedAtAbsent: ("invalid_grant", "Invalid JWT: iat (issued at) is not set.")
    case .expirationAbsent: ("invalid_grant", "Invalid JWT: exp (expiration time) is not set.")
    case .timeframe:
      (
        "invalid_grant",
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
          + "timeframe. Check your iat and exp values in the JWT claim."
      )
    case .scopeEmpty: ("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    case .audience: ("invalid_grant", "Invalid JWT: Failed audience check.")
    }
  }

  /// Spoils the claims; a wrong signature is the caller's to make.
  func spoil(_ claims: inout JSONObject, now: Int64) {
    switch self {
    case .signature: break
    case .issuer: claims["iss"] = "nobody@demo.iam.gserviceaccount.com"
    case .issuedAtAbsent: claims["iat"] = nil
    case .expirationAbsent: claims["exp"] = nil
    case .timeframe:
      if claims["iat"] != nil { claims["iat"] = .int(now - 7200) }
      if claims["exp"] != nil { claims["exp"] = .int(now - 3600) }
    case .scopeEmpty: claims["scope"] = ""
    case .audience: claims["aud"] = "https://example.com/token"
    }
  }
}

/// Two faults of one assertion, the earlier first.
struct FaultPair: Sendable, CustomTestStringConvertible {
  let first: AssertionFault
  let second: AssertionFault

  var testDescription: String { "\(first.rawValue) before \(second.rawValue)" }

  static let all = AssertionFault.allCases.indices.flatMap { index in
    AssertionFault.allCases[index...].map {
      FaultPair(first: AssertionFault.allCases[index], second: $0)
    }
  }
}

@Suite struct TokenGrantsTests {
  @Test func `a good assertion gets an access token with keys in Google's order`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.grant()
    let token = try #require(fixture.json?["access_token"]?.stringValue)
    // Measured 2026-09-02: 3599, not 3600; this order; nothing else.
    #expect(
      fixture.text == #"{"access_token":"\#(token)","expires_in":3599,"token_type":"Bearer"}"#)
    #expect(token.hasPrefix("ya29.c."))
    // Measured 2026-09-02: about a thousand characters.
    #expect(token.utf8.count == 1000)
    #expect(fixture.head.status == 200)
    #expect(outcome.isAccepted)
    #expect(outcome.service == .oauth)
    #expect(outcome.credential?.kind == .assertion)
    #expect(outcome.credential?.serviceAccount == ServiceFixture.email)
    let decoded = try #require(outcome.credential?.decoded)
    let claims = try JSONReader.parse(Array(decoded.utf8)).pointer("/claims/aud")
    #expect(claims?.stringValue == ServiceFixture.audience)
  }

  @Test(arguments: FaultPair.all)
  func `of two faults the earlier of Google's order is answered, measured 2026-09-02`(
    _ pair: FaultPair
  ) throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    for fault in [pair.first, pair.second] { fault.spoil(&claims, now: fixture.time.now.seconds) }
    let assertion = try fixture.sign(
      claims, with: pair.first == .signature ? fixture.keys.other : fixture.keys.own)
    let outcome = fixture.grant(assertion: assertion)
    let answer = pair.first.answer
    #expect(fixture.head.status == 400)
    #expect(
      fixture.text == #"{"error":"\#(answer.error)","error_description":"\#(answer.description)"}"#)
    #expect(outcome.reason == answer.error)
    #expect(outcome.diagnosis != nil)
  }

  @Test func `an unknown issuer with an unknown key is not found`() throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["iss"] = "deleted@demo.iam.gserviceaccount.com"
    let header: JSONValue = ["alg": "RS256", "kid": "k9"]
    fixture.grant(assertion: try fixture.sign(claims, header: header, with: fixture.keys.other))
    #expect(
      fixture.json?["error_description"]?.stringValue == "Invalid grant: account not found")
  }

  @Test(arguments: ["/token", "/o/oauth2/token", "/oauth2/v4/token"])
  func `every path that libraries use grants`(_ path: String) throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.grant(assertion: try fixture.sign(fixture.goodClaims), path: path)
    #expect(outcome.isAccepted)
  }

  @Test(arguments: [
    ("https://oauth2.googleapis.com/token", true),
    ("https://www.googleapis.com/oauth2/v4/token", true),
    ("https://accounts.google.com/o/oauth2/token", true),
    ("https://localhost:2197/token", true), ("http://localhost:8080/oauth2/v4/token", true),
    ("https://pushpit/o/oauth2/token", true), ("https://PUSHPIT:443/token", true),
    ("https://pushpit/tokens", false), ("https://example.com/token", false), ("pushpit", false),
  ])
  func `Google's audiences are good, and those of the gateway's names`(
    _ audience: String, _ isGood: Bool
  ) throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["aud"] = .string(audience)
    #expect(try fixture.grant(claims).isAccepted == isGood)
  }

  /// The scopes that each SDK asks for.
  @Test(arguments: [
    "cloud-platform datastore devstorage.read_write firebase identitytoolkit userinfo.email",
    "cloud-platform firebase.database firebase.messaging identitytoolkit userinfo.email",
    "cloud-platform datastore devstorage.full_control firebase identitytoolkit userinfo.email",
    "firebase.database userinfo.email identitytoolkit devstorage.full_control cloud-platform "
      + "datastore",
    "firebase userinfo.email identitytoolkit devstorage.full_control cloud-platform datastore",
    "iam cloud-platform firebase firebase.database firebase.messaging firebase.remoteconfig "
      + "userinfo.email securetoken",
    "firebase.messaging", "cloud-platform",
  ])
  func `the scopes of every SDK get a token that may send`(_ names: String) throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    let scopes = names.split(separator: " ").map { "https://www.googleapis.com/auth/\($0)" }
    claims["scope"] = .string(scopes.joined(separator: " "))
    let token = try fixture.accessToken(claims)
    #expect(try fixture.send(bearer: token).isAccepted)
  }

  @Test(arguments: ["https://www.googleapis.com/auth/firebase.mesaging", "x"])
  func `an unknown scope gets only an ID token, alone or mixed, measured 2026-09-02`(
    _ scope: String
  ) throws {
    let fixture = try ServiceFixture()
    for asked in [scope, "\(ServiceFixture.messagingScope) \(scope)"] {
      var claims = fixture.goodClaims
      claims["scope"] = .string(asked)
      let outcome = try fixture.grant(claims)
      #expect(fixture.head.status == 200)
      #expect(fixture.json?.objectValue?.members.map(\.key) == ["id_token"])
      let token = try #require(fixture.json?["id_token"]?.stringValue)
      let parts = try #require(JWSParts(compact: Array(token.utf8)))
      #expect(try JSONReader.parse(parts.claims)["aud"]?.stringValue == asked)
      #expect(outcome.isAccepted)
      #expect(outcome.warnings.map(\.code) == ["scope-unknown"])
    }
  }

  @Test func `iat and exp may be strings of digits or decimals`() throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    let now = fixture.time.now.seconds
    claims["iat"] = .string("\(now)")
    claims["exp"] = .string("\(now + 3600)")
    #expect(try fixture.grant(claims).isAccepted)
    claims["iat"] = .number(try #require(JSONNumber(Double(now) + 0.25)))
    #expect(try fixture.grant(claims).isAccepted)
  }

  @Test(arguments: [
    (0, 3601, false), (-3600, 0, false), (-3599, 1, true), (-60, 3540, true), (60, 3660, true),
    (61, 3661, false), (600, 900, false), (0, 60, true),
  ])
  func `an assertion is good for an hour from its iat`(
    _ issued: Int64, _ expires: Int64, _ isGood: Bool
  ) throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["iat"] = .int(fixture.time.now.seconds + issued)
    claims["exp"] = .int(fixture.time.now.seconds + expires)
    #expect(try fixture.grant(claims).isAccepted == isGood)
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "1e300", "-1e300"])
  func `times at the ends of their range are refused`(_ number: String) throws {
    let fixture = try ServiceFixture()
    for claim in ["iat", "exp"] {
      var claims = fixture.goodClaims
      claims[claim] = try JSONReader.parse(Array(number.utf8))
      #expect(try fixture.grant(claims).reason == "invalid_grant")
    }
  }

  @Test func `another subject is an unauthorized client, commonly reported`() throws {
    let fixture = try ServiceFixture()
    var claims = fixture.goodClaims
    claims["sub"] = "somebody@example.com"
    #expect(try fixture.grant(claims).reason == "unauthorized_client")
    #expect(fixture.head.status == 401)
    #expect(
      fixture.text
        == #"{"error":"unauthorized_client","error_description":"Client is unauthorized to "#
        + #"retrieve access tokens using this method, or client not authorized for any of the "#
        + #"scopes requested."}"#)
    claims["sub"] = .string(ServiceFixture.email)
    #expect(try fixture.grant(claims).isAccepted)
  }

  @Test func `an assertion seen before the clock was advanced ages, a new one is fresh`() throws {
    let fixture = try ServiceFixture()
    let assertion = try fixture.sign(fixture.goodClaims)
    #expect(fixture.grant(assertion: assertion).isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(7200)
    fixture.time.now = fixture.time.now + .seconds(2)
    #expect(fixture.grant(assertion: assertion).reason == "invalid_grant")
    #expect(try fixture.grant().isAccepted)
  }

  /// RS256 is deterministic: a sender that refreshes at once signs the same bytes again.
  @Test func `an assertion that comes again within its second counts as new`() throws {
    let fixture = try ServiceFixture()
    #expect(try fixture.grant().isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(7200)
    #expect(try fixture.grant().isAccepted)
  }

  @Test func `with authentication by shape any key signs, and every other rule holds`() throws {
    let fixture = try ServiceFixture()
    fixture.workspaces.default.policies.authentication = .shape
    let assertion = try fixture.sign(fixture.goodClaims, with: fixture.keys.other)
    #expect(fixture.grant(assertion: assertion).isAccepted)
    var claims = fixture.goodClaims
    claims["exp"] = nil
    #expect(
      fixture.grant(assertion: try fixture.sign(claims, with: fixture.keys.other)).reason
        == "invalid_grant")
  }
}
