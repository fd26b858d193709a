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
      integer(value, Int32.self).map { .value(.int($0)) } ?? .mismatch
    case .int64:
      integer(value, Int64.self).map { .value(.int($0)) } ?? .mismatch
    case .float, .floatValue:
      float(value).map { .value($0) } ?? .mismatch
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

  /// A value as an error repeats it: strings in quotes without escapes, others bare.
  static func quoted(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .number(let number): GoogleNumberText.text(number)
    case .bool(let bool): bool ? "true" : "false"
    case .null, .array, .object: "null"
    }
  }

  /// Numbers count too (measured in October 2026: 1, 0 and 1.0 are taken, 2 is refused).
  private static func bool(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let bool): return bool
    case .number(let number):
      return number.double == 1 ? true : number.double == 0 ? false : nil
    case .string(let text):
      // In any case of ASCII, and no other (measured in October 2026).
      guard text.utf8.count <= 5 else { return nil }
      switch String(decoding: text.utf8.map(lowerCased), as: UTF8.self) {
      case "true", "t", "yes", "y", "1": return true
      case "false", "f", "no", "n", "0": return false
      default: return nil
      }
    case .null, .array, .object: return nil
    }
  }

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func integer<Integer: FixedWidthInteger>(
    _ value: JSONValue, _ type: Integer.Type
  ) -> Integer? {
    switch value {
    case .number(let number):
      if let whole = number.int64 { return Integer(exactly: whole) }
      guard let double = number.double, let whole = double.truncated, Double(whole) == double
      else { return nil }
      return Integer(exactly: whole)
    case .string(let text): return integer(text, type)
    case .null, .bool, .array, .object: return nil
    }
  }

  /// A decimal number with a sign or without; white space around it is passed over, but not spaces at
  /// its ends (`safe_strto32`, measured in October 2026).
  static func integer<Integer: FixedWidthInteger>(
    _ text: String, _ type: Integer.Type
  ) -> Integer? {
    guard text.utf8.first != 0x20, text.utf8.last != 0x20 else { return nil }
    if let value = Integer(text) { return value }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
    let rest = text.utf8.drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return nil }
    return Integer(Substring(rest[...last]))
  }

  /// Infinities and NaN, which JSON numbers cannot be, stay the strings they are.
  private static func float(_ value: JSONValue) -> JSONValue? {
    let limit = Double(Float.greatestFiniteMagnitude)
    switch value {
    case .number(let number):
      guard let double = number.double, abs(double) <= limit else { return nil }
      return value
    case .string("Infinity"), .string("-Infinity"), .string("NaN"): return value
    case .string(let text):
      guard let double = Double(text), abs(double) <= limit else { return nil }
      return JSONNumber(double).map(JSONValue.number)
    case .null, .bool, .array, .object: return nil
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
      guard let index = integer(value, Int32.self).map(Int.init) else { return .mismatch }
      guard enumeration.values.indices.contains(index) else { return .value(.number(number)) }
      return .value(.string(enumeration.values[index]))
    case .null, .bool, .array, .object:
      return .mismatch
    }
  }

  private static func duration(_ value: JSONValue) -> FieldScalar {
    guard case .string(let text) = value else {
      return .failure("Invalid data type for duration, value is \(quoted(value))")
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
      return .failure("Invalid data type for timestamp, value is \(quoted(value))")
    }
    return Timestamp(rfc3339: text) == nil
      ? .failure("Invalid time format: \(text)") : .value(value)
  }
}

/// Types that may be written as objects.
extension FieldScalar {
  /// The usual form of a type that was written as an object of its fields; nil when that form cannot
  /// express it.
  static func assemble(_ fields: JSONObject, as type: FieldType) -> JSONValue? {
    if case .floatValue = type { return fields["value"] ?? 0 }
    let seconds = Int64(fields["seconds"]?.intValue ?? 0)
    let nanoseconds = Int64(fields["nanos"]?.intValue ?? 0)
    guard case .timestamp = type else {
      return .string(ProtoDuration.text(seconds: seconds, nanoseconds: nanoseconds))
    }
    // The years 1 to 9999, as of google.protobuf.Timestamp.
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
    let time = Timestamp(milliseconds: seconds * 1000 + nanoseconds / 1_000_000)
    return .string(time.rfc3339)
  }
}
