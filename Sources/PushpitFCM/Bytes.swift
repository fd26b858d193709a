extension UnsafeBufferPointer<UInt8> {
  /// Whether it holds a literal's bytes.
  @inline(__always)
  func isEqual(_ literal: StaticString) -> Bool {
    hasBytes(of: Self(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Whether both hold the same bytes, compared 32 and then eight at a time: an access token of a
  /// thousand bytes is compared on every push.
  ///
  /// The last eight bytes may be compared twice.
  @inline(__always)
  func hasBytes(of other: Self) -> Bool {
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
  @inline(__always)
  func begins(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount
      && Self(rebasing: self[..<literal.utf8CodeUnitCount]).isEqual(literal)
  }

  /// Whether it ends with a literal's bytes.
  @inline(__always)
  func ends(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount
      && Self(rebasing: self[(count - literal.utf8CodeUnitCount)...]).isEqual(literal)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A part of it.
  @inline(__always)
  subscript(at range: Range<Int>) -> Self { Self(rebasing: self[range]) }
}
