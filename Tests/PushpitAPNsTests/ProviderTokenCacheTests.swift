import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ProviderTokenCacheTests {
  private func bytes(_ number: Int) -> ArraySlice<UInt8> {
    Array("token-\(number)".utf8)[...]
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
