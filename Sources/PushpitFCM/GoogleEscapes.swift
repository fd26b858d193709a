/// The characters that Google's front end escapes in JSON beside those that JSON demands: `<` and `>`,
/// "for HTML security", and what nobody sees, such as DEL, the C1 controls, marks of direction and tags.
///
/// The list is that of protobuf's `json_escaping.cc`, of which the front end is a port; what senders wrote
/// comes back in errors.
enum GoogleEscapes {
  /// Escapes them in a JSON text, which has such characters in its strings only.
  static func apply(to text: inout [UInt8]) {
    // Below DEL there are two.
    guard text.contains(where: { $0 >= 0x7F || $0 == 0x3C || $0 == 0x3E }) else { return }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count + 64)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if isEscaped(scalar.value) {
        for unit in String(scalar).utf16 { append(unit, to: &escaped) }
      } else {
        escaped.append(contentsOf: String(scalar).utf8)
      }
    }
    text = escaped
  }

  private static func isEscaped(_ code: UInt32) -> Bool {
    switch code {
    case 0x3C, 0x3E, 0x7F...0x9F, 0xAD, 0x600...0x603, 0x6DD, 0x70F, 0x17B4, 0x17B5,
      0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0001, 0xE0020...0xE007F:
      true
    default: false
    }
  }

  private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
