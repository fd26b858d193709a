/// The generator of identifiers: seeded for repeatable runs, from the system otherwise.
///
/// Never used for keys, certificates or console tokens.
package final class RandomSource {
  private var state: UInt64

  /// Starts from a seed, or from the system's generator.
  package init(seed: UInt64? = nil) {
    state = seed ?? UInt64.random(in: .min ... .max)
  }

  /// 64 random bits, by the public-domain generator SplitMix64 of Sebastiano Vigna.
  package func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Appends 8-4-4-4-12 hexadecimal digits of plain random bits: the shape of an identifier that
  /// APNs makes, whose version and variant bits are not those of RFC 9562 (observed 2018-2026).
  package func appendUUID(to bytes: inout [UInt8], uppercase: Bool) {
    let digits: StaticString = uppercase ? "0123456789ABCDEF" : "0123456789abcdef"
    let groupEnds: InlineArray<5, Int> = [8, 13, 18, 23, 36]
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
      var bits = next()
      var index = 0
      for group in groupEnds.indices {
        if group == 3 { bits = next() }
        while index < groupEnds[group] {
          text[index] = digits.utf8Start[Int(bits & 15)]
          bits >>= 4
          index += 1
        }
        guard index < 36 else { break }
        text[index] = UInt8(ascii: "-")
        index += 1
      }
      bytes.append(contentsOf: text)
    }
  }

  /// `count` lower-case hexadecimal digits.
  package func hex(_ count: Int) -> String {
    text(count, of: "0123456789abcdef")
  }

  /// `count` characters drawn from an alphabet of ASCII characters.
  package func text(_ count: Int, of alphabet: StaticString) -> String {
    let letters = UnsafeBufferPointer(
      start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount)
    let bytes = (0..<count).map { _ in letters[Int(next() % UInt64(letters.count))] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
