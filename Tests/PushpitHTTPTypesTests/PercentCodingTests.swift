import PushpitHTTPTypes
import Testing

@Suite struct PercentCodingTests {
  @Test(arguments: [
    ("messages%3Asend", "messages:send"), ("%3a", ":"), ("100%", "100%"), ("%zz", "%zz"),
    ("a+b", "a+b"), ("", ""), ("%4", "%4"),
  ])
  func `escapes are decoded and malformed ones kept`(text: String, expected: String) {
    #expect(String(decoding: PercentCoding.decode(text.utf8), as: UTF8.self) == expected)
  }

  @Test func `in forms a plus is a space`() {
    let decoded = PercentCoding.decode("a+b%2Bc".utf8, plusIsSpace: true)
    #expect(String(decoding: decoded, as: UTF8.self) == "a b+c")
  }

  @Test func `pairs keep their order and may lack a value`() {
    let pairs = PercentCoding.pairs(Array("a=1&b&c=%26=&a=2".utf8))
    #expect(pairs.map { "\($0.name):\($0.value)" } == ["a:1", "b:", "c:&=", "a:2"])
  }

  @Test func `what was encoded decodes to itself`() {
    let text = "a b/ü&=+%"
    let isASCII = PercentCoding.encode(text).allSatisfy { $0.isASCII }
    #expect(isASCII)
    let decoded = PercentCoding.decode(PercentCoding.encode(text).utf8)
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }
}
