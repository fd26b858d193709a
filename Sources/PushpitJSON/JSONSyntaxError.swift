/// Where and why a text is not JSON.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
  /// Bytes before the place of the error.
  package let offset: Int
  /// Lines are counted from 1 and end with a line feed.
  package let line: Int
  /// Columns are counted from 1, in Unicode scalars.
  package let column: Int
  /// One sentence, lower case, without a period.
  package let message: String

  package init(offset: Int, line: Int, column: Int, message: String) {
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  /// An error at an offset of a text, whose line and column are counted.
  init(_ message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let before = bytes[..<min(offset, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(
      offset: offset, line: before.count { $0 == 0x0A } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1, message: message)
  }

  package var description: String { "line \(line), column \(column): \(message)" }
}
