/// Writes a JSON text piece by piece, always in valid UTF-8.
///
/// The caller keeps the pieces in order (a key before each value of an object); separators, indents
/// and escapes are the writer's. A second root value may follow when `bytes` was emptied.
package struct JSONWriter {
  /// The layout of a text.
  package enum Style: Sendable {
    /// No white space.
    case compact
    /// As Google prints: two spaces a level, `"key": value`, `{}` and `[]` when empty.
    case indented
  }

  package let style: Style
  package var bytes: [UInt8] = []
  private var depth = 0
  /// The innermost container has an element already.
  private var hasElement = false
  private var isAfterKey = false

  package init(style: Style = .compact) {
    self.style = style
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  package mutating func endObject() { close(UInt8(ascii: "}")) }

  package mutating func beginArray() { open(UInt8(ascii: "[")) }

  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value comes next.
  package mutating func key(_ key: String) {
    separate()
    appendString(key)
    bytes.append(UInt8(ascii: ":"))
    if style == .indented { bytes.append(0x20) }
    isAfterKey = true
  }

  package mutating func string(_ value: String) {
    separate()
    appendString(value)
  }

  /// A string given as UTF-8; each byte that is not valid becomes U+FFFD.
  package mutating func string(utf8 value: some Collection<UInt8>) {
    separate()
    let isContiguous: Void? = value.withContiguousStorageIfAvailable { appendQuoted($0) }
    if isContiguous == nil { Array(value).withUnsafeBufferPointer { appendQuoted($0) } }
  }

  package mutating func int(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// A fraction; `null` when it is infinite or not a number, which JSON cannot write.
  package mutating func double(_ value: Double) {
    separate()
    bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
  }

  package mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// The bytes of a JSON value that was serialized before, as they are.
  package mutating func raw(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let number): raw(number.text.utf8)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members { self.member(member.key, member.value) }
      endObject()
    }
  }
}

// MARK: - Layout

extension JSONWriter {
  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    hasElement = false
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if hasElement { breakLine() }
    bytes.append(bracket)
    hasElement = true
  }

  /// What stands between the previous piece and the next.
  @inline(__always)
  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    guard depth > 0 else { return }
    if hasElement { bytes.append(UInt8(ascii: ",")) }
    hasElement = true
    breakLine()
  }

  private mutating func breakLine() {
    guard style == .indented else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
  }
}

// MARK: - Strings

extension JSONWriter {
  private mutating func appendString(_ value: String) {
    var value = value
    value.withUTF8 { appendQuoted($0) }
  }

  /// Escapes what RFC 8259 section 7 demands and nothing else.
  private mutating func appendQuoted(_ value: UnsafeBufferPointer<UInt8>) {
    let text = JSONText(bytes: value)
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var index = text.endOfPlain(from: 0)
    while index < value.count {
      let length = value[index] < 0x80 ? 0 : text.sequenceLength(at: index)
      if length > 0 {
        index = text.endOfPlain(from: index + length)
        continue
      }
      bytes.append(contentsOf: value[start..<index])
      appendEscaped(value[index])
      start = index + 1
      index = text.endOfPlain(from: start)
    }
    bytes.append(contentsOf: value[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// A byte that cannot stand for itself.
  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
    case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
    case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
    case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
    case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
    case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
    case ..<0x20:
      bytes.append(contentsOf: #"\u00"#.utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let digit = byte & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: bytes.append(contentsOf: "\u{FFFD}".utf8)
    }
  }
}
