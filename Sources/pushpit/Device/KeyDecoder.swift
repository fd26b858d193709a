/// Keys from the bytes that a terminal sends for them.
struct KeyDecoder {
  /// One press.
  enum Key: Equatable {
    case character(Character)
    case enter
    case backspace
    /// Control-U: away with the whole line.
    case clear
    case escape
    /// Control-D.
    case end
  }

  /// A character whose last bytes have not come yet.
  private var pending: [UInt8] = []

  /// The keys of the next bytes; arrows and other keys that send a sequence are passed over.
  mutating func keys(_ bytes: [UInt8]) -> [Key] {
    let bytes = pending + bytes
    pending = []
    var keys: [Key] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0x1B:
        let next = Self.afterSequence(bytes, at: index)
        if next == index + 1 { keys.append(.escape) }
        index = next
        continue
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x15: keys.append(.clear)
      case 0x04: keys.append(.end)
      case 0..<0x20: break
      default:
        let end = min(index + Self.length(byte), bytes.count)
        guard end == index + Self.length(byte) else {
          pending = Array(bytes[index...])
          return keys
        }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        keys += text.filter { $0 != "\u{FFFD}" }.map(Key.character)
        index = end
        continue
      }
      index += 1
    }
    return keys
  }

  /// How many bytes of UTF-8 a first byte announces.
  private static func length(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// Where the sequence that begins at an ESC ends (ECMA-48 5.4: `ESC [`, parameters, a final byte).
  private static func afterSequence(_ bytes: [UInt8], at start: Int) -> Int {
    guard start + 1 < bytes.count else { return start + 1 }
    switch bytes[start + 1] {
    case UInt8(ascii: "O"): return min(start + 3, bytes.count)
    case UInt8(ascii: "["):
      let final = bytes[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }
      return final.map { $0 + 1 } ?? bytes.count
    default: return start + 1
    }
  }
}
