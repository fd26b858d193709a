internal import PushpitJSON
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

  let backend: any GatewayBackend
  let inboxes: Inboxes
}

// MARK: - Tokens

extension TestDevice {
  /// The device token of its app, for APNs; iOS only.
  ///
  /// In Flutter it is what `getAPNSToken()` gives. It changes by `rotateToken()` and `reinstall()`.
  public var apnsToken: String {
    get async throws(TestGatewayError) { try await backend.token(of: id, .apns) }
  }

  /// The FCM registration token of its app; on iOS only with `firebase`.
  ///
  /// In Flutter it is what `getToken()` gives. It changes by `rotateToken()` and `reinstall()`.
  public var registrationToken: String {
    get async throws(TestGatewayError) { try await backend.token(of: id, .fcm) }
  }

  /// Gives the app a new token; the old one is dead.
  ///
  /// On iOS it is the device token, else the registration token.
  public func rotateToken() async throws(TestGatewayError) {
    try await backend.perform(.rotateToken, on: id)
  }

  /// Removes the app: its tokens are dead.
  public func uninstall() async throws(TestGatewayError) {
    try await backend.perform(.uninstall, on: id)
  }

  /// Installs the app again, with new tokens.
  public func reinstall() async throws(TestGatewayError) {
    try await backend.perform(.reinstall, on: id)
  }

  /// The app's user logs out, so the provider should send no more; the tokens live on.
  public func logOut() async throws(TestGatewayError) {
    try await backend.perform(.clearToken, on: id)
  }
}

// MARK: - The owner

extension TestDevice {
  /// Taps a push: the app opens, with what the push links to.
  /// - Parameter push: One that is shown; nil for the newest that is. One that is shown no more is left
  ///   alone.
  /// - Throws: `TestGatewayError.device` when nothing is shown.
  public func tap(_ push: ReceivedPush? = nil) async throws(TestGatewayError) {
    try await backend.perform(.tap(push?.envelope), on: id)
  }

  /// Wipes a push off the screen.
  /// - Parameter push: One that is shown; nil for the newest that is. One that is shown no more is left
  ///   alone.
  /// - Throws: `TestGatewayError.device` when nothing is shown.
  public func dismiss(_ push: ReceivedPush? = nil) async throws(TestGatewayError) {
    try await backend.perform(.dismiss(push?.envelope), on: id)
  }

  /// Brings the app to the front, with a conversation open or none.
  public func open(conversation: String? = nil) async throws(TestGatewayError) {
    try await change(
      ["foreground": conversation.map { ["conversation": .string($0)] } ?? true])
  }

  /// Sends the app to the background.
  public func close() async throws(TestGatewayError) {
    try await change(["foreground": false])
  }

  /// Lets the app show notifications, or forbids it.
  public func setNotifications(isAllowed: Bool) async throws(TestGatewayError) {
    try await change(["permission": isAllowed ? "granted" : "denied"])
  }
}

// MARK: - The device

extension TestDevice {
  /// Takes the device off the network: the vendor stores what it may.
  public func goOffline() async throws(TestGatewayError) {
    try await change(["online": false])
  }

  /// Brings it back; what was stored is delivered before this returns.
  public func goOnline() async throws(TestGatewayError) {
    try await change(["online": true])
  }

  /// Turns low power mode (iOS) or Doze (Android) on or off: what is not urgent waits meanwhile.
  /// - Throws: `TestGatewayError.device` for a browser, which has no such state.
  public func setPowerSaving(isOn: Bool) async throws(TestGatewayError) {
    try await change([platform == .ios ? "powerSaving" : "dozing": .bool(isOn)])
  }

  /// Subscribes its app to topics of FCM, in place of those that it is subscribed to.
  public func setTopics(_ topics: [String]) async throws(TestGatewayError) {
    try await change(["topics": .array(topics.map { .string($0) })])
  }

  private func change(_ change: JSONValue) async throws(TestGatewayError) {
    try await backend.perform(.change(change), on: id)
  }
}
