/// What a command line, the environment and a configuration file together say.
struct ParsedArguments: Sendable {
  /// Values by flag name; a flag without a value has `true`.
  var values: [String: [String]] = [:]
  /// Flags whose value nobody gave but the environment or a file, and how those call them.
  var origins: [String: String] = [:]
  /// Words that are no flags, in order.
  var positionals: [String] = []

  /// The last value of a flag, nil when nobody gave it.
  func text(_ name: String) -> String? { values[name]?.last }

  /// All values of a repeatable flag.
  func list(_ name: String) -> [String] { values[name] ?? [] }

  /// Whether a flag without a value was given.
  func flag(_ name: String) -> Bool { values[name]?.last == "true" }

  /// How whoever gave a flag's value called it: `--port`, `PUSHPIT_PORT`.
  func label(_ name: String) -> String { origins[name] ?? name }

  /// Those of these flags that were given on the command line.
  func given(_ names: [String]) -> [String] {
    names.filter { values[$0] != nil && origins[$0] == nil }
  }

  /// A whole number within a range.
  /// - Throws: `UsageError` when it is none.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(label(name)) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return number
  }
}
