import PushpitJSON
import PushpitModel

/// What a JSON scalar becomes in a protobuf field.
enum FieldScalar {
  case value(JSONValue)
  /// The value does not fit the type.
  case mismatch
  /// The type has a sentence of its own for what is wrong.
  case failure(String)

  /// Converts as protobuf's `datapiece.cc` does: numbers and booleans may be strings.
  static func read(_ value: JSONValue, as type: FieldType) -> FieldScalar {
    switch type {
    case .string:
      if case .string = value { .value(value) } else { .mismatch }
    case .bool:
      bool(value).map { .value(.bool($0)) } ?? .mismatch
    case .int32:
      int32(value).map { .value(.int($0)) } ?? .mismatch
    case .float, .floatValue:
      float(value).map { .value(.number($0)) } ?? .mismatch
    case .enumeration(let enumeration):
      enumerationValue(value, enumeration)
    case .duration:
      duration(value)
    case .timestamp:
      timestamp(value)
    case .message, .stringMap, .structure, .list:
      .mismatch
    }
  }

  private static func bool(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let bool): return bool
    case .number(let number):
      return number.double == 1 ? true : number.double == 0 ? false : nil
    case .string(let text):
      let lowerCased = text.lowercased()
      if ["true", "t", "yes", "y", "1"].contains(lowerCased) { return true }
      return ["false", "f", "no", "n", "0"].contains(lowerCased) ? false : nil
    case .null, .array, .object: return nil
    }
  }

  private static func int32(_ value: JSONValue) -> Int32? {
    switch value {
    case .number(let number):
      guard let double = number.double, let whole = double.truncated, Double(whole) == double
      else { return nil }
      return Int32(exactly: whole)
    case .string(let text): return Int32(text)
    case .null, .bool, .array, .object: return nil
    }
  }

  private static func float(_ value: JSONValue) -> JSONNumber? {
    switch value {
    case .number(let number): number
    case .string(let text): Double(text).flatMap(JSONNumber.init)
    case .null, .bool, .array, .object: nil
    }
  }

  /// A number that no value has is kept: proto3 enumerations are open.
  private static func enumerationValue(
    _ value: JSONValue, _ enumeration: EnumerationType
  ) -> FieldScalar {
    switch value {
    case .string(let text):
      return enumeration.value(named: text).map { .value(.string($0)) } ?? .mismatch
    case .number(let number):
      guard let index = int32(value).map(Int.init) else { return .mismatch }
      guard enumeration.values.indices.contains(index) else { return .value(.number(number)) }
      return .value(.string(enumeration.values[index]))
    case .null, .bool, .array, .object:
      return .mismatch
    }
  }

  private static func duration(_ value: JSONValue) -> FieldScalar {
    guard case .string(let text) = value else {
      return .failure("Invalid data type for duration, value is \(plain(value))")
    }
    do {
      _ = try ProtoDuration.parse(text)
      return .value(value)
    } catch {
      return .failure(error.rawValue)
    }
  }

  private static func timestamp(_ value: JSONValue) -> FieldScalar {
    guard case .string(let text) = value else {
      return .failure("Invalid data type for timestamp, value is \(plain(value))")
    }
    return Timestamp(rfc3339: text) == nil
      ? .failure("Invalid time format: \(text)") : .value(value)
  }

  private static func plain(_ value: JSONValue) -> String {
    switch value {
    case .number(let number): number.text
    case .bool(let bool): bool ? "true" : "false"
    case .string(let text): text
    case .null, .array, .object: ""
    }
  }
}
