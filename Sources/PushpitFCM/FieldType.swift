/// The type of a protobuf field, as far as its JSON form depends on it.
indirect enum FieldType: Sendable {
  case string
  case bool
  case int32
  case int64
  case float
  /// `google.protobuf.Duration`: a string that ends in `s`.
  case duration
  /// `google.protobuf.Timestamp`: an RFC 3339 string.
  case timestamp
  /// `google.protobuf.FloatValue`: a number that can be absent.
  case floatValue
  case enumeration(EnumerationType)
  case message(MessageType)
  /// `map<string, string>`; the name is that of its generated entry type.
  case stringMap(entryType: String)
  /// `google.protobuf.Struct`: any object, its keys taken literally.
  case structure
  case list(FieldType)

  /// How an error names the type of a value.
  var errorName: String {
    switch self {
    case .string: "TYPE_STRING"
    case .bool: "TYPE_BOOL"
    case .int32: "TYPE_INT32"
    case .int64: "TYPE_INT64"
    case .float: "TYPE_FLOAT"
    case .duration: Self.url("google.protobuf.Duration")
    case .timestamp: Self.url("google.protobuf.Timestamp")
    case .floatValue: Self.url("google.protobuf.FloatValue")
    case .enumeration(let type): Self.url(type.name)
    case .message(let type): Self.url(type.name)
    case .stringMap(let entryType): Self.url(entryType)
    case .structure: Self.url("google.protobuf.Struct")
    case .list(let element): element.errorName
    }
  }

  /// The fields of a type that is a message and mostly written as a string or a number; nil for others.
  ///
  /// protobuf's reader takes an object of these fields as well.
  var objectForm: MessageType? {
    switch self {
    case .duration, .timestamp: MessageSchema.secondsAndNanos
    case .floatValue: MessageSchema.floatValue
    case .string, .bool, .int32, .int64, .float, .enumeration, .message, .stringMap, .structure,
      .list:
      nil
    }
  }

  private static func url(_ name: String) -> String { "type.googleapis.com/" + name }
}

/// A protobuf enumeration: the names of its values, whose numbers count from 0.
struct EnumerationType: Sendable {
  /// Full name with its package.
  let name: String
  let values: [String]

  init(_ name: String, _ values: [String]) {
    self.name = MessageSchema.package + name
    self.values = values
  }

  /// The value that a JSON string names: its exact name, its number, or its name in another case and
  /// with `-` for `_` (measured at Google's JSON front end: `high` and `High` are accepted).
  func value(named text: String) -> String? {
    if values.contains(text) { return text }
    if let number = FieldScalar.integer(text, Int32.self).map(Int.init),
      values.indices.contains(number)
    {
      return values[number]
    }
    let upperCased = String(
      decoding: text.utf8.map { byte -> UInt8 in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: byte
        }
      }, as: UTF8.self)
    return values.contains(upperCased) ? upperCased : nil
  }
}

/// One field of a message; a class, so that looking one up copies nothing.
final class MessageField: Sendable {
  /// The proto name, in snake_case; also what errors print.
  let name: String
  /// The JSON name, in lowerCamelCase.
  let jsonName: String
  let type: FieldType
  /// The group of fields of which only one may be set.
  let oneof: String?

  init(_ name: String, _ type: FieldType, oneof: String? = nil) {
    self.name = name
    self.jsonName = Self.lowerCamelCase(name)
    self.type = type
    self.oneof = oneof
  }

  /// The JSON name that protobuf derives from a proto name.
  private static func lowerCamelCase(_ name: String) -> String {
    var parts = name.split(separator: "_").map(String.init)
    for index in parts.indices.dropFirst() {
      parts[index] = parts[index].prefix(1).uppercased() + parts[index].dropFirst()
    }
    return parts.joined()
  }
}

/// A protobuf message: a table of its fields under both of their names.
final class MessageType: Sendable {
  /// Full name with its package.
  let name: String
  let fields: [MessageField]
  /// Names with the place of their field, by their length: a few comparisons cost less than a hash.
  private let names: [[(name: String, index: Int)]]

  init(_ name: String, package: String = MessageSchema.package, _ fields: [MessageField]) {
    self.name = package + name
    self.fields = fields
    var names: [[(name: String, index: Int)]] = []
    for (index, field) in fields.enumerated() {
      for name in Set([field.name, field.jsonName]) {
        let length = name.utf8.count
        while names.count <= length { names.append([]) }
        names[length].append((name, index))
      }
    }
    self.names = names
  }

  /// The place in `fields` of the field of this proto or JSON name, exact in case.
  func index(of name: String) -> Int? {
    let length = name.utf8.count
    guard length < names.count else { return nil }
    return names[length].first { $0.name == name }?.index
  }

  /// The field of this proto or JSON name, exact in case.
  func field(_ name: String) -> MessageField? {
    index(of: name).map { fields[$0] }
  }
}
