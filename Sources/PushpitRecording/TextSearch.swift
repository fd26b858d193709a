/// A search for one word in bytes, ASCII letters without case, in linear time for typical words.
///
/// A word beyond ASCII is also found as JSON escapes it (`\u0434`), because many senders do.
struct TextSearch {
  private let needles: [Needle]

  init(word: String) {
    let plain = word.utf8.map(Self.lowercase)
    guard !word.utf8.allSatisfy({ $0 < 0x80 }) else {
      needles = [Needle(plain)]
      return
    }
    let escaped = word.utf16.flatMap { unit -> [UInt8] in
      guard unit >= 0x80 else { return [Self.lowercase(UInt8(unit))] }
      let digits = String(unit, radix: 16)
      return Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        + Array(digits.utf8)
    }
    needles = [Needle(plain), Needle(escaped)]
  }

  /// Whether the bytes contain the word.
  func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    needles.contains { $0.isFound(in: bytes) }
  }

  /// Whether the text contains the word.
  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }

  fileprivate static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

/// What is looked for, in lower case.
///
/// Sixteen places are looked at together: those where the first and the last byte are right, which few
/// are, are compared byte by byte. A query asks every record, so this is nearly all that it costs.
private struct Needle {
  private typealias Block = SIMD16<UInt8>

  private let bytes: [UInt8]
  private let first: End
  private let last: End

  /// One of the two bytes that are looked for.
  private struct End {
    /// Makes a letter lower case, and is zero for what is no letter.
    let fold: Block
    let byte: Block

    init(_ byte: UInt8) {
      self.byte = Block(repeating: byte)
      fold = Block(repeating: byte &- 0x61 < 26 ? 0x20 : 0)
    }

    @inline(__always) func isAt(_ place: UnsafeRawPointer) -> SIMDMask<SIMD16<Int8>> {
      (place.loadUnaligned(as: Block.self) | fold) .== byte
    }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    first = End(bytes.first ?? 0)
    last = End(bytes.last ?? 0)
  }

  func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    let placeCount = text.count - bytes.count + 1
    guard placeCount > 0, let start = text.baseAddress else { return false }
    return bytes.withUnsafeBytes { needle in
      guard placeCount >= Block.scalarCount else {
        return (0..<placeCount).contains { Self.begins(start + $0, needle) }
      }
      var place = 0
      while place + Block.scalarCount <= placeCount {
        if isFound(needle, inBlockAt: start + place) { return true }
        place += Block.scalarCount
      }
      // The last block overlaps the one before.
      return place < placeCount
        && isFound(needle, inBlockAt: start + (placeCount - Block.scalarCount))
    }
  }

  @inline(__always)
  private func isFound(
    _ needle: UnsafeRawBufferPointer, inBlockAt place: UnsafeRawPointer
  ) -> Bool {
    let mask = first.isAt(place) .& last.isAt(place + (needle.count - 1))
    // A mask has all bits of a lane or none; as two integers its lanes are found without a loop.
    let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    if halves.x | halves.y == 0 { return false }
    return isFound(needle, at: place, lanes: halves.x)
      || isFound(needle, at: place + 8, lanes: halves.y)
  }

  private func isFound(
    _ needle: UnsafeRawBufferPointer, at place: UnsafeRawPointer, lanes: UInt64
  ) -> Bool {
    var lanes = lanes.littleEndian
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount / 8
      if Self.begins(place + lane, needle) { return true }
      lanes &= ~(0xFF << UInt64(lane * 8))
    }
    return false
  }

  private static func begins(_ place: UnsafeRawPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<needle.count
    where TextSearch.lowercase(place.load(fromByteOffset: index, as: UInt8.self)) != needle[index] {
      return false
    }
    return true
  }
}
