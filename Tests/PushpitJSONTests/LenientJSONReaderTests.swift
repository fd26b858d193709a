import Testing

@testable import PushpitJSON

/// A text that even the lenient reader refuses, and what the front end says of it.
struct LenientFault: Sendable, CustomTestStringConvertible {
  let text: [UInt8]
  /// The sentence, and after line feeds the excerpt and the caret.
  let message: String
  let isImmediate: Bool

  init(_ text: String, _ message: String, isImmediate: Bool) {
    self.init(Array(text.utf8), message, isImmediate: isImmediate)
  }

  init(_ text: [UInt8], _ message: String, isImmediate: Bool) {
    self.text = text
    self.message = message
    self.isImmediate = isImmediate
  }

  var testDescription: String { String(decoding: text, as: UTF8.self) }

  /// Said in the first pass: more bytes could not have mended them.
  ///
  /// The sentences and the excerpt are
  /// those of protobuf's json_stream_parser.cc; the first two were also captured in 2026.
  static let immediate = [
    LenientFault("not json", "Unexpected token.\nnot json\n^", isImmediate: true),
    LenientFault(
      "{not json", "Expected : between key:value pair.\n{not json\n     ^", isImmediate: true),
    LenientFault("{,}", "Expected an object key or }.\n{,}\n ^", isImmediate: true),
    LenientFault("{1:2}", "Expected an object key or }.\n{1:2}\n ^", isImmediate: true),
    LenientFault("{true: 1}", "Expected an object key or }.\n{true: 1}\n     ^", isImmediate: true),
    LenientFault(
      #"{"a" 1}"#, "Expected : between key:value pair.\n{\"a\" 1}\n     ^", isImmediate: true),
    LenientFault(
      #"{"a": 1 2}"#, "Expected , or } after key:value pair.\n{\"a\": 1 2}\n        ^",
      isImmediate: true),
    LenientFault("[1 2]", "Expected , or ] after array value.\n[1 2]\n   ^", isImmediate: true),
    LenientFault("{} x", "Parsing terminated before end of input.\n{} x\n   ^", isImmediate: true),
    LenientFault(
      "[01]", "Octal/hex numbers are not valid JSON values.\n[01]\n ^", isImmediate: true),
    LenientFault(
      "[-0x1]", "Octal/hex numbers are not valid JSON values.\n[-0x1]\n ^", isImmediate: true),
    LenientFault("[1-2]", "Unable to parse number.\n[1-2]\n ^", isImmediate: true),
    LenientFault("[-]", "Unable to parse number.\n[-]\n ^", isImmediate: true),
    LenientFault("[1e]", "Unable to parse number.\n[1e]\n ^", isImmediate: true),
    LenientFault("[1e999]", "Number exceeds the range of double.\n[1e999]\n ^", isImmediate: true),
    LenientFault(#"["\uzzzz"]"#, "Invalid escape sequence.\n[\"\\uzzzz\"]\n  ^", isImmediate: true),
    LenientFault(
      #"["\ud800\uzzzz"]"#, "Invalid escape sequence.\n[\"\\ud800\\uzzzz\"]\n  ^",
      isImmediate: true),
    // Twenty bytes on either side.
    LenientFault(
      "{\"k\": \(String(repeating: "1", count: 40)), x, \(String(repeating: " ", count: 40))}",
      "Expected : between key:value pair.\n\(String(repeating: "1", count: 17)), x"
        + ", \(String(repeating: " ", count: 18))\n\(String(repeating: " ", count: 20))^",
      isImmediate: true),
  ]

  /// Said in the second pass, whose excerpt begins where the first stopped.
  ///
  /// The first was also
  /// captured in 2026.
  static let atEnd = [
    LenientFault(
      #"{"message":"#, "Unexpected end of string. Expected a value.\n\n^", isImmediate: false),
    LenientFault("", "Unexpected end of string. Expected a value.\n\n^", isImmediate: false),
    LenientFault(" \n", "Unexpected end of string. Expected a value.\n\n^", isImmediate: false),
    LenientFault(
      "{", "Unexpected end of string. Expected an object key or }.\n\n^", isImmediate: false),
    LenientFault(
      #"{"a""#, "Unexpected end of string. Expected : between key:value pair.\n\n^",
      isImmediate: false),
    LenientFault(
      "{abc", "Unexpected end of string. Expected : between key:value pair.\nabc\n   ^",
      isImmediate: false),
    LenientFault(
      #"{"a":"b""#, "Unexpected end of string. Expected , or } after key:value pair.\n\n^",
      isImmediate: false),
    LenientFault(
      "[", "Unexpected end of string. Expected a value or ] within an array.\n\n^",
      isImmediate: false),
    LenientFault(
      "[1", "Unexpected end of string. Expected , or ] after array value.\n1\n ^",
      isImmediate: false),
    LenientFault("[01", "Octal/hex numbers are not valid JSON values.\n01\n^", isImmediate: false),
    LenientFault("{\"a\": #1}", "Expected a value.\n#1}\n^", isImmediate: false),
    LenientFault("{#", "Expected an object key or }.\n#\n^", isImmediate: false),
    LenientFault("[#]", "Expected a value or ] within an array.\n#]\n^", isImmediate: false),
    // Fewer than five bytes could still become `false`.
    LenientFault("[,]", "Unexpected token.\n,]\n^", isImmediate: false),
    LenientFault("[tru]", "Unexpected token.\ntru]\n^", isImmediate: false),
    LenientFault(#"{"a":"b"#, "Closing quote expected in string.\n\n^", isImmediate: false),
    LenientFault(#"{"a":"b\"#, "Closing quote expected in string.\n\\\n^", isImmediate: false),
    LenientFault(#"["\u12"#, "Illegal hex string.\n\\u12\n^", isImmediate: false),
    // Behind a byte that is no UTF-8 everything is the second pass, with spaces for such bytes.
    LenientFault(
      Array("{\"a\":\"".utf8) + [0xFF] + Array("\" 1}".utf8),
      "Expected , or } after key:value pair.\n \" 1}\n   ^", isImmediate: false),
    LenientFault(
      Array("{}".utf8) + [0xFF] + Array("x".utf8),
      "Parsing terminated before end of input.\n x\n ^", isImmediate: false),
  ]
}

@Suite struct LenientJSONReaderTests {
  private static func value(_ text: String) -> JSONValue? {
    let reading = LenientJSONReader.read(Array(text.utf8))
    return reading.error == nil ? reading.value : nil
  }

  private static func strict(_ text: String) throws -> JSONValue {
    try JSONReader.parse(Array(text.utf8))
  }

  @Test(arguments: LenientFault.immediate + LenientFault.atEnd)
  func `refusals have their sentence, their excerpt and their caret`(_ fault: LenientFault) throws {
    let error = try #require(LenientJSONReader.read(fault.text).error)
    let excerpt = String(decoding: try #require(error.excerpt), as: UTF8.self)
    let caret = String(repeating: " ", count: error.caret) + "^"
    #expect("\(error.sentence)\n\(excerpt)\n\(caret)" == fault.message)
    #expect(error.isImmediate == fault.isImmediate)
  }

  @Test(arguments: [
    "{}", "[]", "null", "true", "-1.5e3", #"{"a":[1,2,{"b":null}],"c":"é\n\ud83d\ude00"}"#,
    #"{"a":1,"a":2}"#, "  { \"a\" : \"\" }  ", "18446744073709551615",
  ])
  func `what is JSON reads as the strict reader reads it`(_ text: String) throws {
    #expect(Self.value(text) == (try Self.strict(text)))
  }

  /// Measured in October 2026.
  @Test(arguments: [
    ("{'a':'it\\'s \"x\"'}", #"{"a":"it's \"x\""}"#), ("{a:1,$b_2:2}", #"{"a":1,"$b_2":2}"#),
    ("{nullValue:1,trueish:2}", #"{"nullValue":1,"trueish":2}"#),
    ("{\"a\":[1,2,],}", #"{"a":[1,2]}"#), ("[1.]", "[1.0]"), ("[-.5,01.5]", "[-0.5,1.5]"),
    ("[\"\\q\\'\\é\"]", "[\"q'é\"]"), ("[\"a\u{1}\tb\"]", #"["a\u0001\tb"]"#),
    (#"["\v"]"#, #"["\u000b"]"#), ("\u{FEFF}{}", "{}"), ("{\u{B}\u{C}}", "{}"),
    (#"["\ud800A"]"#, "[\"\u{FFFD}A\"]"), (#"["\udc00"]"#, "[\"\u{FFFD}\"]"),
    (#"["\ud800\u0041"]"#, "[\"\u{FFFD}A\"]"), (#"["\ud83d\ude00"]"#, "[\"😀\"]"),
  ])
  func `what JSON lacks is read too`(_ text: String, _ asJSON: String) throws {
    #expect(Self.value(text) == (try Self.strict(asJSON)))
  }

  /// Measured in October 2026: a space a byte, also where a sequence is cut short.
  @Test func `invalid UTF-8 becomes a space for each byte`() {
    let bytes = Array("[\"a".utf8) + [0xE2, 0x82] + Array("b".utf8) + [0xFF] + Array("é\"]".utf8)
    #expect(LenientJSONReader.read(bytes).value == ["a  b é"])
    #expect(LenientJSONReader.read(Array("{}".utf8) + [0xC3]).error == nil)
    #expect(LenientJSONReader.read([0xFF] + Array("{}".utf8)).value == .object(JSONObject()))
  }

  @Test func `what was read before the text ended is kept`() {
    let reading = LenientJSONReader.read(Array(#"{"a":{"b":[1,2,"#.utf8))
    #expect(reading.value == ["a": ["b": [1, 2]]])
    #expect(reading.error?.isImmediate == false)
    #expect(LenientJSONReader.read(Array(#"{"a":1,"b":"#.utf8)).value == ["a": 1])
  }

  /// Measured in October 2026: 100 lists in the root object are too deep; the text about keys is seen
  /// in answers of 2026.
  @Test func `a hundred levels are read, and one more is too deep`() {
    func nested(_ open: String, _ close: String, _ count: Int) -> LenientJSONReader.Reading {
      let text =
        String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
      return LenientJSONReader.read(Array(text.utf8))
    }
    #expect(nested("[", "]", 100).error == nil)
    let array = nested("[", "]", 101).error
    #expect(array?.sentence == "Message too deep. Max recursion depth reached in array")
    #expect(array?.excerpt == nil)
    #expect(nested("{\"k\":", "}", 100).error == nil)
    let object = nested("{\"k\":", "}", 101).error
    #expect(object?.sentence == "Message too deep. Max recursion depth reached for key 'k'")
  }

  /// Each is 128 KiB: a reader that went back over it for every byte would not end in time, and the
  /// address sanitizer makes long texts dear.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "[", "{\"a\":", "\\", "\"\\u", "\\ud83d", "'", "1", "1e", "-", "\u{FFFD}", ",", "{a", " ",
      "[[],",
      "\"\\\\\",",
    ])
  func `a long text of one pattern is read to its end`(_ pattern: String) {
    let count = (1 << 17) / pattern.utf8.count
    for start in ["[", "[\""] {
      let reading = LenientJSONReader.read(
        Array((start + String(repeating: pattern, count: count)).utf8))
      #expect(reading.error != nil && reading.value != nil)
    }
  }

  @Test func `a mebibyte of bytes that are no UTF-8 is read to its end`() {
    var invalid = Array(repeating: UInt8(0xC3), count: 1 << 20)
    invalid[0] = UInt8(ascii: "\"")
    #expect(LenientJSONReader.read(invalid).error?.isImmediate == false)
  }

  @Test func `an error has its line and column for people`() {
    let error = LenientJSONReader.read(Array("{\n  \"a\" 1}".utf8)).error
    #expect(error?.description == "line 2, column 7: Expected : between key:value pair.")
  }
}
