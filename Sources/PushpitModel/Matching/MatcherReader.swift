package import PushpitJSON

/// Reads a matcher from JSON, and says everything that is wrong with it.
package struct MatcherReader {
  /// The most fields of a matcher.
  package static let fieldLimit = 100
  /// The most values of `oneOf`.
  package static let valueLimit = 100
  /// The longest text of a condition in bytes.
  package static let textLimit = 64 << 10
  /// How deep `not` may stand in `not`.
  package static let depthLimit = 10

  /// What is wrong with one place.
  package struct Problem: Error, Sendable, Equatable {
    /// From the object of the matcher.
    package let pointer: String
    /// A sentence.
    package let detail: String
  }

  /// What is wrong, in order; empty when the matcher is good.
  package private(set) var problems: [Problem] = []
  /// The matcher, without what is wrong.
  package private(set) var matcher = Matcher()

  private static let operators = [
    "contains", "glob", "startsWith", "endsWith", "greaterThan", "lessThan", "exists", "oneOf",
    "not",
  ]

  /// Reads an object of fields and conditions; fields are these names or JSON Pointers.
  package init(_ value: JSONValue, fields: [String]) {
    guard let object = value.objectValue else {
      report("", "Expected an object of fields and conditions.")
      return
    }
    guard object.members.count <= Self.fieldLimit else {
      report("", "There are at most \(Self.fieldLimit) fields.")
      return
    }
    var rules: [Matcher.Rule] = []
    for (name, value) in object.members {
      let pointer = JSONValue.pointer("", to: name)
      if !name.hasPrefix("/"), !fields.contains(name) {
        report(pointer, "Unknown field; the nearest is \(Self.nearest(name, fields)).")
      } else if name.utf8.count > Self.textLimit {
        report(pointer, "The pointer has more than \(Self.textLimit) bytes.")
      } else if let condition = condition(value, pointer, depth: 0) {
        rules.append(Matcher.Rule(field: name, condition: condition, written: value))
      }
    }
    matcher = Matcher(rules: rules)
  }

  private mutating func report(_ pointer: String, _ detail: String) {
    problems.append(Problem(pointer: pointer, detail: detail))
  }

  private mutating func condition(
    _ value: JSONValue, _ pointer: String, depth: Int
  ) -> MatchCondition? {
    guard let object = value.objectValue,
      object.members.contains(where: { Self.operators.contains($0.key) })
    else { return checked(value, pointer).map { .equal($0) } }
    guard depth < Self.depthLimit else {
      report(pointer, "Conditions stand at most \(Self.depthLimit) deep in each other.")
      return nil
    }
    var conditions: [MatchCondition] = []
    for (name, value) in object.members {
      let place = JSONValue.pointer(pointer, to: name)
      if let condition = operation(name, value, place, depth: depth) {
        conditions.append(condition)
      }
    }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func operation(
    _ name: String, _ value: JSONValue, _ pointer: String, depth: Int
  ) -> MatchCondition? {
    switch name {
    case "contains": return checked(value, pointer).map { .contains($0) }
    case "glob":
      guard let text = text(value, pointer) else { return nil }
      guard text.unicodeScalars.count <= GlobPattern.lengthLimit else {
        report(pointer, "A pattern has at most \(GlobPattern.lengthLimit) characters.")
        return nil
      }
      return .glob(GlobPattern(text))
    case "startsWith": return text(value, pointer).map { .startsWith($0) }
    case "endsWith": return text(value, pointer).map { .endsWith($0) }
    case "greaterThan": return number(value, pointer).map { .greaterThan($0) }
    case "lessThan": return number(value, pointer).map { .lessThan($0) }
    case "exists":
      guard let isWanted = value.boolValue else {
        report(pointer, "Expected true or false.")
        return nil
      }
      return .exists(isWanted)
    case "oneOf":
      guard let values = value.arrayValue, !values.isEmpty, values.count <= Self.valueLimit else {
        report(pointer, "Expected a list of 1 to \(Self.valueLimit) values.")
        return nil
      }
      return checked(value, pointer).map { _ in .oneOf(values) }
    case "not": return condition(value, pointer, depth: depth + 1).map { .not($0) }
    default:
      let known = Self.operators.joined(separator: ", ")
      report(pointer, "Unknown condition; known here: \(known).")
      return nil
    }
  }

  private mutating func text(_ value: JSONValue, _ pointer: String) -> String? {
    guard let text = value.stringValue else {
      report(pointer, "Expected a text.")
      return nil
    }
    return checked(value, pointer).map { _ in text }
  }

  private mutating func number(_ value: JSONValue, _ pointer: String) -> Double? {
    if let number = value.doubleValue { return number }
    report(pointer, "Expected a number.")
    return nil
  }

  /// A value that is not too large.
  private mutating func checked(_ value: JSONValue, _ pointer: String) -> JSONValue? {
    if value.serialized().count <= Self.textLimit { return value }
    report(pointer, "The value has more than \(Self.textLimit) bytes.")
    return nil
  }

  private static func nearest(_ name: String, _ names: [String]) -> String {
    let wanted = name.lowercased().utf8.prefix(100)
    let best = names.min {
      editDistance($0.lowercased().utf8, wanted) < editDistance($1.lowercased().utf8, wanted)
    }
    return best ?? ""
  }
}
