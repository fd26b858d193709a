/// What the parser and the scanner share: byte tests on a JSON text.
///
/// No method reads outside the buffer, whatever its bytes are.
struct JSONText {
  let bytes: UnsafeBufferPointer<UInt8>

  /// The byte at an index, or nil after the end.
  subscript(index: Int) -> UInt8? {
    @inline(__always) get { index < bytes.count ? bytes[index] : nil }
  }

  /// The index after white space (RFC 8259 section 2).
  @inline(__always)
  func endOfWhiteSpace(from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      index += 1
    }
    return index
  }

  /// The index of the first byte of a string that is not plain: a quote, a backslash, a control
  /// character, a byte of a longer UTF-8 sequence, or the end.
  @inline(__always)
  func endOfPlain(from start: Int) -> Int {
    var index = start
    // Eight bytes at once, and after the first eight, which keys seldom outlast, four times eight.
    if bytes.count - index >= 8 {
      let special = special(at: index)
      if special != 0 { return index + special.trailingZeroBitCount >> 3 }
      index += 8
    }
    while bytes.count - index >= 32 {
      let special =
        special(at: index) | special(at: index + 8) | special(at: index + 16)
        | special(at: index + 24)
      guard special == 0 else { break }
      index += 32
    }
    while bytes.count - index >= 8 {
      let special = special(at: index)
      if special != 0 { return index + special.trailingZeroBitCount >> 3 }
      index += 8
    }
    while index < bytes.count, Self.isPlain(bytes[index]) { index += 1 }
    return index
  }

  /// The high bits of those of eight bytes that are not plain.
  ///
  /// A byte of 0x80 and more has its own set. In others a subtraction sets it when it borrows, which
  /// can set the bit of a later byte too, so only the lowest one is sure.
  @inline(__always)
  private func special(at index: Int) -> UInt64 {
    let word = UInt64(
      littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: index, as: UInt64.self))
    let low: UInt64 = 0x0101_0101_0101_0101
    let quote = (word ^ (low &* 0x22)) &- low
    let backslash = (word ^ (low &* 0x5C)) &- low
    let control = word &- low &* 0x20
    return (quote | backslash | control | word) & 0x8080_8080_8080_8080
  }

  /// Whether a byte of a string stands for itself alone.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
  }

  /// The length of the UTF-8 sequence (RFC 3629 section 4) that begins here; 0 when it is invalid.
  @inline(__always)
  func sequenceLength(at index: Int) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    guard first >= 0xC2, first <= 0xF4, isContinuation(index + 1) else { return 0 }
    if first < 0xE0 { return 2 }
    let second = bytes[index + 1]
    guard isContinuation(index + 2) else { return 0 }
    if first < 0xF0 {
      let isShorter = first == 0xE0 && second < 0xA0
      let isSurrogate = first == 0xED && second > 0x9F
      return isShorter || isSurrogate ? 0 : 3
    }
    let isShorter = first == 0xF0 && second < 0x90
    let isTooLarge = first == 0xF4 && second > 0x8F
    return isContinuation(index + 3) && !isShorter && !isTooLarge ? 4 : 0
  }

  /// The index of the first byte that is no part of valid UTF-8, or the end.
  func endOfValidUTF8(from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes.count - index >= 8 {
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(
          fromByteOffset: index, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 {
          index += 8
          continue
        }
      }
      let length = sequenceLength(at: index)
      guard length > 0 else { return index }
      index += length
    }
    return index
  }

  @inline(__always)
  private func isContinuation(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] & 0xC0 == 0x80
  }

  /// The index after digits.
  @inline(__always)
  func endOfDigits(from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 { index += 1 }
    return index
  }

  /// The value of four hexadecimal digits; nil when they are not there.
  func hexadecimal(at start: Int) -> UInt32? {
    guard bytes.count - start >= 4 else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<start + 4] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }

  /// Whether these characters stand here.
  @inline(__always)
  func hasWord(_ word: StaticString, at start: Int) -> Bool {
    guard bytes.count - start >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where bytes[start + offset] != word.utf8Start[offset] {
      return false
    }
    return true
  }
}
