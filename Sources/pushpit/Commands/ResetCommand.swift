internal import PushpitJSON

/// `pushpit reset`: a workspace as it was when it was made.
enum ResetCommand: Command {
  static let name = "reset"
  static let summary =
    "empty a workspace: envelopes, devices, tokens, settings, clock; its credentials stay"
  static let usage = "pushpit reset [--workspace NAME] [--json]"
  static let options = consoleOptions

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let workspace = try await console.json("POST", "/api/v1/reset")
    guard !arguments.flag("--json") else {
      Terminal.print(workspace)
      return 0
    }
    Terminal.print("reset the workspace \(workspace["id"]?.stringValue ?? "")")
    return 0
  }
}
