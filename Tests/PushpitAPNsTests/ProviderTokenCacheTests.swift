import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ProviderTokenCacheTests {
  /// A token that can be read; nobody asks whether it is signed.
  private func bytes(_ number: Int) -> ArraySlice<UInt8> {
    let parts = [
      #"{"alg":"ES256","kid":"\#(Gateway.keyID)"}"#,
      #"{"iss":"\#(Gateway.teamID)","iat":1700000000}"#, "signature \(number)",
    ]
    let text = parts.map { Base64.encode($0.utf8, url: true, padded: false) }
    return Array(text.joined(separator: ".").utf8)[...]
  }

  @Test func `the same bytes are the same token`() {
    let cache = ProviderTokenCache(credentials: CredentialDirectory())
    #expect(cache.token(bytes(1)) === cache.token(bytes(1)))
    #expect(cache.token(bytes(1)) !== cache.token(bytes(2)))
  }

  @Test func `beyond its limit it forgets the token seen first`() {
    let cache = ProviderTokenCache(credentials: CredentialDirectory())
    let first = cache.token(bytes(0))
    let second = cache.token(bytes(1))
    for number in 2...ProviderTokenCache.limit { _ = cache.token(bytes(number)) }
    #expect(cache.token(bytes(1)) === second)
    #expect(cache.token(bytes(0)) !== first)
  }

  @Test func `what cannot be read is not remembered, and pushes nothing out`() {
    let cache = ProviderTokenCache(credentials: CredentialDirectory())
    let good = cache.token(bytes(0))
    for number in 0...ProviderTokenCache.limit {
      _ = cache.token(Array("token-\(number)".utf8)[...])
    }
    #expect(cache.token(bytes(0)) === good)
  }

  @Test func `a key imported after its token was refused makes it good`() throws {
    let gateway = try Gateway()
    let key = try PrivateKey.generateP256()
    var jwt = TestJWT(key: key)
    jwt.header = #"{"alg":"ES256","kid":"LATEKEYLAT"}"#
    let authorization = "bearer " + jwt.text
    #expect(gateway.send { $0.set("authorization", authorization) }.status == 403)
    try gateway.credentials.add(
      APNsKey(keyID: "LATEKEYLAT", teamID: Gateway.teamID, publicKey: key.publicKey.spki))
    #expect(gateway.send { $0.set("authorization", authorization) }.status == 200)
    #expect(gateway.service.verificationCount == 1)
  }
}
