/// Writes bytes one after the other into memory that must be large enough.
struct ByteWriter {
  private let room: UnsafeMutableBufferPointer<UInt8>
  /// How many were written.
  private(set) var count = 0

  /// An array of what a closure writes.
  ///
  /// The array's own initialiser for this looks up its type at run time, which takes longer than the
  /// writing (measured).
  @inline(__always)
  static func bytes(atMost limit: Int, _ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: limit) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        var writer = ByteWriter(room: room)
        write(&writer)
        count = writer.count
      }
    }
    return bytes
  }

  @inline(__always)
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= room.count - count, "there is room for what is written")
    guard let source = bytes.baseAddress, let target = room.baseAddress else { return }
    (target + count).initialize(from: source, count: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func write(_ literal: StaticString) {
    write(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes a number in decimal digits.
  mutating func write(decimal number: Int64) {
    if number < 0 { write("-") }
    var digitCount = 1
    var power: UInt64 = 10
    while digitCount < 19, number.magnitude >= power {
      digitCount += 1
      power *= 10
    }
    precondition(digitCount <= room.count - count, "there is room for what is written")
    var rest = number.magnitude
    var index = count + digitCount
    while index > count {
      index -= 1
      room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digitCount
  }

  /// Writes eight characters, the first in the lowest byte.
  @inline(__always)
  mutating func write(characters: UInt64) {
    precondition(8 <= room.count - count, "there is room for what is written")
    UnsafeMutableRawBufferPointer(room)
      .storeBytes(of: characters.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }
}
