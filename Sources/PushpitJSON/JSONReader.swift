/// The strict reader of JSON texts: RFC 8259 and nothing beside it.
///
/// Refused are also what RFC 8259 leaves open and RFC 7493 section 2.1 forbids: a byte order mark,
/// invalid UTF-8, half of a surrogate pair; and deeper nesting than `depthLimit`.
package enum JSONReader {
  /// Arrays and objects within each other, the root counted.
  package static let depthLimit = 64

  /// Reads a whole JSON text.
  /// - Throws: where and why the bytes are not JSON.
  package static func parse(_ bytes: some Collection<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    let result =
      bytes.withContiguousStorageIfAvailable(parsed)
      ?? Array(bytes).withUnsafeBufferPointer(parsed)
    return try result.get()
  }

  private static func parsed(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Result<JSONValue, JSONSyntaxError> {
    var parser = JSONParser(bytes)
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
