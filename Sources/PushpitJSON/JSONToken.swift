/// What the lenient parser tells tokens by.
enum JSONToken {
  /// `ascii_isspace`, more than the white space of RFC 8259.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte >= 0x09 && byte <= 0x0D
  }

  /// A character that a bare key can begin with.
  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// A character that a bare key can have.
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte >= 0x30 && byte <= 0x39
  }

  /// Whether a token can begin with this byte, in its place or not.
  static func begins(with byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
      UInt8(ascii: ","):
      true
    default: isAlphanumeric(byte)
    }
  }
}
