/// Header fields in the order in which they came, in one byte buffer.
///
/// A list is made to be reused: `removeAll()` keeps its capacity, so that a pooled stream reads its
/// thousandth request without allocating. Names and values are the peer's bytes, unchanged.
package struct FieldList: Sendable {
  /// Where one field lies in `bytes`: the value follows the name at once.
  package struct Entry: Sendable, Equatable {
    package let start: Int32
    package let nameCount: Int32
    package let valueCount: Int32

    /// Where the name lies in the list's bytes.
    package var name: Range<Int> { Int(start)..<Int(start + nameCount) }

    /// Where the value lies in the list's bytes.
    package var value: Range<Int> {
      Int(start + nameCount)..<Int(start + nameCount + valueCount)
    }

    package init(start: Int32, nameCount: Int32, valueCount: Int32) {
      self.start = start
      self.nameCount = nameCount
      self.valueCount = valueCount
    }
  }

  /// All names and values, end to end.
  package private(set) var bytes: [UInt8] = []

  /// One entry a field, in order.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Makes a list from literals, for answers and tests.
  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { append(name, value) }
  }

  /// Forgets every field and keeps the memory.
  package mutating func removeAll() {
    guard !entries.isEmpty else { return }
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Adds a field from raw bytes, which are copied.
  package mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)
  {
    entries.append(
      Entry(
        start: Int32(truncatingIfNeeded: bytes.count),
        nameCount: Int32(truncatingIfNeeded: name.count),
        valueCount: Int32(truncatingIfNeeded: value.count)))
    bytes.append(copying: name, value)
  }

  /// Adds a field with a literal name; the value's bytes are copied.
  package mutating func append(_ name: StaticString, _ value: some Collection<UInt8>) {
    let start = bytes.count
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(contentsOf: value)
    entries.append(
      Entry(
        start: Int32(truncatingIfNeeded: start),
        nameCount: Int32(truncatingIfNeeded: name.utf8CodeUnitCount),
        valueCount: Int32(truncatingIfNeeded: bytes.count - start - name.utf8CodeUnitCount)))
  }

  /// Adds a field from text.
  package mutating func append(_ name: String, _ value: String) {
    var name = name
    var value = value
    name.withUTF8 { name in value.withUTF8 { append(name: name, value: $0) } }
  }

  /// Adds all fields of another list, with one copy of their bytes.
  package mutating func append(_ other: FieldList) {
    let start = Int32(truncatingIfNeeded: bytes.count)
    other.bytes.withUnsafeBufferPointer { bytes.append(copying: $0) }
    for entry in other.entries {
      entries.append(
        Entry(
          start: entry.start + start, nameCount: entry.nameCount, valueCount: entry.valueCount))
    }
  }

  /// The first entry with this name, which must be in lower case; names compare without case.
  package func first(_ name: StaticString) -> Entry? {
    for entry in entries where matches(entry, name) { return entry }
    return nil
  }

  /// The first value with this name, as bytes that share the list's storage.
  package func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    first(name).map { bytes[$0.value] }
  }

  /// The first value with this name as text (invalid UTF-8 repaired).
  package func text(_ name: StaticString) -> String? {
    value(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether an entry's name equals a lower-case literal, compared without case.
  package func matches(_ entry: Entry, _ name: StaticString) -> Bool {
    guard Int(entry.nameCount) == name.utf8CodeUnitCount else { return false }
    let start = Int(entry.start)
    return bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<name.utf8CodeUnitCount {
        var byte = bytes[start + index]
        if byte &- 0x41 < 26 { byte |= 0x20 }
        guard byte == name.utf8Start[index] else { return false }
      }
      return true
    }
  }

  /// Every field as text in order, for records and tests.
  package var pairs: [(name: String, value: String)] {
    entries.map {
      (
        String(decoding: bytes[$0.name], as: UTF8.self),
        String(decoding: bytes[$0.value], as: UTF8.self)
      )
    }
  }
}
