internal import PushpitGateway
internal import PushpitModel

/// How a gateway of a test behaves.
public struct GatewayOptions: Sendable, Equatable {
  /// The APNs environment of a request whose host does not tell.
  public var environment: PushEnvironment
  /// Whether a well-formed token that no device has is accepted, as one of a user that the gateway does
  /// not know yet; else it is refused as the vendor refuses an unknown token.
  public var acceptsUnknownTokens: Bool
  /// Makes tokens and identifiers the same in each run; nil for random ones.
  public var seed: UInt64?

  /// - Parameters:
  ///   - environment: The APNs environment of a request whose host does not tell.
  ///   - acceptsUnknownTokens: Whether a well-formed token that no device has is accepted.
  ///   - seed: Makes tokens and identifiers the same in each run.
  public init(
    environment: PushEnvironment = .sandbox, acceptsUnknownTokens: Bool = true,
    seed: UInt64? = nil
  ) {
    self.environment = environment
    self.acceptsUnknownTokens = acceptsUnknownTokens
    self.seed = seed
  }

  /// The configuration of such a gateway.
  var configuration: GatewayConfiguration {
    var configuration = GatewayConfiguration()
    configuration.port = 0
    configuration.consolePort = 0
    configuration.state = .memory
    configuration.logLevel = .error
    configuration.environment = environment.modelled
    configuration.policies.tokens = acceptsUnknownTokens ? .open : .strict
    configuration.seed = seed
    return configuration
  }
}
