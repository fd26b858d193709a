// Comparing and searching bytes on the request path, by words of eight. Everything is inlined into the modules
// that use it: a call costs more than most of these comparisons.

extension UnsafeBufferPointer<UInt8> {
  /// A part of it.
  @inlinable @inline(__always)
  package subscript(at range: Range<Int>) -> Self { Self(rebasing: self[range]) }

  /// Whether it holds a literal's bytes.
  @inlinable @inline(__always)
  package func isEqual(_ literal: StaticString) -> Bool {
    hasBytes(of: Self(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Whether it holds a lower-case literal's bytes when upper-case ASCII letters count as lower-case ones.
  @inlinable @inline(__always)
  package func isEqualIgnoringCase(_ literal: StaticString) -> Bool {
    // In HTTP/2 every name is in lower case.
    isEqual(literal) || isEqualBytewiseIgnoringCase(literal)
  }

  @usableFromInline
  package func isEqualBytewiseIgnoringCase(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      var byte = self[index]
      if byte &- 0x41 < 26 { byte |= 0x20 }
      guard byte == literal.utf8Start[index] else { return false }
    }
    return true
  }

  /// Whether both hold the same bytes: an access token of a thousand bytes is compared on every push,
  /// and so are ten names of fields.
  ///
  /// The last eight bytes may be compared twice.
  @inlinable @inline(__always)
  package func hasBytes(of other: Self) -> Bool {
    guard count == other.count else { return false }
    let left = UnsafeRawBufferPointer(self)
    let right = UnsafeRawBufferPointer(other)
    guard count >= 8 else {
      for offset in 0..<count where left[offset] != right[offset] { return false }
      return true
    }
    func difference(at offset: Int) -> UInt64 {
      left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var offset = 0
    while offset + 32 <= count {
      let difference =
        difference(at: offset) | difference(at: offset + 8) | difference(at: offset + 16)
        | difference(at: offset + 24)
      guard difference == 0 else { return false }
      offset += 32
    }
    while offset < count - 8 {
      guard difference(at: offset) == 0 else { return false }
      offset += 8
    }
    return difference(at: count - 8) == 0
  }

  /// Whether it begins with a literal's bytes.
  @inlinable @inline(__always)
  package func begins(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount
      && Self(rebasing: self[..<literal.utf8CodeUnitCount]).isEqual(literal)
  }

  /// Whether it begins with the bytes of an array.
  @inlinable @inline(__always)
  package func begins(with bytes: [UInt8]) -> Bool {
    count >= bytes.count
      && bytes.withUnsafeBufferPointer { Self(rebasing: self[..<bytes.count]).hasBytes(of: $0) }
  }

  /// Whether it ends with a literal's bytes; most do not even end with its last one.
  @inlinable @inline(__always)
  package func ends(with literal: StaticString) -> Bool {
    let literalCount = literal.utf8CodeUnitCount
    guard count >= literalCount, literalCount > 0 else { return literalCount == 0 }
    return self[count - 1] == literal.utf8Start[literalCount - 1]
      && Self(rebasing: self[(count - literalCount)...]).isEqual(literal)
  }

  /// The place of the first byte of this value from a place on, searched 32 bytes at a time and then one
  /// by one.
  @inlinable
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    let raw = UnsafeRawBufferPointer(self)
    func hits(at offset: Int) -> UInt64 {
      raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).hits(of: byte)
    }
    var index = start
    while index + 32 <= count {
      let found =
        hits(at: index) | hits(at: index + 8) | hits(at: index + 16) | hits(at: index + 24)
      if found != 0 { break }
      index += 32
    }
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The first place of one of two bytes, searched eight bytes at a time.
  @inlinable
  package func firstIndex(of first: UInt8, or second: UInt8) -> Int? {
    let raw = UnsafeRawBufferPointer(self)
    var index = 0
    while index + 8 <= count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word.hits(of: first) | word.hits(of: second) != 0 { break }
      index += 8
    }
    while index < count {
      if self[index] == first || self[index] == second { return index }
      index += 1
    }
    return nil
  }
}

extension UInt64 {
  /// Not zero when one of its eight bytes is this one.
  ///
  /// A byte that became zero borrows into its own high bit: the classic test for a zero byte.
  @inlinable @inline(__always)
  package func hits(of byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = self ^ (ones &* UInt64(byte))
    return (word &- ones) & ~word & (ones &* 0x80)
  }
}

extension [UInt8] {
  /// Whether it has a literal's bytes.
  @inlinable @inline(__always)
  package func isEqual(_ literal: StaticString) -> Bool {
    withUnsafeBufferPointer { $0.isEqual(literal) }
  }
}

extension ArraySlice<UInt8> {
  /// Whether it has a literal's bytes.
  @inlinable @inline(__always)
  package func isEqual(_ literal: StaticString) -> Bool {
    withUnsafeBufferPointer { $0.isEqual(literal) }
  }

  /// Whether it has the same bytes as an array.
  @inlinable @inline(__always)
  package func isEqual(_ other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { bytes in
      other.withUnsafeBufferPointer { bytes.hasBytes(of: $0) }
    }
  }
}
