import PushpitJSON
import Testing

@Suite struct JSONReaderTests {
  func parse(_ text: String) throws -> JSONValue {
    try JSONReader.parse(Array(text.utf8))
  }

  @Test(arguments: JSONTexts.accepted)
  func `a text that follows RFC 8259 is accepted`(_ text: String) throws {
    _ = try parse(text)
  }

  @Test(arguments: JSONTexts.refused)
  func `a text that does not is refused`(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try parse(text) }
  }

  @Test(arguments: JSONTexts.invalidUTF8, ["", "plain and long", "é"])
  func `invalid UTF-8 is refused`(_ bytes: [UInt8], _ prefix: String) {
    #expect(throws: JSONSyntaxError.self) {
      try JSONReader.parse(JSONTexts.quoted(bytes, after: prefix))
    }
  }

  @Test func `members keep their order and duplicates`() throws {
    let object = try #require(try parse(#"{"b":1,"a":2,"b":3}"#).objectValue)
    #expect(object.members.map(\.key) == ["b", "a", "b"])
    #expect(object.members.map(\.value) == [1, 2, 3])
  }

  @Test func `of duplicates the last one is found`() throws {
    #expect(try parse(#"{"a":1,"a":2}"#)["a"] == 2)
  }

  @Test(arguments: ["0", "-0", "1.50", "1E+03", "123456789012345678901234567890"])
  func `a number keeps its text`(_ text: String) throws {
    guard case .number(let number) = try parse("[\(text)]")[0] else {
      Issue.record("no number")
      return
    }
    #expect(number.text == text)
  }

  @Test func `escapes become their characters`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try parse(#""\u0041\u00e9\u20AC""#) == "Aé€")
    #expect(try parse(#""a\u0000b""#) == "a\u{0}b")
  }

  @Test func `a surrogate pair is one character`() throws {
    #expect(try parse(#""\uD83D\ude00""#) == "😀")
    #expect(try parse(#""\uDBFF\uDFFF\uD800\uDC00""#) == "\u{10FFFF}\u{10000}")
  }

  @Test func `half of a surrogate pair is refused, as RFC 7493 section 2.1 forbids it`() {
    let error = #expect(throws: JSONSyntaxError.self) { try parse(#"["\ud83d!"]"#) }
    #expect(error?.message == "half of a surrogate pair stands alone")
    #expect(error?.offset == 2)
  }

  @Test func `an error names its offset, line and column`() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try parse("{\n  \"é\": 1,\n  \"éa\": oops\n}")
    }
    #expect(
      error
        == JSONSyntaxError(
          offset: 22, line: 3, column: 9, message: "expected a value, found 'o'"))
    #expect(error?.description == "line 3, column 9: expected a value, found 'o'")
  }

  @Test(arguments: [
    ("", "expected a value, found the end of the text"),
    ("[1", "expected ',' or ']' after an element, found the end of the text"),
    (#"{"a":1 "b""#, "expected ',' or '}' after a member, found '\"'"),
    (#"{"a" 1"#, "expected ':' after a key, found '1'"),
    ("{1", "expected a key in double quotes, found '1'"),
    ("{} x", "unexpected 'x' after the value"),
    ("tru", "expected 'true'"),
    ("01", "a number has no leading zeros"),
    ("1.x", "expected a digit, found 'x'"),
    ("\"abc", "a string does not end"),
    ("\"\\", "an escape does not end"),
    (#""\x""#, "a backslash cannot be followed by 'x'"),
    (#""\u00g0""#, #"expected four hexadecimal digits after \u"#),
    ("\"\n\"", "control character 0x0A must be escaped in a string"),
    ("\u{FEFF}{}", "expected a value, found 0xEF"),
  ])
  func `an error says what is wrong`(_ text: String, _ message: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
    #expect(error?.message == message)
  }

  @Test func `invalid UTF-8 is named by its first byte`() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONReader.parse(JSONTexts.quoted([0xC3, 0x28]))
    }
    #expect(error?.message == "0xC3 is not valid UTF-8")
    #expect(error?.offset == 6)
  }

  @Test func `the depth limit is reached at its level and exceeded at the next`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try parse(nested(JSONReader.depthLimit))
    let error = #expect(throws: JSONSyntaxError.self) {
      try parse(nested(JSONReader.depthLimit + 1))
    }
    #expect(error?.message == "more than 64 levels of nesting")
    #expect(error?.offset == JSONReader.depthLimit)
  }

  @Test func `depth counts open containers, not all of them`() throws {
    _ = try parse("[" + Array(repeating: "[[]]", count: 200).joined(separator: ",") + "]")
  }

  @Test func `a slice and a collection without contiguous storage are read alike`() throws {
    let bytes = Array(#"xx{"a":[1]}"#.utf8)
    #expect(try JSONReader.parse(bytes[2...]) == ["a": [1]])
    #expect(try JSONReader.parse(Array(bytes[2...].reversed()).reversed()) == ["a": [1]])
  }
}
