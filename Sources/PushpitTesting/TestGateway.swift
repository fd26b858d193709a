internal import PushpitJSON
internal import PushpitModel

/// A gateway that runs for one test: it answers as APNs and FCM do, and has simulated devices.
///
/// `withGateway` makes it. Every method may be called from any task or actor.
public struct TestGateway: Sendable {
  /// `https://localhost:` and its port: the endpoint to give a sender, of APNs as of FCM.
  public let url: String
  /// The same port without TLS.
  public let clearURL: String
  /// The URL of its console: the API and the page.
  public let consoleURL: String
  /// Its port, the same for both vendors.
  public let port: Int
  /// Its certificates and credentials.
  public let credentials: TestCredentials
  /// Sends pushes to it as a provider does.
  public let sender: TestSender

  let backend: any GatewayBackend
  let console: WorkspaceConsole
  private let folders = CredentialFolders()

  init(_ backend: any GatewayBackend, _ credentials: TestCredentials) {
    self.backend = backend
    self.credentials = credentials
    let place = backend.place
    url = place.url
    clearURL = place.clearURL
    consoleURL = place.consoleURL
    port = place.port
    sender = TestSender(backend, credentials: credentials)
    console = WorkspaceConsole(place, loop: backend.loop)
  }

  /// Ends everything; expectations that wait fail.
  func stop() async {
    await sender.close()
    await console.close()
    await backend.stop()
    folders.removeAll()
  }
}

// MARK: - Devices

extension TestGateway {
  /// Makes a device that is online, with one app.
  /// - Parameters:
  ///   - platform: What the device is.
  ///   - app: The bundle ID or package name.
  ///   - environment: The APNs environment of its device token; iOS only.
  ///   - firebase: Whether the app has an FCM registration token too; iOS only, the others always have.
  ///   - contract: The payload contract of the app's SDK, as `respondo`.
  ///   - name: What messages call it.
  ///   - tokenDelay: How long after each launch the app is told its tokens.
  ///   - topics: The topics of FCM that the app is subscribed to.
  /// - Returns: The device.
  /// - Throws: `TestGatewayError.device` with what is wrong.
  public func device(
    _ platform: TestPlatform, app: String = "com.example.app",
    environment: PushEnvironment = .sandbox, firebase: Bool = false, contract: String? = nil,
    name: String? = nil, tokenDelay: Duration? = nil, topics: [String] = []
  ) async throws(TestGatewayError) -> TestDevice {
    var wish = JSONObject([
      "platform": .string(platform.rawValue), "app": .string(app), "online": true,
    ])
    if platform == .ios { wish["environment"] = .string(environment.rawValue) }
    if firebase { wish["firebase"] = true }
    if let contract { wish["contract"] = .string(contract) }
    if let name { wish["name"] = .string(name) }
    if let tokenDelay { wish["tokenDelay"] = .string(DurationText.write(tokenDelay)) }
    if !topics.isEmpty { wish["topics"] = .array(topics.map { .string($0) }) }
    let made = try await backend.makeDevice(.object(wish))
    return TestDevice(
      id: made.id, name: made.name, platform: platform, app: app, backend: backend,
      inboxes: backend.inboxes)
  }
}

// MARK: - What it knows

extension TestGateway {
  /// The newest requests that it answered, oldest first.
  /// - Parameter limit: How many; 1000 at most.
  /// - Returns: The envelopes.
  public func envelopes(limit: Int = 1000) async -> [RecordedEnvelope] {
    await backend.envelopes(limit: limit)
  }

  /// Moves its clock forward: what expires then has expired, and devices do what they waited for.
  /// - Throws: `TestGatewayError.clock` when the time would be after the year 8999, or before 1970.
  public func advanceClock(by duration: Duration) async throws(TestGatewayError) {
    try await backend.advanceClock(by: duration)
  }

  /// Writes its certificates and credentials into a temporary folder, which is removed with the gateway.
  /// - Returns: The paths of the files.
  /// - Throws: `TestGatewayError.files` with the system's reason.
  public func credentialFiles() async throws(TestGatewayError) -> TestCredentialFiles {
    try await backend.writeCredentials(to: folders.make())
  }
}
