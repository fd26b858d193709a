/// Texts that a strict reader accepts and refuses, for the parser and the scanner alike.
enum JSONTexts {
  static let accepted: [String] = [
    "{}", "[]", "null", "true", "false", "0", "-0", "-1", "10", "1.5", "0.25", "1e3", "1E+3",
    "-1.25e-7", "123456789012345678901234567890", "\"\"", "\"a\"", " \t\r\n{ } \t\r\n",
    #"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"":""}"#, #"{ "a" : [ 1 , 2 , { } ] }"#,
    #"{"aps":{"alert":{"title":"T","body":"B"},"badge":1,"sound":"default"},"x":[true,null]}"#,
    #"["\"\\\/\b\f\n\r\t","\u0041\u00e9\u20AC\uD83D\ude00"]"#, "[\"\u{7F}\"]",
    #"{"кирилица":"Здравствуйте, мир","漢字":"かな交じり文","emoji":"👍🏽👨‍👩‍👧"}"#,
    "{\"twelve bytes and more in one key\":\"plain text longer than eight bytes, then é\"}",
    "{\"\\u0000\":\"\u{10FFFF}\u{E000}\u{D7FF}\u{800}\u{80}\"}",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    String(repeating: #"{"a":"#, count: 64) + "1" + String(repeating: "}", count: 64),
  ]

  static let refused: [String] = [
    "", " ", "{", "}", "[", "]", "{]", "[}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "{}{}",
    #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{"a":1 "b":2}"#, #"{"a" 1}"#, "{a:1}",
    "{1:2}", "{'a':1}", #"{,"a":1}"#, #"{"a":1]"#, #"{"a"#, #"{"a":"#, #"{"a":1}x"#, "nul", "tru",
    "fals", "nulL", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1.e1", "1e",
    "1e+", "0x1", "1_000", "[1.2.3]", "\"", "\"a", "\"\\", "\"\\\"", #""\x""#, #""\u""#, #""\u12""#,
    #""\u12G4""#, #""\u123""#, #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#,
    #""\ud800\ud800""#, #""\ud83d\u""#, "\"a\nb\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"",
    "\"eight...\u{1}\"", "\u{FEFF}{}", "/**/{}", "{}//", "\u{A0}{}", "{}\u{0}", "[\"a\",\u{0B}1]",
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    String(repeating: #"{"a":"#, count: 65) + "1" + String(repeating: "}", count: 65),
    #"{"a":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 65),
    String(repeating: "[", count: 100_000),
  ]

  /// Byte sequences that are not UTF-8 (RFC 3629 section 4; the Unicode standard, table 3-7).
  static let invalidUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF],
    [0xE0, 0xA0], [0xE1, 0x80, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF0, 0x90, 0x80], [0xF1, 0x80, 0x80, 0x41], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80],
    [0xFE], [0xFF],
  ]

  /// A string of these bytes in quotes, after a prefix.
  static func quoted(_ bytes: [UInt8], after prefix: String = "") -> [UInt8] {
    Array("{\"a\":\"\(prefix)".utf8) + bytes + Array("\"}".utf8)
  }
}
