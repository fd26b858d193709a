internal import PushpitJSON

/// The keys that Apple has in a payload, with the types of their values.
///
/// Apple: Generating a remote notification, and Starting and updating Live Activities with ActivityKit
/// push notifications; `url-args`, `action` and `action-loc-key` are of older editions.
enum APNsPayloadKeys {
  /// Types of JSON values.
  struct Types: OptionSet {
    let rawValue: UInt8
    static let number = Types(rawValue: 1)
    static let string = Types(rawValue: 2)
    static let boolean = Types(rawValue: 4)
    static let object = Types(rawValue: 8)
    static let array = Types(rawValue: 16)
    static let null = Types(rawValue: 32)

    init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The type of a value.
    init(of value: JSONValue) {
      switch value {
      case .null: self = .null
      case .bool: self = .boolean
      case .number: self = .number
      case .string: self = .string
      case .array: self = .array
      case .object: self = .object
      }
    }

    /// The types in words.
    var text: String {
      let names: [(Types, String)] = [
        (.number, "number"), (.string, "string"), (.boolean, "boolean"), (.object, "object"),
        (.array, "array"), (.null, "null"),
      ]
      return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
  }

  /// The keys of one object.
  struct Table {
    let types: [String: Types]
    /// In order, so that the nearest of several is always the same.
    private let names: [[UInt8]]

    init(_ types: [String: Types]) {
      self.types = types
      names = types.keys.sorted().map { Array($0.utf8) }
    }

    /// The known key that an unknown one is one edit away from.
    func nearest(to key: String) -> String? {
      let key = Array(key.utf8)
      return names.first { isOneEdit($0, key) }.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Inside `aps`.
  static let aps = Table([
    "alert": [.string, .object], "badge": .number, "sound": [.string, .object],
    "thread-id": .string, "category": .string, "target-content-id": .string,
    "filter-criteria": .string, "content-available": .number, "mutable-content": .number,
    "interruption-level": .string, "relevance-score": .number, "content-changed": .boolean,
    "url-args": .array, "timestamp": .number, "event": .string, "content-state": .object,
    "stale-date": .number, "dismissal-date": .number, "attributes-type": .string,
    "attributes": .object, "input-push-token": .number, "input-push-channel": .string,
  ])

  /// Inside `aps/alert`; in Live Activities title and body may be localized by objects, and the sound
  /// is here.
  static let alert = Table([
    "title": [.string, .object], "subtitle": .string, "body": [.string, .object],
    "launch-image": .string, "title-loc-key": .string, "title-loc-args": .array,
    "subtitle-loc-key": .string, "subtitle-loc-args": .array, "loc-key": .string,
    "loc-args": .array, "action": .string, "action-loc-key": .string, "sound": [.string, .object],
  ])

  /// Keys of `aps` that nobody takes for a key of an app's own beside it.
  static let unmistakable = Set(aps.types.keys.filter { $0.contains("-") }).union([
    "alert", "badge", "sound",
  ])

  /// Whether one insertion, deletion, replacement or swap of neighbours makes one text the other.
  static func isOneEdit(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count <= other.count else { return isOneEdit(other, one) }
    guard other.count - one.count <= 1, one != other else { return false }
    let start = zip(one, other).prefix { $0 == $1 }.count
    if one.count < other.count { return one[start...] == other[(start + 1)...] }
    if one[(start + 1)...] == other[(start + 1)...] { return true }
    return start + 1 < one.count && one[start] == other[start + 1]
      && one[start + 1] == other[start] && one[(start + 2)...] == other[(start + 2)...]
  }
}
