package import PushpitJSON

/// What a matcher looks at: an envelope, a delivery, a connection ...
package protocol MatchSubject {
  /// The value of a field by its name in the console's JSON.
  func value(of field: String) -> MatchValue
  /// The value that a JSON Pointer names in the payload; nil when there is none.
  func payloadValue(at pointer: String) -> JSONValue?
}

/// What a field has.
package enum MatchValue: Sendable, Equatable {
  /// One value; nil, like null, for none.
  case one(JSONValue?)
  /// Several, of which one is enough for a condition.
  case any([JSONValue])
  /// A device token of APNs, which compares without case as it does at Apple.
  case caseless(String)

  /// A text, or none.
  package static func text(_ text: String?) -> MatchValue { .one(text.map { .string($0) }) }

  /// A number, or none.
  package static func number(_ number: (some BinaryInteger)?) -> MatchValue {
    .one(number.map { .int($0) })
  }

  /// As people are shown it.
  package var json: JSONValue {
    switch self {
    case .one(let value): value ?? .null
    case .any(let values): .array(values)
    case .caseless(let text): .string(text)
    }
  }
}
