import PushpitJSON

/// The parameter `fields` of Google's APIs: what a sender wants of an answer.
///
/// `a,b/c`, `a(b,c)` and `*` (Google: Partial responses). What stands behind the name of a field without
/// fields of its own is not looked at.
struct FieldMask: Equatable {
  private var isWhole: Bool
  /// By the JSON names of the fields.
  private var fields: [String: FieldMask] = [:]

  /// Wants everything.
  static let whole = FieldMask(isWhole: true)

  private init(isWhole: Bool) {
    self.isWhole = isWhole
  }

  /// Reads a mask for an answer of this type, as deep as the type is.
  ///
  /// Throws for a field that the answer cannot have.
  init(_ text: some StringProtocol, of type: MessageType) throws(FCMRefusal) {
    isWhole = false
    for path in Self.paths(text[...]) {
      let name = path.prefix { !"/.(".contains($0) }
      guard name != "*" else {
        isWhole = true
        continue
      }
      guard let field = type.field(String(name)) else {
        throw FCMRefusal(.unknownField(String(path)), FCMDiagnoses.unknownMaskField(String(path)))
      }
      let rest = Self.inner(path.dropFirst(name.count))
      let mask: FieldMask =
        if !rest.isEmpty, let inner = field.type.message { try FieldMask(rest, of: inner) } else {
          .whole
        }
      fields[field.jsonName, default: FieldMask(isWhole: false)].add(mask)
    }
  }

  /// Whether an answer's field of this JSON name is wanted, or a part of it.
  func wants(_ name: String) -> Bool { isWhole || fields[name] != nil }

  /// What is wanted of an answer.
  func applied(to object: JSONObject) -> JSONObject {
    if isWhole { return object }
    var result = JSONObject()
    for (key, value) in object.members {
      guard let mask = fields[key] else { continue }
      result.members.append((key, mask.applied(to: value)))
    }
    return result
  }

  private func applied(to value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object): .object(applied(to: object))
    case .array(let items): .array(items.map { applied(to: $0) })
    case .null, .bool, .number, .string: value
    }
  }

  private mutating func add(_ other: FieldMask) {
    isWhole = isWhole || other.isWhole
    for (name, mask) in other.fields {
      fields[name, default: FieldMask(isWhole: false)].add(mask)
    }
  }

  /// The parts between commas that are in no parentheses; empty ones are none.
  private static func paths<Text: StringProtocol>(_ text: Text) -> [Text.SubSequence] {
    var depth = 0
    return text.split { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }
  }

  /// What follows a name: a path behind a separator, or a list in parentheses.
  private static func inner<Text: StringProtocol>(_ rest: Text) -> Text.SubSequence {
    rest.first == "(" && rest.last == ")" ? rest.dropFirst().dropLast() : rest.dropFirst()
  }
}

extension FieldType {
  /// The message that a field holds, or a list of it; nil for others.
  fileprivate var message: MessageType? {
    switch self {
    case .message(let type): type
    case .list(let element): element.message
    case .string, .bool, .int32, .int64, .float, .duration, .timestamp, .floatValue, .enumeration,
      .stringMap, .structure:
      nil
    }
  }
}
