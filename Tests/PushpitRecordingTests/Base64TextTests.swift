import Testing

@testable import PushpitRecording

@Suite struct Base64TextTests {
  // RFC 4648 section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the test vectors of RFC 4648 hold`(plain: String, encoded: String) {
    #expect(Base64Text.encode(Array(plain.utf8)) == encoded)
  }
}
