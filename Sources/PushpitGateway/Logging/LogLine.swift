/// A line being put together in memory that has room for all of it.
struct LogLine {
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  init(_ memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
  }

  /// What was appended.
  var bytes: UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeRawBufferPointer(memory).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(rebasing: bytes[..<count])
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }
}
