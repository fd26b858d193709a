package import PushpitJSON
package import PushpitModel

/// Everything `serve` can be told, as values; each default is the documented one.
package struct GatewayConfiguration: Sendable {
  /// How many streams at once an HTTP/2 connection is told it may open.
  package enum StreamPolicy: Sendable, Equatable {
    /// One until the first valid provider token, then 1000, as Apple does.
    case apple
    /// As `apple`, and lowered to one after a rejection (observed 2016-2017).
    case throttle
    /// Always this many.
    case fixed(Int)
  }

  /// Where a gateway's certificates, keys and credentials come from.
  package enum StateSource: Sendable, Equatable {
    /// The state folder of this path.
    case folder(String)
    /// They are made anew, kept in memory, and gone with the gateway.
    case memory
  }

  /// A gateway port beside the main one.
  package struct ExtraListener: Sendable, Equatable {
    /// Ties the port to an environment; nil for the default.
    package let environment: APNsEnvironment?
    package let host: String
    package let port: Int

    package init(environment: APNsEnvironment?, host: String, port: Int) {
      self.environment = environment
      self.host = host
      self.port = port
    }
  }

  /// Detail of the log, least first.
  package enum LogLevel: Int, Sendable, CaseIterable {
    case error
    case warning
    case info
    case debug
  }

  /// The form of a log line.
  package enum LogFormat: String, Sendable, CaseIterable {
    case text
    case json
  }

  package var port = 2197
  package var extraListeners: [ExtraListener] = []
  package var consolePort = 8197
  package var mtalkPort = 5228
  /// Addresses of all ports; empty for 127.0.0.1 and, where there is IPv6, ::1.
  package var binds: [String] = []
  /// Address of the console, when it is another one.
  package var consoleBind: String?
  /// Names that others reach the gateway by; the first is used in answers.
  package var hosts: [String] = []
  /// Where certificates, keys and credentials come from.
  package var state = StateSource.folder("")
  /// Files of credentials to import at the start.
  package var imports: [String] = []
  package var policies = Policies()
  package var streams = StreamPolicy.apple
  package var environment = APNsEnvironment.sandbox
  package var consoleToken: String?
  package var recordsCredentials = false
  /// The file that keeps envelopes, devices and workspaces over restarts; nil to keep them in memory.
  package var dataPath: String?
  /// Names that callbacks of devices may be sent to.
  package var callbackHosts: [String] = []
  /// How long one try of a callback may take; longer where a test's machine is slow.
  package var callbackTimeLimit = Duration.seconds(5)
  package var seed: UInt64?
  package var readyFile: String?
  package var logLevel = LogLevel.info
  package var logFormat = LogFormat.text
  /// Settings of the default workspace in the configuration file, in the console's shape.
  package var settings: [JSONValue] = []
  /// Devices declared in the configuration file, in the console's shape.
  package var declaredDevices: [JSONValue] = []
  /// Payload contracts of the configuration file, in the console's shape.
  package var contracts: [JSONValue] = []
  /// What devices report that say nothing of it, in the console's shape.
  package var callbacks: JSONValue?

  package init() {}

  /// The environment of a port: the one it is tied to, else that of Apple's two ports for channels
  /// (Apple: Sending channel management requests to APNs), else the default.
  package func environment(of listener: ExtraListener) -> APNsEnvironment {
    if let environment = listener.environment { return environment }
    return switch listener.port {
    case 2195: .sandbox
    case 2196: .production
    default: environment
    }
  }

  /// The name that answers and files call the gateway by.
  package var publicHost: String { hosts.first ?? "localhost" }
}
