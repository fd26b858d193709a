/// The generator of identifiers: seeded for repeatable runs, from the system otherwise.
///
/// Never used for keys, certificates or console tokens.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and `next()` calls nothing.
package final class RandomSource {
  @exclusivity(unchecked) private var state: UInt64

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

  /// Bytes of the text that `uuid` makes.
  package static let uuidByteCount = 36

  /// Makes the array's bytes 8-4-4-4-12 hexadecimal digits of plain random bits: the shape of an
  /// identifier that APNs makes, whose version and variant bits are not those of RFC 9562 (observed
  /// 2018-2026).
  package func uuid(into bytes: inout [UInt8], uppercase: Bool) {
    if bytes.count != Self.uuidByteCount {
      bytes = [UInt8](repeating: 0, count: Self.uuidByteCount)
    }
    let first = next()
    let second = next()
    bytes.withUnsafeMutableBytes { text in
      // Eight digits at a time, of which two groups of four lie apart.
      let fours = Self.digits(first >> 32, uppercase)
      let next = Self.digits(second, uppercase)
      Self.store(Self.digits(first, uppercase), at: 0, in: text)
      Self.store(UInt32(truncatingIfNeeded: fours), at: 9, in: text)
      Self.store(UInt32(truncatingIfNeeded: fours >> 32), at: 14, in: text)
      Self.store(UInt32(truncatingIfNeeded: next), at: 19, in: text)
      Self.store(UInt32(truncatingIfNeeded: next >> 32), at: 24, in: text)
      Self.store(Self.digits(second >> 32, uppercase), at: 28, in: text)
      text[8] = UInt8(ascii: "-")
      text[13] = UInt8(ascii: "-")
      text[18] = UInt8(ascii: "-")
      text[23] = UInt8(ascii: "-")
    }
  }

  /// Writes characters, the first in the lowest byte.
  @inline(__always)
  private static func store(
    _ characters: some FixedWidthInteger & BitwiseCopyable, at offset: Int,
    in text: UnsafeMutableRawBufferPointer
  ) {
    text.storeBytes(of: characters.littleEndian, toByteOffset: offset, as: type(of: characters))
  }

  /// The low 32 bits as eight hexadecimal digits, the lowest four bits in the lowest byte.
  @inline(__always)
  private static func digits(_ bits: UInt64, _ uppercase: Bool) -> UInt64 {
    // Spreads the digits' values over the bytes of a word: halves, quarters, single digits.
    var values = bits & 0xFFFF_FFFF
    values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
    values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
    values = (values | values << 4) & 0x0F0F_0F0F_0F0F_0F0F
    return characters(of: values, uppercase)
  }

  /// The characters of eight digits, one in each byte.
  @inline(__always)
  private static func characters(of values: UInt64, _ uppercase: Bool) -> UInt64 {
    // One in the bytes from ten on, which get the distance from `9` to `a` or `A` on top.
    let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let distance: UInt64 = uppercase ? 7 : 39
    return values &+ 0x3030_3030_3030_3030 &+ letters &* distance
  }

  /// `count` lower-case hexadecimal digits.
  package func hex(_ count: Int) -> String {
    text(count, of: "0123456789abcdef")
  }

  /// The digits that `hex(16)` makes, the first in the lowest byte of the first word.
  package func hexDigits16() -> (UInt64, UInt64) {
    let first = eightHexDigits()
    return (first, eightHexDigits())
  }

  private func eightHexDigits() -> UInt64 {
    var values: UInt64 = 0
    for index in 0..<8 { values |= (next() & 15) << UInt64(index * 8) }
    return Self.characters(of: values, false)
  }

  /// `count` characters drawn from an alphabet of ASCII characters.
  package func text(_ count: Int, of alphabet: StaticString) -> String {
    let letters = UnsafeBufferPointer(
      start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount)
    let bytes = (0..<count).map { _ in letters[Int(next() % UInt64(letters.count))] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
