internal import PushpitHTTPTypes
internal import PushpitModel

/// Reads a query parameter by parameter and collects what is wrong with it.
///
/// `finish()` refuses what nobody asked for, so a misspelled filter never matches everything.
struct QueryReader {
  private let pairs: [(name: String, value: String)]
  private var known: [String] = []
  private var faults: [ConsoleProblem.Fault] = []

  init(_ query: some Collection<UInt8>) {
    pairs = PercentCoding.pairs(query)
  }

  /// The value of a parameter; nil when it is absent.
  mutating func text(_ name: String) -> String? {
    let values = all(name)
    if values.count > 1 { report(name, "The parameter \(name) is given more than once.") }
    if values.first?.isEmpty == true { report(name, "The parameter \(name) is empty.") }
    return values.first
  }

  /// The values of a parameter that may be repeated.
  private mutating func all(_ name: String) -> [String] {
    known.append(name)
    return pairs.filter { $0.name == name }.map(\.value)
  }

  /// The values of a parameter that may be repeated or have a list with commas.
  mutating func list(_ name: String) -> [String] {
    let values = all(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    if values.contains(where: \.isEmpty) { report(name, "The parameter \(name) is empty.") }
    return values.map(String.init)
  }

  /// The value of a parameter in the form of a type.
  mutating func value<Value>(
    _ name: String, expected: String, _ parse: (String) -> Value?
  ) -> Value? {
    guard let text = text(name), !text.isEmpty else { return nil }
    if let value = parse(text) { return value }
    report(name, "The parameter \(name) must be \(expected), not \"\(text)\".")
    return nil
  }

  /// One of the raw values of an enumeration.
  mutating func choice<Choice>(_ name: String) -> Choice?
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    value(name, expected: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
      Choice(rawValue: $0)
    }
  }

  /// A moment in RFC 3339.
  mutating func moment(_ name: String) -> Timestamp? {
    value(name, expected: "a time like 2026-01-15T01:30:15Z") { Timestamp(rfc3339: $0) }
  }

  /// A duration like `1500ms`, `90s`, `20m` or `1h`.
  mutating func duration(_ name: String) -> Duration? {
    value(name, expected: "a duration like \(DurationText.examples)", DurationText.parse)
  }

  /// A number of items, 1 to 1000, by default 100.
  mutating func limit() -> Int {
    value("limit", expected: "a number from 1 to 1000") { text in
      Int(text).flatMap { (1...1000).contains($0) ? $0 : nil }
    } ?? 100
  }

  /// Notes that a parameter is wrong.
  mutating func report(_ name: String, _ detail: String) {
    faults.append(.init(.query(parameter: name), detail))
  }

  /// Refuses the request when a parameter is wrong or unknown.
  func finish() throws(ConsoleProblem) {
    var faults = faults
    var seen: Set<String> = []
    for pair in pairs where !known.contains(pair.name) && seen.insert(pair.name).inserted {
      let names = known.isEmpty ? "none" : known.joined(separator: ", ")
      faults.append(
        .init(
          .query(parameter: pair.name),
          "The parameter \(pair.name) is unknown; known here: \(names)."))
    }
    if !faults.isEmpty { throw .invalid(faults) }
  }
}
