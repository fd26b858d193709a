internal import PushpitHTTPTypes

/// The character rules of RFC 9110 section 5 and RFC 9113 section 8.2.1, for both protocols.
enum FieldRules {
  /// Whether the bytes are a token: one `tchar` or more.
  static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    for byte in bytes where !isTokenByte(byte) { return false }
    return true
  }

  /// Whether the bytes are a field name of HTTP/2: a token without upper-case letters.
  static func isLowercaseName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    // Nearly every name: letters and dashes.
    if 8...16 ~= bytes.count,
      bytes.allWords({ $0.bytes(from: 0x61, to: 0x7a) | $0.bytes(from: 0x2d, to: 0x2d) })
    {
      return true
    }
    for byte in bytes where !isTokenByte(byte) || byte &- 0x41 < 26 { return false }
    return true
  }

  /// Whether a byte may be part of a token: two 64-bit sets for the two halves of ASCII.
  @inline(__always)
  static func isTokenByte(_ byte: UInt8) -> Bool {
    let set: UInt64 = byte < 64 ? 0x03ff_6cfa_0000_0000 : 0x57ff_ffff_c7ff_fffe
    return byte < 128 && set >> UInt64(byte & 63) & 1 == 1
  }

  /// Whether the bytes are a field's value without blanks around it: no control character but tab.
  static func isValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    if isBlank(first) || isBlank(last) { return false }
    return hasNoControls(bytes)
  }

  /// A value without the blanks around it.
  @inline(__always)
  static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let first = value.first, let last = value.last, isBlank(first) || isBlank(last) else {
      return value
    }
    return cut(value)
  }

  @inline(never)
  private static func cut(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let text = value.drop(while: isBlank)
    guard let last = text.lastIndex(where: { !isBlank($0) }) else {
      return UnsafeBufferPointer(rebasing: value.prefix(0))
    }
    return UnsafeBufferPointer(rebasing: text[...last])
  }

  /// Whether no byte is a control character other than tab.
  static func hasNoControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // A tab stops this too; then each byte is looked at.
    if bytes.count >= 8, bytes.allWords({ $0 | $0.bytes(from: 0x20, to: 0x7e) }) { return true }
    for byte in bytes where isControl(byte) { return false }
    return true
  }

  /// Whether the bytes are a scheme, or `https:` as firebase-admin-node 12.7 writes it.
  static func isScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.isEqual("https") || bytes.isEqual("http") || bytes.isEqual("https:") { return true }
    guard let first = bytes.first, (first | 0x20) &- 0x61 < 26 else { return false }
    for byte in bytes {
      let isLetter = (byte | 0x20) &- 0x61 < 26
      let isDigit = byte &- 0x30 < 10
      guard isLetter || isDigit || byte == 0x2b || byte == 0x2d || byte == 0x2e else {
        return false
      }
    }
    return true
  }

  /// Whether the bytes can be host and port: visible, without user information and path.
  static func isAuthority(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Nearly every authority: letters, dash and dot, digits and colon.
    if bytes.count >= 8,
      bytes.allWords({
        $0.bytes(from: 0x61, to: 0x7a) | $0.bytes(from: 0x2d, to: 0x2e)
          | $0.bytes(from: 0x30, to: 0x3a)
      })
    {
      return true
    }
    for byte in bytes {
      guard byte > 0x20, byte < 0x7f else { return false }
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"),
        UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""):
        return false
      default: continue
      }
    }
    return true
  }

  /// The number that the bytes write in digits; nil for anything else and from 10^18 on.
  static func decimal(_ bytes: some Collection<UInt8>) -> Int64? {
    guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// Whether two texts are equal apart from the case of ASCII letters.
  static func equalWithoutCase(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
    one.elementsEqual(other) { lowercase($0) == lowercase($1) }
  }

  /// The byte with an ASCII letter in lower case.
  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Whether the byte is a space or a tab.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7f
  }
}

extension UInt64 {
  /// Sets the high bit of each of its eight bytes that lies between two of ASCII, these included.
  ///
  /// The other bits mean nothing.
  @inline(__always)
  fileprivate func bytes(from first: UInt8, to last: UInt8) -> UInt64 {
    // With the high bits masked, adding sets them from `first` on, and beyond `last`.
    let each: UInt64 = 0x0101_0101_0101_0101
    let low = self & 0x7f7f_7f7f_7f7f_7f7f
    let isFrom = low &+ UInt64(0x80 - first) &* each
    let isBeyond = low &+ UInt64(0x7f - last) &* each
    return isFrom & ~isBeyond & ~self
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether `test` sets the high bit of every byte, given any eight neighbours; for eight or more.
  ///
  /// The last eight may overlap those before. The loop has no early end, so that it runs on vectors.
  @inline(__always)
  fileprivate func allWords(_ test: (UInt64) -> UInt64) -> Bool {
    guard let start = UnsafeRawPointer(baseAddress), count >= 8 else { return false }
    var bits = test(start.loadUnaligned(as: UInt64.self))
    bits &= test(start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    if count > 16 {
      for index in 1..<count / 8 {
        bits &= test(start.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
      }
    }
    return bits & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080
  }
}
