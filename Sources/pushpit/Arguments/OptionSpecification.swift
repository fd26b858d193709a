/// One flag of a command: its name, what it takes, and its line in the help.
struct OptionSpecification: Sendable {
  /// `--console-port`.
  let name: String
  /// What stands for the value in the help, nil for a flag without one.
  let placeholder: String?
  let help: String
  /// Whether it may be given several times (environment and file: separated by commas).
  let isRepeatable: Bool
  /// The values it takes, when they are few.
  let choices: [String]

  init(
    _ name: String, _ placeholder: String? = nil, repeatable: Bool = false, choices: [String] = [],
    _ help: String
  ) {
    self.name = name
    self.placeholder = placeholder ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
    isRepeatable = repeatable
    self.choices = choices
    self.help = help
  }

  /// `PUSHPIT_CONSOLE_PORT`: every flag has this twin.
  var environmentName: String {
    "PUSHPIT_" + spelling(separator: "_") { $0.uppercased() }
  }

  /// `consolePort`: the name in a configuration file.
  var fileName: String {
    let words = name.dropFirst(2).split(separator: "-")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return (words.first.map(String.init) ?? "") + rest.joined()
  }

  private func spelling(separator: String, _ form: (Substring) -> String) -> String {
    name.dropFirst(2).split(separator: "-").map(form).joined(separator: separator)
  }
}
