internal import PushpitGateway
internal import PushpitNetwork

/// `pushpit serve`: the gateway itself.
enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "run the gateway"
  static let usage = "pushpit serve [options]"
  static let options = serveOptions

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let merged = try ConfigurationFile.merge(into: arguments)
    var configuration = try ServeConfiguration.make(
      merged.arguments, state: try defaultState(merged.arguments, environment))
    configuration.declaredDevices = merged.devices
    configuration.settings = merged.settings
    configuration.callbacks = merged.callbacks
    configuration.contracts = merged.contracts
    FileLimit.raise()
    let gateway: Gateway
    let report: ReadyReport
    do {
      gateway = Gateway(configuration, loop: try EventLoop())
      try await gateway.stopOnSignals()
      report = try await gateway.start()
    } catch let error as GatewayError {
      throw CommandFailure(error.description)
    }
    Terminal.complain(Welcome.text(report))
    await gateway.waitUntilStopped()
    return 0
  }

  /// `$XDG_STATE_HOME/pushpit`, else `~/.local/state/pushpit` (XDG Base Directory Specification).
  static func defaultState(
    _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) throws(UsageError) -> String {
    if let path = environment("XDG_STATE_HOME"), !path.isEmpty { return path + "/pushpit" }
    if let home = environment("HOME"), !home.isEmpty { return home + "/.local/state/pushpit" }
    guard let path = arguments.text("--state") else {
      throw UsageError("there is no home folder to keep state in; give one with --state")
    }
    return path
  }
}
