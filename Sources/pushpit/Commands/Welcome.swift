internal import PushpitGateway

/// What a started gateway says: where it listens, where the credentials are, and how to send.
enum Welcome {
  /// The lines for standard error.
  static func text(_ report: ReadyReport) -> String {
    let listeners = report.listeners.map { listener in
      let host = listener.host.contains(":") ? "[\(listener.host)]" : listener.host
      let environment = listener.environment.map { " (APNs \($0))" } ?? ""
      return "  \(listener.kind)  \(host):\(listener.port)\(environment)"
    }
    let console = report.consolePort == 8197 ? "" : " --console \(report.consoleURL)"
    let token = String(repeating: "a0", count: 32)
    let program = EnvCommand.quoted(CommandLine.arguments.first ?? "pushpit")
    return """
      pushpit \(Gateway.version) is ready
      \(listeners.joined(separator: "\n"))
        credentials and certificates  \(report.statePath)

      Send a first push from another terminal:
        token=\(token)
        \(program) device\(console) --token $token &
        \(program) send apns\(console) --token $token --title Hello --body World

      """
  }
}
