/// Bytes as the key of a dictionary, hashed in one go.
///
/// `[UInt8]` hashes each of its elements by itself: 1 us for a token of 200 bytes.
struct ByteKey: Sendable, Hashable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
