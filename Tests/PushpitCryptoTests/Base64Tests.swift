import Testing

@testable import PushpitCrypto

@Suite struct Base64Tests {
  /// RFC 4648 section 10, and bytes that need the last letters of the alphabets.
  static let vectors: [(plain: [UInt8], text: String)] = [
    ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
    (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="),
    (Array("foobar".utf8), "Zm9vYmFy"), ([0xFB, 0xFF, 0xFE], "+//+"), ([0xFB, 0xEF], "++8="),
  ]

  @Test(arguments: vectors) func `vectors are written and read (RFC 4648 section 10)`(
    plain: [UInt8], text: String
  ) {
    let bare = String(text.prefix { $0 != "=" })
    let forURL = String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    #expect(Base64.encode(plain, url: false, padded: true) == text)
    #expect(Base64.encode(plain, url: true, padded: false) == forURL)
    for form in [text, bare, forURL] { #expect(Base64.decode(form.utf8) == plain) }
    #expect(Base64.decode(Array(text.utf8)[...]) == plain)
  }

  @Test func `every length survives both ways`() {
    for count in 0...70 {
      let bytes = SecureRandom.bytes(count)
      for (url, padded) in [(true, false), (true, true), (false, false), (false, true)] {
        let text = Base64.encode(bytes, url: url, padded: padded)
        #expect(Base64.decode(text.utf8) == bytes)
      }
    }
  }

  @Test(arguments: [
    "Z", "Zm9vY", "Zg=", "Z===", "====", "=", "Zm9v=", "Zm9v Zm9v", "Zm9\n", "Zé==",
  ])
  func `what is not base64 is refused`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  @Test func `a JSON web signature is taken apart`() throws {
    // RFC 7515 appendix A.1, with a signature of three bytes.
    let header = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
    let parts = try #require(JWSParts(compact: "\(header).e30.-_-_".utf8))
    #expect(parts.header == Array("{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}".utf8))
    #expect(parts.claims == Array("{}".utf8))
    #expect(parts.signature == [0xFB, 0xFF, 0xBF])
    #expect(parts.signingInputCount == header.utf8.count + 4)
  }

  @Test func `a JSON web signature in standard padded base64 is taken apart (a2 sends it)`() {
    #expect(JWSParts(compact: "e30=.e30=.+/+/".utf8)?.claims == Array("{}".utf8))
  }

  @Test(arguments: [
    "", "e30", "e30.e30", "e30.e30.AAAA.AAAA", "e30.!.AAAA", "e3.e.AAAA", "e30.e30.A=",
  ])
  func `a JSON web signature needs three good parts`(text: String) {
    #expect(JWSParts(compact: text.utf8) == nil)
  }

  @Test func `SHA-256 of abc is that of FIPS 180-4`() {
    #expect(
      SHA256.hex("abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.digest([]).count == 32)
  }

  @Test func `random bytes have the length asked for and differ`() {
    #expect(SecureRandom.bytes(0) == [])
    #expect(SecureRandom.bytes(16) != SecureRandom.bytes(16))
    #expect(SecureRandom.text(10, of: "AB").allSatisfy { "AB".contains($0) })
  }
}
