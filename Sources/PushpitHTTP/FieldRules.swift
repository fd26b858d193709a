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
    if areLettersAndDashes(bytes) { return true }
    for byte in bytes where !isTokenByte(byte) || byte &- 0x41 < 26 { return false }
    return true
  }

  /// Whether 8 to 16 bytes are all `a` to `z` or `-`, as those of nearly every name are.
  @inline(__always)
  private static func areLettersAndDashes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Seven bits plus these numbers set the high bit from `a` on, beyond `z`, and for all but zero.
    guard 8...16 ~= bytes.count else { return false }
    let bits = bytes.anyWord { word in
      let isLetter = (word &+ 0x1f1f_1f1f_1f1f_1f1f) & ~(word &+ 0x0505_0505_0505_0505)
      let isDash = ~((word ^ 0x2d2d_2d2d_2d2d_2d2d) &+ 0x7f7f_7f7f_7f7f_7f7f)
      return ~((isLetter | isDash) & ~word)
    }
    return bits & highBits == 0
  }

  /// The highest bit of each of eight bytes.
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether a byte may be part of a token: two 64-bit sets for the two halves of ASCII.
  @inline(__always)
  static func isTokenByte(_ byte: UInt8) -> Bool {
    let set: UInt64 = byte < 64 ? 0x03ff_6cfa_0000_0000 : 0x57ff_ffff_c7ff_fffe
    return byte < 128 && set >> UInt64(byte & 63) & 1 == 1
  }

  /// Whether the bytes may be a field's value: no control character but tab, no space around it.
  static func isValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    if isBlank(first) || isBlank(last) { return false }
    return hasNoControls(bytes)
  }

  /// Whether no byte is a control character other than tab.
  static func hasNoControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // A byte below 0x20, or one equal to 0x7f, leaves its high bit set. So does a tab; then each
    // byte is looked at.
    if bytes.count >= 8 {
      let bits = bytes.anyWord { word in
        let below = (word &- 0x2020_2020_2020_2020) & ~word
        let deleted = word ^ 0x7f7f_7f7f_7f7f_7f7f
        return below | (deleted &- 0x0101_0101_0101_0101) & ~deleted
      }
      if bits & highBits == 0 { return true }
    }
    for byte in bytes where isControl(byte) { return false }
    return true
  }

  /// Whether the bytes are a scheme, or `https:` as firebase-admin-node 12.7 writes it.
  static func isScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.equals("https") || bytes.equals("http") || bytes.equals("https:") { return true }
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

extension UnsafeBufferPointer<UInt8> {
  /// The bits that `test` sets for any eight neighbouring bytes, taken together; for eight or more.
  ///
  /// The last eight may overlap those before. The loop has no early end, so that it runs on vectors.
  @inline(__always)
  fileprivate func anyWord(_ test: (UInt64) -> UInt64) -> UInt64 {
    guard let start = UnsafeRawPointer(baseAddress), count >= 8 else { return 0 }
    var bits = test(start.loadUnaligned(as: UInt64.self))
    bits |= test(start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    guard count > 16 else { return bits }
    for index in 1..<count / 8 {
      bits |= test(start.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
    }
    return bits
  }

  /// Whether the bytes are those of a literal.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != literal.utf8Start[index] { return false }
    return true
  }
}

extension [UInt8] {
  /// Whether the bytes are those of a literal.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    withUnsafeBufferPointer { $0.equals(literal) }
  }
}
