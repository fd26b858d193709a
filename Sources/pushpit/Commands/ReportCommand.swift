internal import PushpitJSON

/// `pushpit report`: what a workspace's senders do that the vendors would punish.
enum ReportCommand: Command {
  static let name = "report"
  static let summary =
    "say what senders do that Apple and Google would punish, and which tokens to prune"
  static let usage = "pushpit report [--fail-on error|warning] [--workspace NAME] [--json]"
  static let options =
    consoleOptions + [
      OptionSpecification(
        "--fail-on", choices: ["error", "warning"],
        "exit with 1 when something so bad was found, or worse")
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let report = try await console.json("GET", "/api/v1/report")
    if arguments.flag("--json") {
      Terminal.print(report)
    } else {
      for line in ReportText.lines(report) { Terminal.print(line) }
    }
    guard let level = arguments.text("--fail-on") else { return 0 }
    let severities = (report["findings"]?.arrayValue ?? []).map { $0["severity"]?.stringValue }
    return severities.contains { $0 == "error" || level == "warning" } ? 1 : 0
  }
}
