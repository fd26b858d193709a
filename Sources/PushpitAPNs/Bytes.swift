extension ArraySlice<UInt8> {
  /// Whether it has a literal's bytes.
  func isEqual(_ literal: StaticString) -> Bool {
    count == literal.utf8CodeUnitCount && hasSuffix(literal)
  }

  /// Whether it has the same bytes as an array.
  func isEqual(_ other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { bytes in other.withUnsafeBufferPointer { equalBytes(bytes, $0) } }
  }

  /// Whether no byte of it is a percent sign, so that it needs no decoding.
  var isFreeOfPercent: Bool {
    withUnsafeBufferPointer { bytes in
      for byte in bytes where byte == UInt8(ascii: "%") { return false }
      return true
    }
  }

  /// Whether it ends with a literal's bytes.
  func hasSuffix(_ suffix: StaticString) -> Bool {
    let count = suffix.utf8CodeUnitCount
    guard self.count >= count else { return false }
    return withUnsafeBufferPointer { bytes in
      equalBytes(
        UnsafeBufferPointer(rebasing: bytes[(bytes.count - count)...]),
        UnsafeBufferPointer(start: suffix.utf8Start, count: count))
    }
  }
}

/// Whether two buffers hold the same bytes, compared eight at a time.
///
/// A provider token of 200 bytes is compared on every push, so this is on the hot path.
func equalBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  let left = UnsafeRawBufferPointer(left)
  let right = UnsafeRawBufferPointer(right)
  var offset = 0
  while offset + 8 <= left.count {
    guard
      left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    else { return false }
    offset += 8
  }
  while offset < left.count {
    guard left[offset] == right[offset] else { return false }
    offset += 1
  }
  return true
}

/// Whether bytes equal a lower-case literal when upper-case ASCII letters count as lower-case ones.
func equalIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
  guard bytes.count == literal.utf8CodeUnitCount else { return false }
  // In HTTP/2 every name is in lower case.
  let literalBytes = UnsafeBufferPointer(start: literal.utf8Start, count: bytes.count)
  if equalBytes(bytes, literalBytes) { return true }
  for index in 0..<bytes.count {
    var byte = bytes[index]
    if byte &- 0x41 < 26 { byte |= 0x20 }
    guard byte == literal.utf8Start[index] else { return false }
  }
  return true
}
