/// A search for one word in bytes, ASCII letters without case, in linear time for typical words.
///
/// A word beyond ASCII is also found as JSON escapes it (`\u0434`), because many senders do.
struct TextSearch {
  private let needles: [[UInt8]]

  init(word: String) {
    let plain = word.utf8.map(Self.lowercase)
    guard !word.utf8.allSatisfy({ $0 < 0x80 }) else {
      needles = [plain]
      return
    }
    let escaped = word.utf16.flatMap { unit -> [UInt8] in
      guard unit >= 0x80 else { return [Self.lowercase(UInt8(unit))] }
      let digits = String(unit, radix: 16)
      return Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        + Array(digits.utf8)
    }
    needles = [plain, escaped]
  }

  /// Whether the bytes contain the word.
  func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    needles.contains { Self.contains(bytes, $0) }
  }

  /// Whether the text contains the word.
  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }

  private static func contains(_ bytes: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard bytes.count >= needle.count else { return false }
    for start in 0...(bytes.count - needle.count) where lowercase(bytes[start]) == first {
      var index = 1
      while index < needle.count, lowercase(bytes[start + index]) == needle[index] { index += 1 }
      if index == needle.count { return true }
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
