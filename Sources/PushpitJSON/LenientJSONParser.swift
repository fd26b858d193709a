/// Builds values from a text as Google's front end does, by recursive descent bounded by
/// `LenientJSONReader.depthLimit`.
///
/// The front end reads twice: at first as if more bytes could follow, as far as the text is valid
/// UTF-8; it stops without an error where more could change the meaning, and resumes there with
/// the rest, knowing that nothing follows. Errors quote only the bytes of their own pass. Here one pass
/// remembers where the first would have stopped.
struct LenientJSONParser {
  let text: JSONText
  var index = 0
  /// Where the bytes end that the current pass sees.
  private(set) var limit: Int
  /// Whether nothing can follow any more.
  private(set) var isFinishing = false
  /// The first byte of the current pass.
  private var passStart = 0
  private var depth = 0
  private(set) var error: LenientJSONError?

  /// How many bytes before and after the place of an error are quoted.
  private static let excerptCount = 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Parameters:
  ///   - bytes: the text, in valid UTF-8.
  ///   - firstStop: where the first pass ends, whatever is there.
  init(_ bytes: UnsafeBufferPointer<UInt8>, firstStop: Int) {
    text = JSONText(bytes: bytes)
    limit = firstStop
    if bytes.starts(with: Self.byteOrderMark) {
      index = Self.byteOrderMark.count
      passStart = index
    }
  }

  /// The value; after an error what was read of it before.
  mutating func parse() -> JSONValue? {
    let value = parseValue(key: "", expectation: "Expected a value.")
    guard error == nil else { return value }
    if peek() != nil { fail("Parsing terminated before end of input.") }
    return value
  }

  private mutating func parseValue(key: String, expectation: StaticString) -> JSONValue? {
    guard let byte = peek() else { return failAtUnknown(expectation) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return parseString().map(JSONValue.string)
    case UInt8(ascii: "{"): return .object(parseObject(key: key))
    case UInt8(ascii: "["): return .array(parseArray())
    case UInt8(ascii: "-"), 0x30...0x39: return parseNumber().map(JSONValue.number)
    case UInt8(ascii: "t") where text.hasWord("true", at: index): return word(4, .bool(true))
    case UInt8(ascii: "f") where text.hasWord("false", at: index): return word(5, .bool(false))
    case UInt8(ascii: "n") where text.hasWord("null", at: index): return word(4, .null)
    default:
      guard JSONToken.begins(with: byte) else { return failAtUnknown(expectation) }
      // The beginning of a word could become the whole of one when more follows.
      if limit - index < 5 { stopFirstPass(at: index) }
      fail("Unexpected token.")
      return nil
    }
  }

  private mutating func word(_ count: Int, _ value: JSONValue) -> JSONValue {
    index += count
    return value
  }

  private mutating func parseObject(key: String) -> JSONObject {
    var object = JSONObject()
    guard open() else {
      failBare("Message too deep. Max recursion depth reached for key '\(key)'")
      return object
    }
    while true {
      guard let byte = peek() else {
        failAtUnknown("Expected an object key or }.")
        return object
      }
      if byte == UInt8(ascii: "}") { break }
      guard let key = parseKey(byte), passColon(),
        let value = parseValue(key: key, expectation: "Expected a value.")
      else { return object }
      object.members.append((key: key, value: value))
      guard error == nil else { return object }
      let next = peek()
      if next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: ",") else {
        failExpecting("Expected , or } after key:value pair.", found: next)
        return object
      }
      index += 1
    }
    close()
    return object
  }

  private mutating func parseArray() -> [JSONValue] {
    var elements: [JSONValue] = []
    guard open() else {
      failBare("Message too deep. Max recursion depth reached in array")
      return elements
    }
    while peek() != UInt8(ascii: "]") {
      guard
        let value = parseValue(key: "", expectation: "Expected a value or ] within an array.")
      else { return elements }
      elements.append(value)
      guard error == nil else { return elements }
      let next = peek()
      if next == UInt8(ascii: "]") { break }
      guard next == UInt8(ascii: ",") else {
        failExpecting("Expected , or ] after array value.", found: next)
        return elements
      }
      index += 1
    }
    close()
    return elements
  }

  private mutating func open() -> Bool {
    index += 1
    depth += 1
    return depth <= LenientJSONReader.depthLimit
  }

  private mutating func close() {
    index += 1
    depth -= 1
  }

  private mutating func parseKey(_ byte: UInt8) -> String? {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return parseString() }
    guard JSONToken.isLetter(byte) else {
      failExpecting("Expected an object key or }.", found: byte)
      return nil
    }
    let start = index
    passBareKey()
    if index == limit, !isFinishing {
      stopFirstPass(at: start)
      passBareKey()
    }
    let key = string(start..<index)
    guard key != "true", key != "false", key != "null" else {
      fail("Expected an object key or }.")
      return nil
    }
    return key
  }

  private mutating func passBareKey() {
    while index < limit, JSONToken.isAlphanumeric(text.bytes[index]) { index += 1 }
  }

  private mutating func passColon() -> Bool {
    let byte = peek()
    guard byte == UInt8(ascii: ":") else {
      failExpecting("Expected : between key:value pair.", found: byte)
      return false
    }
    index += 1
    return true
  }
}

// MARK: - Bytes and passes

extension LenientJSONParser {
  /// The next byte that is no white space; nil at the end.
  @inline(__always)
  private mutating func peek() -> UInt8? {
    while true {
      while index < limit {
        let byte = text.bytes[index]
        guard JSONToken.isSpace(byte) else { return byte }
        index += 1
      }
      guard !isFinishing, limit < text.bytes.count else { return nil }
      stopFirstPass(at: index)
    }
  }

  /// More bytes could change the meaning of those from here on: the second pass takes over, if it has
  /// not yet.
  mutating func stopFirstPass(at offset: Int) {
    guard !isFinishing else { return }
    isFinishing = true
    passStart = offset
    limit = text.bytes.count
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: text.bytes[range], as: UTF8.self)
  }
}

// MARK: - Errors

extension LenientJSONParser {
  /// Says what was expected in place of a token, of a byte that begins none, or of the end.
  private mutating func failExpecting(_ sentence: StaticString, found byte: UInt8?) {
    if let byte, JSONToken.begins(with: byte) {
      fail(sentence.description)
    } else {
      failAtUnknown(sentence)
    }
  }

  /// At the end, or at a byte that begins no token: the first pass waits for more.
  @discardableResult
  private mutating func failAtUnknown(_ sentence: StaticString) -> JSONValue? {
    stopFirstPass(at: index)
    fail(index == limit ? "Unexpected end of string. \(sentence)" : sentence.description)
    return nil
  }

  /// Ends reading at the current place, with an excerpt.
  mutating func fail(_ sentence: String) {
    let start = max(index - Self.excerptCount, passStart)
    let end = min(index + Self.excerptCount, limit)
    stop(sentence, excerpt: Array(text.bytes[start..<end]), caret: index - start)
  }

  private mutating func failBare(_ sentence: String) {
    stop(sentence, excerpt: nil, caret: 0)
  }

  private mutating func stop(_ sentence: String, excerpt: [UInt8]?, caret: Int) {
    error = LenientJSONError(
      sentence: sentence, excerpt: excerpt, caret: caret, isImmediate: !isFinishing,
      place: JSONSyntaxError(sentence, at: index, in: text.bytes))
  }
}
