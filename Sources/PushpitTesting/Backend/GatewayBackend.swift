internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork

/// What the public types ask of a gateway: of one in this process, or of one that runs elsewhere.
protocol GatewayBackend: Sendable {
  /// The console's URL, and the workspace that the test has there.
  var place: GatewayPlace { get }
  /// Whose thread the inboxes and the sender's connection use.
  var loop: EventLoop { get }
  var inboxes: Inboxes { get }
  /// Makes a device in the console's shape that is online; what reaches it comes into the inboxes.
  func makeDevice(
    _ specification: JSONValue
  ) async throws(TestGatewayError) -> (id: String, name: String)
  /// A token of a device.
  func token(of device: String, _ name: AppToken) async throws(TestGatewayError) -> String
  /// Does something with a device.
  func perform(_ action: DeviceAction, on device: String) async throws(TestGatewayError)
  /// What reached a device, as it is now, oldest first.
  func inbox(of device: String) async throws(TestGatewayError) -> [ReceivedPush]
  /// The newest envelopes, oldest first; none when the gateway has stopped.
  func envelopes(limit: Int) async -> [RecordedEnvelope]
  /// Moves the clock forward.
  func advanceClock(by duration: Duration) async throws(TestGatewayError)
  /// The second of the clock.
  func now() async throws(TestGatewayError) -> Int64
  /// Writes certificates and credentials into a folder.
  func writeCredentials(to folder: String) async throws(TestGatewayError) -> TestCredentialFiles
  /// Ends everything.
  func stop() async
}

/// Where a gateway is reached.
struct GatewayPlace: Sendable {
  let url: String
  let clearURL: String
  let consoleURL: String
  let consoleToken: String?
  let port: Int
  let workspace: String
}

/// The tokens that an app gives to its provider, by their names in the console.
enum AppToken: String, Sendable {
  case apns
  case fcm
}

/// What a phone or its owner does.
enum DeviceAction: Sendable {
  /// Changes in the console's shape.
  case change(JSONValue)
  /// The push of an envelope, or the newest that is shown.
  case tap(String?)
  case dismiss(String?)
  case rotateToken
  case uninstall
  case reinstall
  case clearToken
}
