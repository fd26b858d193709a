internal import PushpitGateway

/// `pushpit version`.
enum VersionCommand: Command {
  static let name = "version"
  static let summary = "print the version"
  static let usage = "pushpit version"
  static let options: [OptionSpecification] = []

  static let text = "pushpit \(Gateway.version)"

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    Terminal.print(text)
    return 0
  }
}
