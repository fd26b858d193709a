internal import PushpitJSON

/// The value of a field in a log line.
package enum LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case text(String)
  case bytes(ArraySlice<UInt8>)
  case number(Int)

  /// When a value is put in quotation marks.
  enum Quoting {
    /// Only when it holds a space, a quotation mark, a control character or nothing.
    case whenNeeded
    case always
  }

  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }

  /// Appends the value; text with anything that could be mistaken is a JSON string.
  func append(to line: inout [UInt8], quoted: Quoting) {
    switch self {
    case .number(let number): line.append(contentsOf: String(number).utf8)
    case .text(let text):
      if quoted == .whenNeeded, !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) {
        line.append(contentsOf: text.utf8)
      } else {
        Self.appendQuoted(text, to: &line)
      }
    case .bytes(let bytes):
      if quoted == .whenNeeded, Self.isPlain(bytes) {
        line.append(contentsOf: bytes)
      } else {
        Self.appendQuoted(String(decoding: bytes, as: UTF8.self), to: &line)
      }
    }
  }

  /// Whether bytes need no quotation marks.
  static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    // No branch for each byte, so that the compiler can take 16 at a time.
    !bytes.isEmpty
      && bytes.withUnsafeBufferPointer { bytes in
        bytes.reduce(true) { isPlain, byte in Self.isPlain(byte) && isPlain }
      }
  }

  private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
    var writer = JSONWriter(style: .compact)
    writer.string(text)
    line.append(contentsOf: writer.bytes)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }
}
