/// A JSON value (RFC 8259), with members in order and numbers as written.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// An integer.
  package static func int(_ value: some BinaryInteger) -> JSONValue {
    .number(JSONNumber(value))
  }

  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number when it is written as an integer and fits.
  package var intValue: Int? {
    guard case .number(let number) = self, let value = number.int64 else { return nil }
    return Int(exactly: value)
  }

  /// The number when it is whole and fits, however it is written: `2.0` is an integer to JSON Schema.
  package var wholeValue: Int? { intValue ?? doubleValue.flatMap { Int(exactly: $0) } }

  /// The nearest double of a number.
  package var doubleValue: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }

  package var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value of an object's key; nil when it is absent or this is no object.
  package subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// An element of an array; nil when it is out of range or this is no array.
  package subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The value's JSON text in UTF-8.
  package func serialized(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style: style)
    writer.value(self)
    return writer.bytes
  }
}
