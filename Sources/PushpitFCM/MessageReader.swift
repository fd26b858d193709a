import PushpitJSON
import PushpitModel

/// Reads a JSON value as a protobuf message, as Google's JSON front end does.
///
/// The result has the proto name of every field, whichever name the sender wrote. What does not fit
/// is left out and becomes a violation; reading goes on, so that all of them are reported. The texts
/// are those measured at the front end in 2026 (a port of protobuf's `proto_writer.cc`).
struct MessageReader {
  /// At most this many violations are reported: a body of nothing else must not make an answer many
  /// times its size.
  static let violationLimit = 100

  private(set) var violations: [FieldViolation] = []

  /// Reads a whole body.
  mutating func read(_ root: JSONValue, as type: MessageType) -> JSONObject {
    guard case .object(let object) = root else {
      reportUnknown("", at: "", "Root element must be a message.")
      return JSONObject()
    }
    return readMessage(object, type, at: "")
  }

  private mutating func readMessage(
    _ object: JSONObject, _ type: MessageType, at path: String
  ) -> JSONObject {
    var result = JSONObject()
    var takenOneofs: [String: String] = [:]
    for (key, value) in object.members {
      guard let field = type.field(key) else {
        reportUnknown(key, at: path, "Cannot find field.")
        continue
      }
      // A null leaves its field unset and does not take the oneof.
      if case .null = value { continue }
      if let oneof = field.oneof {
        // A repeated key is no second member: its last value wins.
        guard takenOneofs[oneof, default: field.name] == field.name else {
          reportInvalid(
            at: path, "oneof", "oneof field '\(oneof)' is already set. Cannot set '\(key)'")
          continue
        }
        takenOneofs[oneof] = field.name
      }
      if let read = readField(value, field, spelled: key, at: path) {
        // The last of repeated keys wins.
        result[field.name] = read
      }
    }
    return result
  }

  private mutating func readField(
    _ value: JSONValue, _ field: MessageField, spelled key: String, at path: String
  ) -> JSONValue? {
    switch (field.type, value) {
    case (.message(let type), .object(let object)):
      return .object(readMessage(object, type, at: Self.join(path, field.name)))
    case (.structure, .object):
      return value
    case (.stringMap, .object(let object)):
      return .object(readMap(object, at: Self.join(path, field.name)))
    case (.stringMap, .array):
      reportInvalid(at: path, "Map", "Cannot bind a list to map for field '\(key)'.")
    case (.list(let element), .array(let items)):
      return readList(items, of: element, field, spelled: key, at: path)
    case (_, .array):
      reportUnknown(key, at: path, "Proto field is not repeating, cannot start list.")
    case (_, .object):
      reportInvalid(at: path, field.name, "Starting an object on a scalar field")
    case (.list(let element), _):
      return readScalar(value, element, named: field.name, under: path).map { .array([$0]) }
    default:
      return readScalar(value, field.type, named: field.name, under: path)
    }
    return nil
  }

  /// Entries are addressed by their position; keys are literal.
  private mutating func readMap(_ object: JSONObject, at path: String) -> JSONObject {
    var result = JSONObject()
    result.members.reserveCapacity(object.members.count)
    for (index, (key, value)) in object.members.enumerated() {
      switch value {
      case .string: result.members.append((key, value))
      case .null: result.members.append((key, ""))
      case .object:
        reportInvalid(at: "\(path)[\(index)]", "value", "Starting an object on a scalar field")
      case .array:
        reportUnknown(
          "value", at: "\(path)[\(index)]", "Proto field is not repeating, cannot start list.")
      case .bool, .number:
        reportInvalid(at: "\(path)[\(index)].value", "TYPE_STRING", Self.quoted(value))
      }
    }
    return result
  }

  private mutating func readList(
    _ items: [JSONValue], of element: FieldType, _ field: MessageField, spelled key: String,
    at path: String
  ) -> JSONValue {
    var result: [JSONValue] = []
    for (index, item) in items.enumerated() {
      switch item {
      case .array:
        reportUnknown(key, at: path, "Proto field is not repeating, cannot start list.")
      case .object:
        reportInvalid(at: path, field.name, "Starting an object on a scalar field")
      case .null, .bool, .number, .string:
        if let read = readScalar(item, element, named: field.name, under: path, index: index) {
          result.append(read)
        }
      }
    }
    return .array(result)
  }

  private mutating func readScalar(
    _ value: JSONValue, _ type: FieldType, named name: String, under path: String,
    index: Int? = nil
  ) -> JSONValue? {
    let found: String
    switch FieldScalar.read(value, as: type) {
    case .value(let read): return read
    case .mismatch: found = Self.quoted(value)
    case .failure(let sentence): found = "Field '\(name)', \(sentence)"
    }
    let element = index.map { "[\($0)]" } ?? ""
    reportInvalid(at: Self.join(path, name) + element, type.errorName, found)
    return nil
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : path + "." + name
  }

  /// A value as an error repeats it: strings in quotes without escapes, others bare.
  private static func quoted(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .number(let number): number.text
    case .bool(let bool): bool ? "true" : "false"
    case .null, .array, .object: "null"
    }
  }

  private mutating func reportUnknown(_ name: String, at path: String, _ sentence: String) {
    guard violations.count < Self.violationLimit else { return }
    violations.append(
      FieldViolation(
        path.isEmpty ? nil : path,
        "Invalid JSON payload received. Unknown name \"\(name)\"\(Self.place(path)): \(sentence)"))
  }

  private mutating func reportInvalid(at path: String, _ type: String, _ found: String) {
    guard violations.count < Self.violationLimit else { return }
    violations.append(
      FieldViolation(
        path.isEmpty ? nil : path, "Invalid value\(Self.place(path)) (\(type)), \(found)"))
  }

  private static func place(_ path: String) -> String {
    path.isEmpty ? "" : " at '\(path)'"
  }
}
