internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitModel
package import PushpitNetwork

/// Why a gateway did not start.
package enum GatewayError: Error, Equatable, CustomStringConvertible {
  /// A port could not be opened; the text says which and what to do.
  case listen(String)
  /// The state folder cannot be used; the text says why and the way out.
  case state(String)
  /// A file named in the configuration cannot be used.
  case configuration(String)

  package var description: String {
    switch self {
    case .listen(let text), .state(let text), .configuration(let text): text
    }
  }
}

/// A running gateway: its ports, its console and all it knows, on one loop's thread.
package actor Gateway {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// The version of this build.
  package static let version = "0.1.0"

  /// Where it listens; nil until it has started.
  package internal(set) var report: ReadyReport?

  let configuration: GatewayConfiguration
  var server: HTTPServer?
  var core: GatewayCore?
  var vendors: VendorHandler?
  /// The console holds it weakly.
  var status: GatewayStatus?
  var console: Console?
  /// Of the gateway ports.
  var gatewayOptions = ListenerOptions()
  var signals: [SignalWatcher] = []
  var logTimer: Timer?
  var alarmTimer: DeviceAlarmTimer?
  var callbacks: CallbackSender?
  /// Nil where nothing is kept over restarts.
  var data: DataKeeper?
  var dataWriter: DataWriter?
  /// The RSA key that was begun last.
  var keyTask: Task<Void, Never>?
  var whenStopped: [CheckedContinuation<Void, Never>] = []
  /// It answers nobody any more.
  var hasStopped = false
  /// What was to be written is written, too.
  var isOver = false
  var isStopping = false

  /// How long requests in progress have when the gateway stops.
  package static let stopGrace = Duration.seconds(5)
  /// A log line waits at most this long to be written together with others.
  static let logDelay = Duration.milliseconds(50)

  package init(_ configuration: GatewayConfiguration, loop: EventLoop) {
    self.configuration = configuration
    self.loop = loop
  }
}
