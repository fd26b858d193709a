package import PushpitJSON

/// Conditions on fields, all of which must hold.
package struct Matcher: Sendable, Equatable {
  /// One field with what it has to be.
  package struct Rule: Sendable, Equatable {
    /// The name of a field, or a JSON Pointer into the payload.
    package let field: String
    package let condition: MatchCondition
    /// The condition as it was written.
    package let written: JSONValue

    /// Whether the field names a place in the payload.
    package var isOfPayload: Bool { field.hasPrefix("/") }
  }

  /// What is not as it should be.
  package struct Difference: Sendable, Equatable {
    package let field: String
    package let expected: JSONValue
    package let found: JSONValue
  }

  package let rules: [Rule]

  /// Without rules everything matches.
  package init(rules: [Rule] = []) {
    self.rules = rules
  }

  /// Whether everything is as it should be.
  package func matches(_ subject: some MatchSubject) -> Bool {
    rules.allSatisfy { $0.condition.holds(for: Self.value(of: $0, in: subject)) }
  }

  /// What is not as it should be, in the order of the rules.
  package func differences(_ subject: some MatchSubject) -> [Difference] {
    rules.compactMap { rule in
      let found = Self.value(of: rule, in: subject)
      guard !rule.condition.holds(for: found) else { return nil }
      return Difference(field: rule.field, expected: rule.written, found: found.json)
    }
  }

  private static func value(of rule: Rule, in subject: some MatchSubject) -> MatchValue {
    rule.isOfPayload
      ? .one(subject.payloadValue(at: rule.field)) : subject.value(of: rule.field)
  }
}
