internal import PushpitDevices
internal import PushpitGateway
internal import PushpitModel
internal import PushpitNetwork

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

  let gateway: Gateway
  let inboxes: Inboxes
  private let folders = CredentialFolders()

  static func start(_ options: GatewayOptions) async throws(TestGatewayError) -> TestGateway {
    let loop: EventLoop
    do throws(NetworkError) { loop = try EventLoop() } catch { throw .start("\(error)") }
    let gateway = Gateway(options.configuration, loop: loop)
    do throws(GatewayError) {
      let report = try await gateway.start()
      return try await TestGateway(gateway, report)
    } catch {
      throw .start("the gateway cannot start: \(error)")
    }
  }

  private init(_ gateway: Gateway, _ report: ReadyReport) async throws(GatewayError) {
    self.gateway = gateway
    url = report.gatewayURL
    clearURL = report.gatewayClearURL
    consoleURL = report.consoleURL
    port = report.gatewayPort
    inboxes = Inboxes(loop: gateway.loop)
    credentials = try await gateway.testCredentials()
    sender = TestSender(gateway: gateway, port: report.gatewayPort, credentials: credentials)
  }

  /// Ends everything; expectations that wait fail.
  func stop() async {
    await inboxes.stop()
    await sender.close()
    await gateway.stop()
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
  /// - Returns: The device.
  /// - Throws: `TestGatewayError.device` with what is wrong.
  public func device(
    _ platform: TestPlatform, app: String = "com.example.app",
    environment: PushEnvironment = .sandbox, firebase: Bool = false, contract: String? = nil,
    name: String? = nil, tokenDelay: Duration? = nil
  ) async throws(TestGatewayError) -> TestDevice {
    var settings = DeviceChange()
    settings.online = .requested(true)
    let specification = DeviceSpecification(
      platform: platform.modelled, app: app,
      environment: platform == .ios ? environment.modelled : nil, name: name, hasFirebase: firebase,
      contract: contract, tokenDelay: tokenDelay, settings: settings)
    let made = try await gateway.makeDevice(specification, inboxes)
    return TestDevice(
      id: made.id.rawValue, name: made.name, platform: platform, app: app, gateway: gateway,
      inboxes: inboxes)
  }
}

// MARK: - What it knows

extension TestGateway {
  /// The newest requests that it answered, oldest first.
  /// - Parameter limit: How many; 1000 at most.
  /// - Returns: The envelopes.
  public func envelopes(limit: Int = 1000) async -> [RecordedEnvelope] {
    await gateway.envelopes(limit: limit)
  }

  /// Moves its clock forward: what expires then has expired, and devices do what they waited for.
  /// - Throws: `TestGatewayError.clock` when the time would be after the year 8999, or before 1970.
  public func advanceClock(by duration: Duration) async throws(TestGatewayError) {
    guard let isShown = await gateway.advanceClock(by: duration) else { throw .stopped }
    guard isShown else {
      throw .clock("the clock would leave the years 1970 to 8999")
    }
  }

  /// Writes its certificates and credentials into a temporary folder, which is removed with the gateway.
  /// - Returns: The paths of the files.
  /// - Throws: `TestGatewayError.files` with the system's reason.
  public func credentialFiles() async throws(TestGatewayError) -> TestCredentialFiles {
    guard let state = await gateway.state else { throw .stopped }
    return try folders.makeFiles(of: state, port: port)
  }
}
