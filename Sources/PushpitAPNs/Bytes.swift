extension ArraySlice<UInt8> {
  /// Whether it has a literal's bytes.
  func isEqual(_ literal: StaticString) -> Bool {
    withUnsafeBufferPointer { equalBytes($0, literal) }
  }

  /// Whether it has the same bytes as an array.
  func isEqual(_ other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { bytes in other.withUnsafeBufferPointer { equalBytes(bytes, $0) } }
  }
}

extension [UInt8] {
  /// Whether it has a literal's bytes.
  func isEqual(_ literal: StaticString) -> Bool {
    withUnsafeBufferPointer { equalBytes($0, literal) }
  }
}

/// Whether bytes end with a literal's; most do not even end with its last one.
@inline(__always)
func hasSuffix(_ bytes: UnsafeBufferPointer<UInt8>, _ suffix: StaticString) -> Bool {
  let count = suffix.utf8CodeUnitCount
  guard bytes.count >= count, bytes[bytes.count - 1] == suffix.utf8Start[count - 1] else {
    return false
  }
  return equalBytes(UnsafeBufferPointer(rebasing: bytes[(bytes.count - count)...]), suffix)
}

/// Whether bytes equal a literal.
@inline(__always)
func equalBytes(_ bytes: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
  equalBytes(
    bytes,
    UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
}

/// Whether two buffers hold the same bytes, compared eight at a time.
///
/// A provider token of 200 bytes is compared on every push, and so are ten names of fields. The
/// last eight bytes may be compared twice.
@inline(__always)
func equalBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  let count = left.count
  guard count == right.count else { return false }
  let left = UnsafeRawBufferPointer(left)
  let right = UnsafeRawBufferPointer(right)
  guard count >= 8 else {
    for offset in 0..<count where left[offset] != right[offset] { return false }
    return true
  }
  func isEqual(at offset: Int) -> Bool {
    left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
  var offset = 0
  while offset < count - 8 {
    guard isEqual(at: offset) else { return false }
    offset += 8
  }
  return isEqual(at: count - 8)
}

/// Whether bytes equal a lower-case literal when upper-case ASCII letters count as lower-case ones.
@inline(__always)
func equalIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
  // In HTTP/2 every name is in lower case.
  equalBytes(bytes, literal) || equalBytewiseIgnoringCase(bytes, literal)
}

private func equalBytewiseIgnoringCase(
  _ bytes: UnsafeBufferPointer<UInt8>, _ literal: StaticString
) -> Bool {
  guard bytes.count == literal.utf8CodeUnitCount else { return false }
  for index in 0..<bytes.count {
    var byte = bytes[index]
    if byte &- 0x41 < 26 { byte |= 0x20 }
    guard byte == literal.utf8Start[index] else { return false }
  }
  return true
}

/// The first place of one of two bytes, searched eight bytes at a time.
func firstIndex(in bytes: UnsafeBufferPointer<UInt8>, of first: UInt8, or second: UInt8) -> Int? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let highs: UInt64 = 0x8080_8080_8080_8080
  let raw = UnsafeRawBufferPointer(bytes)
  var index = 0
  while index + 8 <= bytes.count {
    let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let isFirst = word ^ (ones &* UInt64(first))
    let isSecond = word ^ (ones &* UInt64(second))
    // A byte that became zero borrows into its own high bit: the classic test for a zero byte.
    let found = ((isFirst &- ones) & ~isFirst | (isSecond &- ones) & ~isSecond) & highs
    if found != 0 { break }
    index += 8
  }
  while index < bytes.count {
    if bytes[index] == first || bytes[index] == second { return index }
    index += 1
  }
  return nil
}
