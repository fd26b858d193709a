/// The reader of JSON as Google's API front end reads it: RFC 8259 and much beside it.
///
/// Read are also single quotes, bare keys, trailing commas, raw control characters, any escape, numbers
/// such as `1.`, invalid UTF-8 (a space for each byte), halves of surrogate pairs (U+FFFD) and a byte
/// order mark. Source: protobuf's `json_stream_parser.cc`, whose leniencies and sentences were
/// measured at the front end in October 2026.
package enum LenientJSONReader {
  /// Arrays and objects within each other, the root counted (measured: 100 lists in the root object are
  /// one too many).
  package static let depthLimit = 100

  /// What was read, and where reading ended when that was not the end.
  package struct Reading: Sendable, Equatable {
    /// The value; what of it was read before an error, nil when there was nothing.
    package let value: JSONValue?
    package let error: LenientJSONError?
  }

  /// The value of a whole text that has no error; nil of any other.
  package static func value(_ bytes: [UInt8]) -> JSONValue? {
    let reading = read(bytes)
    return reading.error == nil ? reading.value : nil
  }

  /// Reads a whole text, in time linear in its size.
  package static func read(_ bytes: [UInt8]) -> Reading {
    let firstInvalid = bytes.withUnsafeBufferPointer {
      JSONText(bytes: $0).endOfValidUTF8(from: 0)
    }
    guard firstInvalid == bytes.count else {
      return read(replacingInvalidUTF8(in: bytes, from: firstInvalid), firstStop: firstInvalid)
    }
    return read(bytes, firstStop: bytes.count)
  }

  private static func read(_ bytes: [UInt8], firstStop: Int) -> Reading {
    bytes.withUnsafeBufferPointer { bytes in
      var parser = LenientJSONParser(bytes, firstStop: firstStop)
      let value = parser.parse()
      return Reading(value: value, error: parser.error)
    }
  }

  /// A space for each byte that is no part of valid UTF-8.
  private static func replacingInvalidUTF8(in bytes: [UInt8], from start: Int) -> [UInt8] {
    var result = bytes
    bytes.withUnsafeBufferPointer { bytes in
      let text = JSONText(bytes: bytes)
      var index = start
      while index < bytes.count {
        result[index] = 0x20
        index = text.endOfValidUTF8(from: index + 1)
      }
    }
    return result
  }
}
