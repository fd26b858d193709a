import Testing

@testable import PushpitCrypto

@Suite struct KeyTests {
  private let message = Array("header.claims".utf8)

  @Test func `a raw ES256 signature is good (RFC 7518 section 3_4)`() throws {
    let key = try PrivateKey.generateP256()
    let signature = key.signES256(message)
    #expect(signature.count == 64)
    #expect(key.publicKey.isValidES256(message: message, signature: signature))
    #expect(!key.publicKey.isValidES256(message: message.dropLast(), signature: signature))
    let other = try PrivateKey.generateP256()
    #expect(!other.publicKey.isValidES256(message: message, signature: signature))
  }

  @Test func `an ES256 signature in DER is good (Apple: Establishing a token-based connection)`()
    throws
  {
    let key = try PrivateKey.generateP256()
    for _ in 0..<20 {
      let signature = key.signES256DER(message)
      #expect(key.publicKey.isValidES256(message: message, signature: signature))
      let raw = try #require(ECDSASignature.raw(der: signature))
      #expect(ECDSASignature.der(raw: raw) == signature)
    }
  }

  @Test(arguments: [0, 1, 8, 63, 64, 65, 70, 200])
  func `a signature of nonsense is bad`(count: Int) throws {
    let key = try PrivateKey.generateP256().publicKey
    let signature = [UInt8](repeating: 0x30, count: count)
    #expect(!key.isValidES256(message: message, signature: signature))
    #expect(OpenSSLErrors.drain().isEmpty)
  }

  @Test func `the vector of RFC 7515 appendix A_3 is good`() throws {
    let point =
      [0x04] + (try #require(Base64.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8)))
      + (try #require(Base64.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8)))
    let prefix: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    let key = try PublicKey(spki: prefix + point)
    let token = Array(
      """
      eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl\
      LmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISl\
      SApmWQxfKTUJqPP3-Kg6NU1Q
      """.utf8)
    let parts = try #require(JWSParts(compact: token))
    let input = token.prefix(parts.signingInputCount)
    #expect(key.isValidES256(message: input, signature: parts.signature))
  }

  @Test func `an RS256 signature is good`() throws {
    let key = try PrivateKey.generateRSA()
    let signature = key.signRS256(message)
    #expect(key.publicKey.kind == .rsa(bits: 2048))
    #expect(key.publicKey.isValidRS256(message: message, signature: signature))
    #expect(!key.publicKey.isValidRS256(message: message, signature: signature.reversed()))
    #expect(!key.publicKey.isValidES256(message: message, signature: signature))
    #expect(
      try !PrivateKey.generateP256().publicKey.isValidRS256(
        message: message, signature: signature))
  }

  @Test func `keys survive PEM and DER`() throws {
    for key in [try PrivateKey.generateP256(), try PrivateKey.generateRSA()] {
      let pem = key.pem
      #expect(pem.starts(with: "-----BEGIN PRIVATE KEY-----\n".utf8))
      let publicKey = key.publicKey
      #expect(try PrivateKey(pem: pem).pem == pem)
      #expect(try PublicKey(spki: publicKey.spki).spki == publicKey.spki)
      #expect(try PublicKey(pem: publicKey.pem).kind == publicKey.kind)
    }
  }

  @Test func `damaged keys are refused with a reason`() throws {
    let pem = try PrivateKey.generateP256().pem
    for damaged in [
      [], Array("key".utf8), Array(pem.prefix(60)), pem.map { $0 == 0x41 ? 0x42 : $0 },
    ] {
      let error = #expect(throws: CryptoError.self) { _ = try PrivateKey(pem: damaged) }
      #expect(error?.description.hasPrefix("read the private key: ") == true)
    }
    let spki = try PrivateKey.generateP256().publicKey.spki
    #expect(throws: CryptoError.self) { _ = try PublicKey(spki: spki + [0]) }
    #expect(throws: CryptoError.self) { _ = try PublicKey(spki: Array(spki.dropLast())) }
    #expect(throws: CryptoError.self) { _ = try PublicKey(spki: []) }
    #expect(throws: CryptoError.self) { _ = try PublicKey(pem: []) }
  }
}
