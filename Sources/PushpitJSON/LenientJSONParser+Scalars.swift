/// Strings and numbers.
extension LenientJSONParser {
  /// Reads a string, from its opening quote of either kind to after its closing one.
  mutating func parseString() -> String? {
    let quote = text.bytes[index]
    index += 1
    var start = index
    var unescaped: [UInt8] = []
    while true {
      passPlain(quote)
      guard index < limit else {
        if stopsFirstPass() { continue }
        fail("Closing quote expected in string.")
        return nil
      }
      if text.bytes[index] == quote { break }
      unescaped.append(contentsOf: text.bytes[start..<index])
      guard parseEscape(into: &unescaped) else { return nil }
      start = index
    }
    let rest = start..<index
    index += 1
    if unescaped.isEmpty { return string(rest) }
    unescaped.append(contentsOf: text.bytes[rest])
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Ends the first pass here; false when the second is under way already.
  private mutating func stopsFirstPass() -> Bool {
    guard !isFinishing else { return false }
    stopFirstPass(at: index)
    return true
  }

  /// Passes everything but the closing quote and backslashes.
  @inline(__always)
  private mutating func passPlain(_ quote: UInt8) {
    if quote == UInt8(ascii: "\"") { index = min(text.endOfPlain(from: index), limit) }
    while index < limit {
      let byte = text.bytes[index]
      if byte == quote || byte == UInt8(ascii: "\\") { return }
      index += 1
    }
  }

  /// Reads an escape; one that JSON lacks stands for its own character (measured in October 2026).
  private mutating func parseEscape(into bytes: inout [UInt8]) -> Bool {
    guard limit - index > 1 else {
      if stopsFirstPass() { return true }
      fail("Closing quote expected in string.")
      return false
    }
    let letter = text.bytes[index + 1]
    switch letter {
    case UInt8(ascii: "u"): return parseCodePoint(into: &bytes)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "v"): bytes.append(0x0B)
    default: bytes.append(letter)
    }
    index += 2
    return true
  }

  /// Half of a surrogate pair becomes U+FFFD (measured in October 2026).
  private mutating func parseCodePoint(into bytes: inout [UInt8]) -> Bool {
    guard limit - index >= 6 else {
      if stopsFirstPass() { return true }
      fail("Illegal hex string.")
      return false
    }
    guard var code = text.hexadecimal(at: index + 2) else {
      fail("Invalid escape sequence.")
      return false
    }
    if (0xD800..<0xDC00).contains(code) {
      if limit - index < 12, stopsFirstPass() { return true }
      if limit - index >= 12, text.hasWord("\\u", at: index + 6) {
        guard let low = text.hexadecimal(at: index + 8) else {
          fail("Invalid escape sequence.")
          return false
        }
        if (0xDC00..<0xE000).contains(low) {
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
          index += 6
        }
      }
    }
    index += 6
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    return true
  }

  /// Reads a number: first its extent, then its form.
  mutating func parseNumber() -> JSONNumber? {
    var number = extentOfNumber()
    if number.end == limit, stopsFirstPass() { number = extentOfNumber() }
    let digits = text.bytes[index] == UInt8(ascii: "-") ? index + 1 : index
    if !number.isFraction, number.end - digits >= 2, text.bytes[digits] == UInt8(ascii: "0") {
      fail("Octal/hex numbers are not valid JSON values.")
      return nil
    }
    let form = JSONNumberForm(text.bytes[index..<number.end])
    guard form != .invalid else {
      fail("Unable to parse number.")
      return nil
    }
    let characters = string(index..<number.end)
    // Without an exponent only hundreds of digits exceed a double.
    guard form == .lenient || number.isFraction || number.end - index > 300 else {
      index = number.end
      return JSONNumber(verifiedText: characters)
    }
    guard let double = Double(characters), double.isFinite else {
      fail("Number exceeds the range of double.")
      return nil
    }
    index = number.end
    return form == .strict ? JSONNumber(verifiedText: characters) : JSONNumber(double)
  }

  /// Where the characters of a number end, and whether there are any of a fraction among them.
  private func extentOfNumber() -> (end: Int, isFraction: Bool) {
    var end = index
    var isFraction = false
    while end < limit {
      switch text.bytes[end] {
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "x"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isFraction = true
      default: return (end, isFraction)
      }
      end += 1
    }
    return (end, isFraction)
  }
}
