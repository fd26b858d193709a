/// Base64 in both alphabets of RFC 4648: the standard one and the one for URLs.
package enum Base64 {
  private static let standardLetters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let urlLetters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  /// The value of every character, 255 for those of neither alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for letters in [standardLetters, urlLetters] {
      for value in 0..<64 { values[Int(letters.utf8Start[value])] = UInt8(value) }
    }
    return values
  }()

  /// Writes bytes in base64.
  package static func encode(
    _ bytes: some Collection<UInt8>, url: Bool, padded: Bool
  ) -> String {
    let letters = (url ? urlLetters : standardLetters).utf8Start
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var pending = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      pending += 8
      while pending >= 6 {
        pending -= 6
        text.append(letters[Int(bits >> UInt32(pending) & 63)])
      }
    }
    if pending > 0 { text.append(letters[Int(bits << UInt32(6 - pending) & 63)]) }
    while padded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads base64 of either alphabet, with its padding or without any.
  ///
  /// Providers send provider tokens in both (a2 writes standard, padded base64). Unused bits of
  /// the last character may be anything (RFC 4648 section 3.5 leaves it open).
  /// - Returns: nil for any other character, incomplete padding, or a length that cannot be.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    if let result = text.withContiguousStorageIfAvailable({ decode(contiguous: $0) }) {
      return result
    }
    return [UInt8](text).withUnsafeBufferPointer { decode(contiguous: $0) }
  }

  private static func decode(contiguous text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    if count < text.count, text.count % 4 != 0 { return nil }
    let rest = count % 4
    if rest == 1 { return nil }
    var invalid: UInt8 = 0
    let decodedCount = count / 4 * 3 + (rest == 0 ? 0 : rest - 1)
    let bytes = [UInt8](unsafeUninitializedCapacity: decodedCount) { output, initialized in
      values.withUnsafeBufferPointer { values in
        invalid = decode(text, count: count, by: values, into: output)
      }
      initialized = decodedCount
    }
    return invalid & 0xC0 == 0 ? bytes : nil
  }

  /// Decodes four characters at a time.
  ///
  /// - Returns: All values or-ed together: over 63 when a character was of neither alphabet.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, count: Int, by values: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> UInt8 {
    var seen: UInt8 = 0
    var bits: UInt32 = 0
    var written = 0
    for index in 0..<count {
      let value = values[Int(text[index])]
      seen |= value
      bits = bits << 6 | UInt32(value & 63)
      guard index & 3 == 3 else { continue }
      output[written] = UInt8(truncatingIfNeeded: bits >> 16)
      output[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
      output[written + 2] = UInt8(truncatingIfNeeded: bits)
      written += 3
    }
    let rest = count & 3
    if rest >= 2 { output[written] = UInt8(truncatingIfNeeded: bits >> (rest == 2 ? 4 : 10)) }
    if rest == 3 { output[written + 1] = UInt8(truncatingIfNeeded: bits >> 2) }
    return seen
  }
}
