/// One subcommand: its table of flags, its help, and what it does.
protocol Command: Sendable {
  /// The word on the command line.
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// `pushpit send apns --token T [options]`.
  static var usage: String { get }
  static var options: [OptionSpecification] { get }
  static var positionalLimit: Int { get }
  /// The text of `pushpit NAME --help`.
  static var help: String { get }

  /// Does the work and returns the exit code.
  /// - Throws: `UsageError` for misuse, `CommandFailure` when the work could not be done.
  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
}

extension Command {
  static var positionalLimit: Int { 0 }

  static var help: String { standardHelp }

  /// The summary, the usage and the options.
  static var standardHelp: String {
    var lines = ["\(summary)", "", "Usage: \(usage)", "", "Options:"]
    let rows = (options + [OptionSpecification("--help", nil, "print this")]).map { option in
      (option.name + (option.placeholder.map { " \($0)" } ?? ""), option.help)
    }
    let width = min(38, rows.map(\.0.count).max() ?? 0)
    for (name, help) in rows {
      let padding = String(repeating: " ", count: max(1, width - name.count + 2))
      lines.append("  \(name)\(padding)\(help)")
    }
    lines += ["", "Every option has an environment twin: --console-port is PUSHPIT_CONSOLE_PORT."]
    return lines.joined(separator: "\n")
  }
}

/// The flags by which a command finds the console; shared by all that talk to a running gateway.
let consoleOptions: [OptionSpecification] = [
  OptionSpecification("--console", "URL", "the gateway's console (default http://localhost:8197)"),
  OptionSpecification("--console-token", "TOKEN", "the console's bearer token, when it wants one"),
  OptionSpecification("--workspace", "NAME", "the workspace (default 'default')"),
  OptionSpecification("--json", nil, "print JSON"),
]
