internal import PushpitCrypto
internal import PushpitModel

/// Makes channel ids: 24 characters of standard base64 that hold 16 bytes.
///
/// Ids of the sandbox (September 2026) decode to what looks like a UUID of version 1 (RFC 9562 section
/// 5.1) with the clock sequence 0, as `b6f23650-ad2f-11f1-0000-0e861678e8d9`; that is how they are made.
struct ChannelIDMint {
  /// From 1582-10-15, where such a UUID's time begins, to 1970, in units of 100 ns.
  private static let gregorianOffset: Int64 = 0x01B2_1DD2_1381_4000

  /// The node, 48 bits, of all ids.
  private let node: UInt64
  /// The time of the last id: no two have the same.
  private var lastTime: Int64 = 0

  init(_ random: RandomSource) {
    node = random.next() & 0xFFFF_FFFF_FFFF
  }

  /// A new id.
  mutating func next(at real: Timestamp) -> [UInt8] {
    lastTime = max(real.milliseconds &* 10_000 &+ Self.gregorianOffset, lastTime + 1)
    let time = UInt64(bitPattern: lastTime)
    let words: [(value: UInt64, byteCount: Int)] = [
      (time & 0xFFFF_FFFF, 4), (time >> 32 & 0xFFFF, 2), (time >> 48 & 0x0FFF | 0x1000, 2),
      (0, 2), (node, 6),
    ]
    let bytes = words.flatMap { word in
      (0..<word.byteCount).reversed().map { UInt8(word.value >> UInt64($0 * 8) & 0xFF) }
    }
    return Array(Base64.encode(bytes, url: false, padded: true).utf8)
  }
}
