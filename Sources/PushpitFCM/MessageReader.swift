import PushpitJSON

/// Reads a JSON value as a protobuf message, as Google's JSON front end does.
///
/// The result has the proto name of every field, whichever name the sender wrote. What does not fit
/// is left out and becomes a violation; reading goes on, so that all of them are reported, in the
/// body's order. Rules and texts are those of protobuf's `protostream_objectwriter.cc` and
/// `proto_writer.cc`, measured at the front end in October 2026 where no other source is named.
struct MessageReader {
  /// At most this many violations are reported: a body of nothing else must not make an answer many
  /// times its size.
  static let violationLimit = 100

  private static let listOfSingle = "Proto field is not repeating, cannot start list."
  private static let objectOfScalar = "Starting an object on a scalar field"
  private static let nameless = "Proto fields must have a name."

  private(set) var violations: [FieldViolation] = []
  /// Where reading is; made into text only for a violation.
  private var path: [Step] = []

  /// A step from the root to a field.
  private enum Step {
    case field(String)
    case index(Int)
  }

  /// Reads a whole body.
  mutating func read(_ root: JSONValue, as type: MessageType) -> JSONObject {
    guard case .object(let object) = root else {
      reportUnknown("", "Root element must be a message.")
      return JSONObject()
    }
    return readMessage(object, type)
  }

  private mutating func readMessage(_ object: JSONObject, _ type: MessageType) -> JSONObject {
    var result = JSONObject()
    result.members.reserveCapacity(min(object.members.count, type.fields.count))
    var taken: [MessageField] = []
    // A bit for each field that is set; no message has as many fields as bits.
    var set: UInt64 = 0
    for (key, value) in object.members {
      guard let index = type.index(of: key) else {
        reportUnknown(key, key.isEmpty ? Self.nameless : "Cannot find field.")
        continue
      }
      let field = type.fields[index]
      guard let read = readField(value, field, spelled: key, &taken) else { continue }
      if set & 1 << index == 0 {
        set |= 1 << index
        result.members.append((field.name, read))
      } else {
        // The last of repeated keys wins (Google's discovery document of FCM).
        result[field.name] = read
      }
    }
    return result
  }

  private mutating func readField(
    _ value: JSONValue, _ field: MessageField, spelled key: String, _ taken: inout [MessageField]
  ) -> JSONValue? {
    switch (value, field.type) {
    // A null leaves its field unset and does not take the oneof.
    case (.null, _): return nil
    case (.object(let object), .message(let type)):
      return within(field) { .object($0.readMessage(object, type)) }
    case (.object, .structure): return value
    case (.object(let object), .stringMap):
      return within(field) { .object($0.readMap(object)) }
    case (.object(let object), .list(let element)):
      return readObject(object, as: element, of: field).map { .array([$0]) }
    case (.object(let object), let type): return readObject(object, as: type, of: field)
    case (.array(let items), .list(let element)):
      return within(field) { .array($0.readList(items, of: element, named: field.name)) }
    case (.array, .stringMap):
      reportInvalid("Map", "Cannot bind a list to map for field '\(key)'.")
      return nil
    case (.array, _):
      reportUnknown(key, Self.listOfSingle)
      return nil
    // A list's one element may stand alone.
    case (_, .list(let element)):
      return within(field) { $0.readScalar(value, element, named: key).map { .array([$0]) } }
    default:
      guard take(field, spelled: key, &taken) else { return nil }
      return within(field) { $0.readScalar(value, field.type, named: key) }
    }
  }

  /// Whether no other member of the field's oneof is set; a repeated key is no second member.
  private mutating func take(
    _ field: MessageField, spelled key: String, _ taken: inout [MessageField]
  ) -> Bool {
    guard let oneof = field.oneof else { return true }
    guard let other = taken.first(where: { $0.oneof == oneof }) else {
      taken.append(field)
      return true
    }
    if other === field { return true }
    reportInvalid("oneof", "oneof field '\(oneof)' is already set. Cannot set '\(key)'")
    return false
  }

  /// An object for a type that usually is a string or a number, some of which are messages.
  private mutating func readObject(
    _ object: JSONObject, as type: FieldType, of field: MessageField
  ) -> JSONValue? {
    guard let form = type.objectForm else {
      reportInvalid(field.name, Self.objectOfScalar)
      return nil
    }
    return within(field) { FieldScalar.assemble($0.readMessage(object, form), as: type) }
  }

  private mutating func within(
    _ field: MessageField, _ read: (inout MessageReader) -> JSONValue?
  ) -> JSONValue? {
    path.append(.field(field.name))
    defer { path.removeLast() }
    return read(&self)
  }
}

// MARK: - Maps, lists, scalars

extension MessageReader {
  /// Entries are addressed by their position; keys are literal.
  private mutating func readMap(_ object: JSONObject) -> JSONObject {
    var result = JSONObject()
    result.members.reserveCapacity(object.members.count)
    for (index, (key, value)) in object.members.enumerated() {
      switch value {
      case .string: result.members.append((key, value))
      // A null has no value, so the entry has the empty one.
      case .null: result.members.append((key, ""))
      case .object, .array, .bool, .number:
        path.append(.index(index))
        path.append(.field("value"))
        if isEmptyEntry(key, value) { result.members.append((key, "")) }
        path.removeLast(2)
      }
    }
    return result
  }

  /// Reports what a value that is no string brings; true when that is nothing, and the entry is empty.
  private mutating func isEmptyEntry(_ key: String, _ value: JSONValue) -> Bool {
    switch value {
    case .object(let object):
      // The front end reads it as the entry itself (an FCM answer of 2018: `Unknown name "metadata" at
      // 'message.android.data[3].value': Cannot find field.`), so it takes an object without keys.
      var reader = MessageReader()
      reader.path = path
      _ = reader.readMessage(object, MessageSchema.mapEntry)
      violations += reader.violations.prefix(Self.violationLimit - violations.count)
      return reader.violations.isEmpty
    case .array(let items):
      // Both texts: answers to lists in maps of another of Google's APIs with this front end, 2026.
      reportInvalid("Map", "Cannot have repeated items ('\(key)') within a map.")
      for _ in items.prefix(Self.violationLimit) { reportUnknown("", Self.nameless) }
    case .null, .bool, .number, .string:
      reportInvalid(FieldType.string.errorName, FieldScalar.quoted(value))
    }
    return false
  }

  /// Lists within the list add to it.
  ///
  /// That elements are addressed by position is assumed for strings: protobuf's public source counts
  /// those that were refused, and no capture tells.
  private mutating func readList(
    _ items: [JSONValue], of element: FieldType, named name: String
  ) -> [JSONValue] {
    var result: [JSONValue] = []
    result.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      switch item {
      case .null: continue
      case .array(let items): result += readList(items, of: element, named: name)
      case .object(let object):
        guard let form = element.objectForm else {
          reportInvalid(name, Self.objectOfScalar)
          continue
        }
        path.append(.index(index))
        if let value = FieldScalar.assemble(readMessage(object, form), as: element) {
          result.append(value)
        }
        path.removeLast()
      case .bool, .number, .string:
        path.append(.index(index))
        if let value = readScalar(item, element, named: "") { result.append(value) }
        path.removeLast()
      }
    }
    return result
  }

  private mutating func readScalar(
    _ value: JSONValue, _ type: FieldType, named name: String
  ) -> JSONValue? {
    switch FieldScalar.read(value, as: type) {
    case .value(let read): return read
    case .mismatch:
      guard case .floatValue = type else {
        reportInvalid(type.errorName, FieldScalar.quoted(value))
        return nil
      }
      // The value of a wrapper is a field of its own.
      path.append(.field("value"))
      reportInvalid(FieldType.float.errorName, FieldScalar.quoted(value))
      path.removeLast()
    case .failure(let sentence): reportInvalid(type.errorName, "Field '\(name)', \(sentence)")
    }
    return nil
  }
}

// MARK: - Violations

extension MessageReader {
  private mutating func reportUnknown(_ name: String, _ sentence: String) {
    report("Invalid JSON payload received. Unknown name \"\(name)\"", ": \(sentence)")
  }

  private mutating func reportInvalid(_ type: String, _ found: String) {
    report("Invalid value", " (\(type)), \(found)")
  }

  private mutating func report(_ start: String, _ end: String) {
    guard violations.count < Self.violationLimit else { return }
    guard !path.isEmpty else {
      violations.append(FieldViolation(nil, start + end))
      return
    }
    var place = ""
    for step in path {
      switch step {
      case .field(let name): place += place.isEmpty ? name : "." + name
      case .index(let index): place += "[\(index)]"
      }
    }
    violations.append(FieldViolation(place, "\(start) at '\(place)'\(end)"))
  }
}
