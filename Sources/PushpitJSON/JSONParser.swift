/// Builds values from a JSON text, by recursive descent bounded by `depthLimit`.
struct JSONParser {
  private let text: JSONText
  private let depthLimit: Int
  private var index = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    text = JSONText(bytes: bytes)
    self.depthLimit = depthLimit
  }

  mutating func parse() throws(JSONSyntaxError) -> JSONValue {
    let value = try parseValue()
    skipWhiteSpace()
    guard index == text.bytes.count else { throw error("unexpected \(found) after the value") }
    return value
  }

  private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
    skipWhiteSpace()
    switch text[index] {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "{"): return .object(try parseObject())
    case UInt8(ascii: "["): return .array(try parseArray())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case .some(UInt8(ascii: "-")), .some(0x30...0x39): return .number(try parseNumber())
    default: throw error("expected a value, found \(found)")
    }
  }

  private mutating func parseObject() throws(JSONSyntaxError) -> JSONObject {
    var object = JSONObject()
    try open()
    if close(UInt8(ascii: "}")) { return object }
    while true {
      skipWhiteSpace()
      guard text[index] == UInt8(ascii: "\"") else {
        throw error("expected a key in double quotes, found \(found)")
      }
      let key = try parseString()
      skipWhiteSpace()
      guard text[index] == UInt8(ascii: ":") else {
        throw error("expected ':' after a key, found \(found)")
      }
      index += 1
      object.members.append((key: key, value: try parseValue()))
      if close(UInt8(ascii: "}")) { return object }
      guard text[index] == UInt8(ascii: ",") else {
        throw error("expected ',' or '}' after a member, found \(found)")
      }
      index += 1
    }
  }

  private mutating func parseArray() throws(JSONSyntaxError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try open()
    if close(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try parseValue())
      if close(UInt8(ascii: "]")) { return elements }
      guard text[index] == UInt8(ascii: ",") else {
        throw error("expected ',' or ']' after an element, found \(found)")
      }
      index += 1
    }
  }

  private mutating func open() throws(JSONSyntaxError) {
    guard depth < depthLimit else {
      throw error("more than \(depthLimit) levels of nesting")
    }
    depth += 1
    index += 1
  }

  /// Passes white space and then the closing character, if it is there.
  private mutating func close(_ character: UInt8) -> Bool {
    skipWhiteSpace()
    guard text[index] == character else { return false }
    depth -= 1
    index += 1
    return true
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard text.hasWord(word, at: index) else { throw error("expected '\(word)'") }
    index += word.utf8CodeUnitCount
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
    let start = index
    if text[index] == UInt8(ascii: "-") { index += 1 }
    if text[index] == UInt8(ascii: "0") {
      index += 1
      if let next = text[index], next >= 0x30, next <= 0x39 {
        throw error("a number has no leading zeros")
      }
    } else {
      try passDigits()
    }
    if text[index] == UInt8(ascii: ".") {
      index += 1
      try passDigits()
    }
    if text[index] == UInt8(ascii: "e") || text[index] == UInt8(ascii: "E") {
      index += 1
      if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
      try passDigits()
    }
    return JSONNumber(verifiedText: string(start..<index))
  }

  private mutating func passDigits() throws(JSONSyntaxError) {
    let end = text.endOfDigits(from: index)
    guard end > index else { throw error("expected a digit, found \(found)") }
    index = end
  }

  private mutating func skipWhiteSpace() {
    index = text.endOfWhiteSpace(from: index)
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func parseString() throws(JSONSyntaxError) -> String {
    let quote = index
    index += 1
    var start = index
    var unescaped: [UInt8] = []
    while true {
      index = text.endOfPlain(from: index)
      guard let byte = text[index] else { throw error("a string does not end", at: quote) }
      switch byte {
      case UInt8(ascii: "\""):
        let rest = start..<index
        index += 1
        if unescaped.isEmpty { return string(rest) }
        unescaped.append(contentsOf: text.bytes[rest])
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"):
        unescaped.append(contentsOf: text.bytes[start..<index])
        unescaped.append(
          contentsOf: UTF8.encode(try parseEscape()) ?? UTF8.encodedReplacementCharacter)
        start = index
      case 0x80...:
        let length = text.sequenceLength(at: index)
        guard length > 0 else { throw error("\(found) is not valid UTF-8") }
        index += length
      default:
        throw error("control character \(found) must be escaped in a string")
      }
    }
  }

  private mutating func parseEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index
    guard let letter = text[index + 1] else { throw error("an escape does not end") }
    index += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseCodePoint(from: start)
    default: throw error("a backslash cannot be followed by \(describe(letter))", at: start)
    }
  }

  /// Four hexadecimal digits, and for a code point beyond the basic plane the other half of its
  /// surrogate pair (RFC 8259 section 7).
  private mutating func parseCodePoint(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let first = text.hexadecimal(at: index) else {
      throw error("expected four hexadecimal digits after \\u", at: start)
    }
    index += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, text.hasWord("\\u", at: index),
      let second = text.hexadecimal(at: index + 2), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair stands alone", at: start) }
    index += 6
    return scalar
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text.bytes[range], as: UTF8.self)
  }
}

// MARK: - Errors

extension JSONParser {
  /// The byte at the current place, for an error's sentence.
  private var found: String { text[index].map(describe) ?? "the end of the text" }

  private func describe(_ byte: UInt8) -> String {
    if byte > 0x20, byte < 0x7F { return "'\(Unicode.Scalar(byte))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 0x10 ? "0x0\(digits)" : "0x\(digits)"
  }

  private func error(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(message, at: offset ?? index, in: text.bytes)
  }
}
