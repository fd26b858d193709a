/// The strict reader of JSON texts: RFC 8259 and nothing beside it.
///
/// Refused are also what RFC 8259 leaves open and RFC 7493 section 2.1 forbids: a byte order mark,
/// invalid UTF-8, half of a surrogate pair; and deeper nesting than `depthLimit`.
package enum JSONReader {
  /// Arrays and objects within each other, the root counted, where no other limit is given.
  package static let depthLimit = 64

  /// The depth of what the console answers: messages as deep as FCM takes them, within lists of records.
  package static let recordDepthLimit = 128

  /// Reads a whole JSON text, of at most so many arrays and objects within each other.
  /// - Throws: where and why the bytes are not JSON.
  package static func parse(
    _ bytes: some Collection<UInt8>, depthLimit: Int = depthLimit
  ) throws(JSONSyntaxError) -> JSONValue {
    let result =
      bytes.withContiguousStorageIfAvailable { parsed($0, depthLimit) }
      ?? Array(bytes).withUnsafeBufferPointer { parsed($0, depthLimit) }
    return try result.get()
  }

  private static func parsed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ depthLimit: Int
  ) -> Result<JSONValue, JSONSyntaxError> {
    var parser = JSONParser(bytes, depthLimit: depthLimit)
    return Result { () throws(JSONSyntaxError) in try parser.parse() }
  }

  /// Whether these bytes are a whole valid JSON text whose root is an object.
  ///
  /// Accepts exactly what `parse` reads as an object, without allocating or keeping anything.
  package static func isObject(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(bytes)
    return scanner.isObject()
  }
}
