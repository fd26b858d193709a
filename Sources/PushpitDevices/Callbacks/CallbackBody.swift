internal import PushpitJSON

/// The body of a callback: a text, or a JSON value with placeholders inside its strings.
enum CallbackBody: Sendable, Equatable {
  /// The longest body, as it is written.
  static let lengthLimit = 64 << 10

  case text(CallbackText)
  case json(JSONValue)

  /// - Throws: what cannot be, in words for whoever wrote it.
  init(_ value: JSONValue) throws(CallbackFault) {
    let count = value.stringValue?.utf8.count ?? value.serialized().count
    guard count <= Self.lengthLimit else {
      throw CallbackFault("has more than \(Self.lengthLimit) bytes")
    }
    if let text = value.stringValue {
      self = .text(try CallbackText(text))
    } else {
      _ = try Self.filled(value, CallbackValues())
      self = .json(value)
    }
  }

  /// As it was written.
  var source: JSONValue {
    switch self {
    case .text(let text): .string(text.source)
    case .json(let value): value
    }
  }

  /// The bytes of one callback; values in a text are escaped for the inside of a JSON string.
  func bytes(_ values: CallbackValues) throws(CallbackFault) -> [UInt8] {
    switch self {
    case .text(let text): Array(text.text(values, Self.escaped).utf8)
    case .json(let value): try Self.filled(value, values).serialized()
    }
  }

  private static func escaped(_ value: String) -> String {
    let quoted = JSONValue.string(value).serialized()
    return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
  }

  /// Keys stay as they are.
  private static func filled(
    _ value: JSONValue, _ values: CallbackValues
  ) throws(CallbackFault) -> JSONValue {
    switch value {
    case .null, .bool, .number: return value
    case .string(let text): return .string(try CallbackText(text).text(values))
    case .array(let elements):
      var filled: [JSONValue] = []
      for element in elements { filled.append(try Self.filled(element, values)) }
      return .array(filled)
    case .object(var object):
      for index in object.members.indices {
        object.members[index].value = try filled(object.members[index].value, values)
      }
      return .object(object)
    }
  }
}
