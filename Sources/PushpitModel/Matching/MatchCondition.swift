package import PushpitJSON

/// What a field has to be.
package indirect enum MatchCondition: Sendable, Equatable {
  /// This value; numbers compare by what they are worth.
  case equal(JSONValue)
  /// A text that contains this one, or a list with this element.
  case contains(JSONValue)
  case glob(GlobPattern)
  case startsWith(String)
  case endsWith(String)
  case greaterThan(Double)
  case lessThan(Double)
  /// There is a value that is not null, or there is none.
  case exists(Bool)
  case oneOf([JSONValue])
  case not(MatchCondition)
  /// Each of them.
  case all([MatchCondition])

  /// Whether a value is so.
  package func holds(for value: MatchValue) -> Bool {
    switch value {
    case .one(let value): return holds(for: value)
    case .caseless(let text):
      let lower = JSONValue.string(text.lowercased())
      return lowercased.holds(for: lower)
    case .any(let values):
      switch self {
      case .exists(let isWanted): return values.isEmpty != isWanted
      case .not(let condition): return !condition.holds(for: value)
      case .all(let conditions): return conditions.allSatisfy { $0.holds(for: value) }
      case .equal, .contains, .glob, .startsWith, .endsWith, .greaterThan, .lessThan, .oneOf:
        return values.contains { holds(for: $0) }
      }
    }
  }

  private func holds(for value: JSONValue?) -> Bool {
    let text = value?.stringValue
    switch self {
    case .equal(let wanted): return Self.isSame(value ?? .null, wanted)
    case .contains(let wanted):
      if let elements = value?.arrayValue { return elements.contains { Self.isSame($0, wanted) } }
      guard let text, let part = wanted.stringValue else { return false }
      return part.isEmpty || text.utf8Contains(part)
    case .glob(let pattern): return text.map { pattern.matches($0) } ?? false
    case .startsWith(let start): return text?.utf8.starts(with: start.utf8) ?? false
    case .endsWith(let end):
      return text.map { $0.utf8.reversed().starts(with: end.utf8.reversed()) } ?? false
    case .greaterThan(let limit): return value?.doubleValue.map { $0 > limit } ?? false
    case .lessThan(let limit): return value?.doubleValue.map { $0 < limit } ?? false
    case .exists(let isWanted): return (value != nil && value != .null) == isWanted
    case .oneOf(let values): return values.contains { Self.isSame(value ?? .null, $0) }
    case .not(let condition): return !condition.holds(for: value)
    case .all(let conditions): return conditions.allSatisfy { $0.holds(for: value) }
    }
  }

  /// Whether two values are the same; `1` and `1.0` are, as are objects with members in another order.
  private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)):
      if let one = one.int64, let other = other.int64 { return one == other }
      return one == other || (one.double != nil && one.double == other.double)
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy(isSame)
    case (.object(let one), .object(let other)):
      return one.members.count == other.members.count
        && one.members.allSatisfy { member in
          other[member.key].map { isSame(member.value, $0) } ?? false
        }
    default: return one == other
    }
  }

  /// With all texts in lower case.
  private var lowercased: MatchCondition {
    switch self {
    case .equal(let value): .equal(value.lowercased)
    case .contains(let value): .contains(value.lowercased)
    case .glob(let pattern): .glob(GlobPattern(pattern.text.lowercased()))
    case .startsWith(let text): .startsWith(text.lowercased())
    case .endsWith(let text): .endsWith(text.lowercased())
    case .greaterThan, .lessThan, .exists: self
    case .oneOf(let values): .oneOf(values.map(\.lowercased))
    case .not(let condition): .not(condition.lowercased)
    case .all(let conditions): .all(conditions.map(\.lowercased))
    }
  }
}

extension JSONValue {
  /// A text in lower case; anything else as it is.
  fileprivate var lowercased: JSONValue { stringValue.map { .string($0.lowercased()) } ?? self }
}

extension String {
  /// Whether the bytes of a text that is not empty occur; in time that grows with the length of both.
  fileprivate func utf8Contains(_ part: String) -> Bool {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard part.count <= text.count else { return false }
    // Knuth, Morris and Pratt: how far a beginning of the part is an end of what was read.
    var borders = [Int](repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length - 1] }
      if part[index] == part[length] { length += 1 }
      borders[index] = length
    }
    length = 0
    for byte in text {
      while length > 0, byte != part[length] { length = borders[length - 1] }
      if byte == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}
