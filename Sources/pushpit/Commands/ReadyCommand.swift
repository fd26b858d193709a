internal import PushpitHTTPTypes

/// `pushpit ready [--wait]`: whether the gateway accepts, so that scripts need no sleep.
enum ReadyCommand: Command {
  static let name = "ready"
  static let summary = "say whether the gateway is ready; --wait until it is"
  static let usage = "pushpit ready [--wait] [--timeout SECONDS] [--console URL]"
  static let options =
    consoleOptions + [
      OptionSpecification("--wait", nil, "wait until it is ready"),
      OptionSpecification("--timeout", "SECONDS", "how long to wait at most (default 30)"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let seconds = try arguments.integer("--timeout", in: 0...86_400) ?? 30
    let address = try ConsoleAddress(arguments)
    let deadline = ContinuousClock.now + .seconds(arguments.flag("--wait") ? seconds : 0)
    while true {
      let problem: String
      do throws(CommandFailure) {
        let console = try await ConsoleClient.connect(address)
        let answer = try await console.send("GET", "/readyz")
        if answer.head.status == 200 {
          Terminal.print("ready: \(address.url)")
          return 0
        }
        problem = "the gateway at \(address.url) is not ready yet"
      } catch {
        problem = error.message
      }
      guard ContinuousClock.now < deadline else { throw CommandFailure(problem) }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
