internal import PushpitHTTPTypes

/// The pieces of a record's bytes, in their order.
///
/// A record begins with a table of their lengths, 32 bits each; the pieces follow end to end.
enum RecordPiece: Int, CaseIterable {
  /// Two 32-bit counts a header field: its name and its value.
  case entries
  /// Names and values of the header fields, end to end.
  case fields
  case method, target, authority, body
  case workspace, token, topic, pushType, collapse, project, app, messageName, apnsID
  case reason, googleStatus, tls, channel

  /// Bytes of the table of lengths.
  static let tableByteCount = allCases.count * 4
}

/// Writes a record's bytes into memory that is large enough.
struct RecordByteWriter {
  /// In the count of a field's value: it was a credential, of which only the scheme is here.
  static let cutMark: UInt32 = 1 << 31

  private let memory: UnsafeMutableRawPointer
  private(set) var count = RecordPiece.tableByteCount

  init(_ memory: UnsafeMutableRawPointer) {
    self.memory = memory
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: RecordPiece.tableByteCount)
  }

  /// Writes one piece; pieces come in their order, empty ones may be left out.
  mutating func write(_ piece: RecordPiece, _ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    (memory + count).copyMemory(from: source, byteCount: bytes.count)
    finish(piece, byteCount: bytes.count)
  }

  /// Writes a piece from an array or a slice of one.
  mutating func write(_ piece: RecordPiece, _ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { write(piece, $0) }
  }

  /// Writes a piece from an array.
  mutating func write(_ piece: RecordPiece, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write(piece, $0) }
  }

  /// Writes a piece from text; nothing for nil.
  mutating func write(_ piece: RecordPiece, _ text: String?) {
    guard var text else { return }
    text.withUTF8 { write(piece, UnsafeRawBufferPointer($0)) }
  }

  /// Writes the header fields, of credentials only the scheme unless they are to be kept.
  mutating func write(_ fields: FieldList, keepingCredentials: Bool) {
    let entries = count
    let entriesByteCount = fields.entries.count * 8
    finish(.entries, byteCount: entriesByteCount)
    let start = count
    var entry = memory + entries
    fields.bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      var out = memory + start
      var run = 0
      for field in fields.entries {
        let nameEnd = Int(field.start + field.nameCount)
        let valueEnd = nameEnd + Int(field.valueCount)
        var valueCount = UInt32(truncatingIfNeeded: field.valueCount)
        if !keepingCredentials, CredentialCut.hasCredentialLength(field.nameCount),
          CredentialCut.isCredential(fieldNamed: bytes[Int(field.start)..<nameEnd])
        {
          let scheme = CredentialCut.schemeCount(bytes[nameEnd..<valueEnd])
          out.copyMemory(from: source + run, byteCount: nameEnd + scheme - run)
          out += nameEnd + scheme - run
          run = valueEnd
          valueCount = UInt32(truncatingIfNeeded: scheme) | Self.cutMark
        }
        entry.storeBytes(of: UInt32(truncatingIfNeeded: field.nameCount), as: UInt32.self)
        entry.storeBytes(of: valueCount, toByteOffset: 4, as: UInt32.self)
        entry += 8
      }
      out.copyMemory(from: source + run, byteCount: bytes.count - run)
      out += bytes.count - run
      finish(.fields, byteCount: out - (memory + start))
    }
  }

  private mutating func finish(_ piece: RecordPiece, byteCount: Int) {
    memory.storeBytes(
      of: UInt32(truncatingIfNeeded: byteCount), toByteOffset: piece.rawValue * 4, as: UInt32.self)
    count += byteCount
  }
}

/// Reads the pieces of a record's bytes, which outlive the reader.
struct RecordByteReader {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether these are the bytes of a record: each piece, and each header field, lies within.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= RecordPiece.tableByteCount else { return false }
    let reader = RecordByteReader(bytes)
    let lengths = RecordPiece.allCases.map { reader.length($0.rawValue) }
    guard lengths.reduce(RecordPiece.tableByteCount, +) == bytes.count else { return false }
    let entries = reader.piece(.entries)
    guard entries.count % 8 == 0 else { return false }
    var rest = reader.piece(.fields).count
    for offset in stride(from: 0, to: entries.count, by: 8) {
      let name = Int(entries.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let value = entries.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      rest -= name + Int(value & ~RecordByteWriter.cutMark)
    }
    return rest >= 0
  }

  /// The bytes of one piece.
  func piece(_ piece: RecordPiece) -> UnsafeRawBufferPointer {
    var start = RecordPiece.tableByteCount
    for index in 0..<piece.rawValue { start += length(index) }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length(piece.rawValue)])
  }

  /// A piece as text (invalid UTF-8 repaired); nil when it is empty.
  func text(_ piece: RecordPiece) -> String? {
    let bytes = self.piece(piece)
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The header fields in order.
  var fields: [Envelope.Field] {
    let entries = piece(.entries)
    let text = piece(.fields)
    var start = 0
    return stride(from: 0, to: entries.count, by: 8).map { offset in
      let name = Int(entries.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let mark = entries.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let value = Int(mark & ~RecordByteWriter.cutMark)
      defer { start += name + value }
      return Envelope.Field(
        name: Array(text[start..<start + name]),
        value: Array(text[start + name..<start + name + value]),
        isCut: mark & RecordByteWriter.cutMark != 0)
    }
  }

  private func length(_ index: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
  }
}
