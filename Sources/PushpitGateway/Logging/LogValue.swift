internal import PushpitJSON

/// The value of a field in a log line.
package enum LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case text(String)
  case bytes(ArraySlice<UInt8>)
  case number(Int)

  /// When a value is put in quotation marks.
  enum Quoting {
    /// Only when it holds a space, a quotation mark or a control character.
    case whenNeeded
    case always
  }

  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }

  /// The bytes of a span, copied.
  static func bytes(_ span: Span<UInt8>) -> LogValue {
    .bytes(span.withUnsafeBufferPointer { Array($0)[...] })
  }

  /// Whether there is nothing to say, so that the field is left out of its line.
  var isEmpty: Bool {
    switch self {
    case .number: false
    case .text(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    }
  }

  /// Appends the value; text with anything that could be mistaken is a JSON string.
  func append(to line: inout [UInt8], quoted: Quoting) {
    switch self {
    case .number(let number): line.append(contentsOf: String(number).utf8)
    case .text(let text):
      if quoted == .whenNeeded, text.utf8.allSatisfy(Self.isPlain) {
        line.append(contentsOf: text.utf8)
      } else {
        Self.appendQuoted(text, to: &line)
      }
    case .bytes(let bytes):
      if quoted == .whenNeeded, Self.isPlain(bytes.span) {
        line.append(contentsOf: bytes)
      } else {
        Self.appendQuoted(String(decoding: bytes, as: UTF8.self), to: &line)
      }
    }
  }

  /// Whether bytes need no quotation marks; looks at eight at a time, for every push is logged.
  static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        guard isPlain(word: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) else {
          return false
        }
        index += 8
      }
      while index < bytes.count {
        guard isPlain(bytes[index]) else { return false }
        index += 1
      }
      return index > 0
    }
  }

  /// The classic tests of all bytes of a word at once: less than, more than, equal to.
  @inline(__always)
  private static func isPlain(word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotation = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let equality = word ^ (ones &* UInt64(UInt8(ascii: "=")))
    let low = (word &- ones &* 0x21) & ~word
    let high = (word &+ ones) | word
    let found = (quotation &- ones) & ~quotation | (equality &- ones) & ~equality
    return (low | high | found) & (ones &* 0x80) == 0
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
