internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel

/// Turns what flags, environment and file say into the gateway's configuration.
enum ServeConfiguration {
  /// Builds the configuration.
  /// - Throws: `UsageError` that names the flag, what it got and what it takes.
  static func make(_ arguments: ParsedArguments, state: String) throws(UsageError)
    -> GatewayConfiguration
  {
    var configuration = GatewayConfiguration()
    if arguments.text("--state")?.isEmpty == true {
      throw UsageError("\(arguments.label("--state")) needs the path of a folder")
    }
    configuration.state = .folder(arguments.text("--state") ?? state)
    try ports(arguments, &configuration)
    configuration.binds = arguments.list("--bind")
    configuration.consoleBind = arguments.text("--console-bind")
    configuration.hosts = arguments.list("--host")
    configuration.imports = arguments.list("--import")
    configuration.callbackHosts = arguments.list("--callback-host")
    for host in configuration.callbackHosts {
      guard let problem = CallbackTargetRules.problem(ofName: host) else { continue }
      throw UsageError("\(arguments.label("--callback-host")) \(problem), not '\(host)'")
    }
    configuration.consoleToken = arguments.text("--console-token")
    if configuration.consoleToken?.isEmpty == true {
      throw UsageError("\(arguments.label("--console-token")) takes a token, not an empty text")
    }
    configuration.recordsCredentials = arguments.flag("--record-credentials")
    configuration.readyFile = arguments.text("--ready-file")
    try policies(arguments, &configuration)
    configuration.dataPath = arguments.text("--data")
    if configuration.dataPath?.isEmpty == true {
      throw UsageError("\(arguments.label("--data")) needs the path of a file")
    }
    try guardConsole(configuration)
    return configuration
  }

  private static func ports(
    _ arguments: ParsedArguments, _ configuration: inout GatewayConfiguration
  ) throws(UsageError) {
    let range = 0...65_535
    configuration.port = try arguments.integer("--port", in: range) ?? configuration.port
    configuration.consolePort =
      try arguments.integer("--console-port", in: range) ?? configuration.consolePort
    configuration.mtalkPort =
      try arguments.integer("--mtalk-port", in: range) ?? configuration.mtalkPort
    for text in arguments.list("--listen") {
      configuration.extraListeners.append(
        try listener(text, calledAs: arguments.label("--listen")))
    }
  }

  private static func policies(
    _ arguments: ParsedArguments, _ configuration: inout GatewayConfiguration
  ) throws(UsageError) {
    if let text = arguments.text("--tokens") {
      configuration.policies.tokens = .init(rawValue: text) ?? .open
    }
    if let text = arguments.text("--auth") {
      configuration.policies.authentication = .init(rawValue: text) ?? .verify
    }
    if let text = arguments.text("--wire") {
      configuration.policies.wire = .init(rawValue: text) ?? .observed
    }
    if let text = arguments.text("--environment") {
      configuration.environment = APNsEnvironment(rawValue: text) ?? .sandbox
    }
    if let text = arguments.text("--streams") {
      configuration.streams = try streams(text, calledAs: arguments.label("--streams"))
    }
    if let text = arguments.text("--seed") {
      guard let seed = UInt64(text) else {
        throw UsageError("\(arguments.label("--seed")) takes a whole number from 0, not '\(text)'")
      }
      configuration.seed = seed
    }
    switch arguments.text("--log-level") {
    case "error": configuration.logLevel = .error
    case "warning": configuration.logLevel = .warning
    case "debug": configuration.logLevel = .debug
    default: configuration.logLevel = .info
    }
    if let text = arguments.text("--log-format") {
      configuration.logFormat = .init(rawValue: text) ?? .text
    }
  }

  /// Reads `[environment=]host:port`, where an IPv6 address stands in brackets.
  static func listener(_ text: String, calledAs name: String = "--listen") throws(UsageError)
    -> GatewayConfiguration.ExtraListener
  {
    let problem = UsageError(
      "\(name) takes [sandbox=|production=]HOST:PORT, e.g. production=[::1]:443, not '\(text)'")
    var address = Substring(text)
    var environment: APNsEnvironment?
    if let equals = text.firstIndex(of: "=") {
      guard let named = APNsEnvironment(rawValue: String(text[..<equals])) else { throw problem }
      environment = named
      address = text[text.index(after: equals)...]
    }
    guard let colon = address.lastIndex(of: ":"),
      let port = Int(address[address.index(after: colon)...]), (0...65_535).contains(port)
    else { throw problem }
    var host = address[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw problem
    }
    guard !host.isEmpty else { throw problem }
    return .init(environment: environment, host: String(host), port: port)
  }

  private static func streams(_ text: String, calledAs name: String) throws(UsageError)
    -> GatewayConfiguration.StreamPolicy
  {
    switch text {
    case "apple": return .apple
    case "throttle": return .throttle
    default:
      guard text.hasPrefix("fixed:"), let number = Int(text.dropFirst(6)),
        (1...10_000).contains(number)
      else {
        throw UsageError("\(name) takes apple, throttle or fixed:N (N 1 to 10000), not '\(text)'")
      }
      return .fixed(number)
    }
  }

  /// Beyond loopback the console needs a token: whoever reaches it reads and drives everything.
  private static func guardConsole(_ configuration: GatewayConfiguration) throws(UsageError) {
    guard configuration.consoleToken == nil else { return }
    let addresses = configuration.consoleBind.map { [$0] } ?? configuration.binds
    if let open = addresses.first(where: { !isLoopback($0) }) {
      throw UsageError(
        "the console would listen on \(open), beyond this machine; give it a --console-token, "
          + "or keep it here with --console-bind 127.0.0.1")
    }
  }

  private static func isLoopback(_ address: String) -> Bool {
    guard address != "localhost", address != "::1" else { return true }
    // Only a literal: a name such as 127.example.org may be any machine.
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
