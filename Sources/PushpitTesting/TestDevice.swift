internal import PushpitDevices
internal import PushpitGateway
internal import PushpitModel

/// A simulated phone or browser with one app on it.
///
/// `TestGateway.device` makes it. Every method may be called from any task or actor.
public struct TestDevice: Sendable {
  /// Its identifier at the gateway.
  public let id: String
  /// What messages call it.
  public let name: String
  /// What it is.
  public let platform: TestPlatform
  /// The bundle ID or package name of its app.
  public let app: String

  let gateway: Gateway
  let inboxes: Inboxes
  var deviceID: DeviceID { DeviceID(id) }
}

// MARK: - Tokens

extension TestDevice {
  /// The device token of its app, for APNs; iOS only.
  ///
  /// In Flutter it is what `getAPNSToken()` gives. It changes by `rotateToken()` and `reinstall()`.
  public var apnsToken: String {
    get async throws(TestGatewayError) { try await gateway.token(deviceID, .apns(.app)) }
  }

  /// The FCM registration token of its app; on iOS only with `firebase`.
  ///
  /// In Flutter it is what `getToken()` gives. It changes by `rotateToken()` and `reinstall()`.
  public var registrationToken: String {
    get async throws(TestGatewayError) { try await gateway.token(deviceID, .fcm) }
  }

  /// Gives the app a new token; the old one is dead.
  ///
  /// On iOS it is the device token, else the registration token.
  public func rotateToken() async throws(TestGatewayError) {
    try await act { devices, id throws(DeviceError) in try devices.rotateToken(id) }
  }

  /// Removes the app: its tokens are dead.
  public func uninstall() async throws(TestGatewayError) {
    try await act { devices, id throws(DeviceError) in try devices.uninstall(id) }
  }

  /// Installs the app again, with new tokens.
  public func reinstall() async throws(TestGatewayError) {
    try await act { devices, id throws(DeviceError) in try devices.reinstall(id) }
  }

  /// The app's user logs out, so the provider should send no more; the tokens live on.
  public func logOut() async throws(TestGatewayError) {
    try await act { devices, id throws(DeviceError) in try devices.clearTokens(id) }
  }
}

// MARK: - The owner

extension TestDevice {
  /// Taps a push: the app opens, with what the push links to.
  /// - Parameter push: One that is shown; nil for the newest that is. One that is shown no more is left
  ///   alone.
  /// - Throws: `TestGatewayError.device` when nothing is shown.
  public func tap(_ push: ReceivedPush? = nil) async throws(TestGatewayError) {
    let envelope = push.flatMap { EnvelopeID.number($0.envelope) }
    try await act { devices, id throws(DeviceError) in try devices.tap(id, envelope: envelope) }
  }

  /// Wipes a push off the screen.
  /// - Parameter push: One that is shown; nil for the newest that is. One that is shown no more is left
  ///   alone.
  /// - Throws: `TestGatewayError.device` when nothing is shown.
  public func dismiss(_ push: ReceivedPush? = nil) async throws(TestGatewayError) {
    let envelope = push.flatMap { EnvelopeID.number($0.envelope) }
    try await act { devices, id throws(DeviceError) in try devices.dismiss(id, envelope: envelope) }
  }

  /// Brings the app to the front, with a conversation open or none.
  public func open(conversation: String? = nil) async throws(TestGatewayError) {
    try await change { $0.foreground = conversation.map { .conversation($0) } ?? .open }
  }

  /// Sends the app to the background.
  public func close() async throws(TestGatewayError) {
    try await change { $0.foreground = .closed }
  }

  /// Lets the app show notifications, or forbids it.
  public func setNotifications(isAllowed: Bool) async throws(TestGatewayError) {
    try await change { $0.permission = isAllowed ? .granted : .denied }
  }
}

// MARK: - The device

extension TestDevice {
  /// Takes the device off the network: the vendor stores what it may.
  public func goOffline() async throws(TestGatewayError) {
    try await change { $0.online = .requested(false) }
  }

  /// Brings it back; what was stored is delivered before this returns.
  public func goOnline() async throws(TestGatewayError) {
    try await change { $0.online = .requested(true) }
  }

  /// Turns low power mode (iOS) or Doze (Android) on or off: what is not urgent waits meanwhile.
  /// - Throws: `TestGatewayError.device` for a browser, which has no such state.
  public func setPowerSaving(isOn: Bool) async throws(TestGatewayError) {
    try await change { [platform] change in
      if platform == .ios { change.powerSaving = isOn } else { change.dozing = isOn }
    }
  }

  private func change(
    _ set: @Sendable (inout DeviceChange) -> Void
  ) async throws(TestGatewayError) {
    var change = DeviceChange()
    set(&change)
    let wanted = change
    try await act { devices, id throws(DeviceError) in try devices.change(id, wanted) }
  }

  private func act(
    _ body: @escaping @Sendable (DeviceDirectory, DeviceID) throws(DeviceError) -> Device
  ) async throws(TestGatewayError) {
    let id = deviceID
    try await gateway.act { devices throws(DeviceError) in _ = try body(devices, id) }
  }
}
