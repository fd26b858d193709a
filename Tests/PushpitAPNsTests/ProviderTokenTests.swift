import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ProviderTokenTests {
  // Apple's own recipe, apnotic, Pushy and a2 sign in DER; a2 and dotAPNS write padded base64.
  @Test(arguments: TestJWT.Signature.allCases, TestJWT.Encoding.allCases)
  func `raw and DER signatures are good in base64url and in padded base64`(
    signature: TestJWT.Signature, encoding: TestJWT.Encoding
  ) throws {
    let gateway = try Gateway()
    for scheme in ["bearer ", "Bearer ", "BEARER  "] {
      var jwt = gateway.jwt()
      jwt.signature = signature
      jwt.encoding = encoding
      gateway.connection = APNsConnectionState()
      let answer = gateway.send { $0.set("authorization", scheme + jwt.text) }
      #expect(answer.status == 200, "\(scheme): \(answer.body)")
    }
  }

  static let iat = #""iss":"TEAMIDTEAM","iat""#
  static let goodClaims = [
    #"{\#(iat):1700000000}"#,
    // PyAPNs2 sends time.time().
    #"{\#(iat):1699999999.75}"#,
    #"{\#(iat):1.7e9}"#,
    // APNSwift until January 2026: a string, and the key ID among the claims.
    #"{\#(iat):"1700000000","kid":"KEYIDKEYID"}"#,
    #"{\#(iat):"1699999999.5"}"#,
    // simple-apns adds exp; nobody reads it.
    #"{\#(iat):1700000000,"exp":1,"aud":["x"],"deep":{"a":null}}"#,
    "{\n  \"iss\" : \"TEAMIDTEAM\",\n  \"iat\" : 1700000000\n}\n",
  ]

  @Test(arguments: goodClaims)
  func `claims are read as libraries write them`(claims: String) throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.claims = claims
    #expect(gateway.send { $0.set("authorization", "bearer " + jwt.text) }.status == 200)
  }

  @Test(arguments: [
    #"{"kid":"KEYIDKEYID","alg":"ES256"}"#, #"{"alg":"ES256","kid":"KEYIDKEYID","typ":"JWT"}"#,
    "{ \"alg\" : \"ES256\",\n\"kid\":\"KEYIDKEYID\", \"x\": [1] }",
  ])
  func `headers are read as libraries write them`(header: String) throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.header = header
    #expect(gateway.send { $0.set("authorization", "bearer " + jwt.text) }.status == 200)
  }

  @Test(arguments: [nil, "", "bearer", "bearer ", "bearer    ", "Basic abcdefgh", "bearerx abc"])
  func `no bearer token is MissingProviderToken, observed 2026`(value: String?) throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.set("authorization", value) }
    #expect(answer.status == 403)
    #expect(answer.body == #"{"reason":"MissingProviderToken"}"#)
    #expect(answer.code == .providerTokenMissing)
    #expect(answer.outcome.credential == nil)
  }

  static let unreadable: [(header: String, claims: String, fault: ProviderTokenFault)] = [
    ("{", "", .headerNotJSON),
    ("[]", "{}", .headerNotJSON),
    (#"{"kid":"KEYIDKEYID"}"#, "{}", .algorithm("")),
    (#"{"alg":"HS256","kid":"KEYIDKEYID"}"#, "{}", .algorithm("HS256")),
    (#"{"alg":"none","kid":"KEYIDKEYID"}"#, "{}", .algorithm("none")),
    (#"{"alg":"ES256"}"#, "{}", .keyIDMissing),
    (#"{"alg":"ES256","kid":7}"#, "{}", .keyIDMissing),
    (#"{"alg":"ES256","kid":"KEYIDKEYID"}"#, "x", .claimsNotJSON),
    (#"{"alg":"ES256","kid":"KEYIDKEYID"}"#, #"{"iat":1700000000}"#, .teamMissing),
    (#"{"alg":"ES256","kid":"KEYIDKEYID"}"#, #"{"iss":"TEAMIDTEAM"}"#, .issuedAtUnreadable),
    (
      #"{"alg":"ES256","kid":"KEYIDKEYID"}"#, #"{"iss":"TEAMIDTEAM","iat":"now"}"#,
      .issuedAtUnreadable
    ),
    (
      #"{"alg":"ES256","kid":"KEYIDKEYID"}"#, #"{"iss":"TEAMIDTEAM","iat":"inf"}"#,
      .issuedAtUnreadable
    ),
  ]

  @Test(arguments: unreadable.indices)
  func `a token that cannot be read is InvalidProviderToken`(index: Int) throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.header = Self.unreadable[index].header
    jwt.claims = Self.unreadable[index].claims
    #expect(
      ProviderToken(bytes: Array(jwt.text.utf8)).content == .failure(Self.unreadable[index].fault))
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
    #expect(answer.code == .providerTokenUnreadable)
  }

  @Test(arguments: ["x", "a.b", "..", "a.b.c.d", "é.é.é", "e30.e30.e30"])
  func `garbage is InvalidProviderToken and not a crash`(text: String) throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.set("authorization", "bearer " + text) }
    #expect(answer.status == 403)
    #expect(answer.reason == "InvalidProviderToken")
    #expect(answer.outcome.credential?.fingerprint == SHA256.hex(Array(text.utf8)))
  }

  @Test(arguments: [1e300, -1e300, 9.3e18, -9.3e18])
  func `an absurd iat neither overflows nor traps`(iat: Double) throws {
    let gateway = try Gateway()
    gateway.workspaces.default.clock.offset = .seconds(86_400 * 3650)
    var jwt = gateway.jwt()
    jwt.claims = #"{\#(Self.iat):\#(iat)}"#
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.status == (iat > 0 ? 200 : 403))
  }

  @Test func `records keep header, claims and fingerprint, and never the signature`() throws {
    let gateway = try Gateway()
    let text = gateway.jwt().text
    let token = ProviderToken(bytes: Array(text.utf8))
    #expect(token.facts.kind == .providerToken)
    #expect(
      token.facts.decoded == #"{"header":{"alg":"ES256","kid":"KEYIDKEYID"},"#
        + #""claims":{"iss":"TEAMIDTEAM","iat":1700000000}}"#)
    #expect(token.facts.fingerprint == SHA256.hex(Array(text.utf8)))
  }

  @Test func `facts are built once for each token and shared by its records`() throws {
    let gateway = try Gateway()
    let push = gateway.validPush
    let first = gateway.send(push).outcome.credential
    gateway.connection = APNsConnectionState()
    let second = gateway.send(push).outcome.credential
    #expect(first === second)
  }
}
