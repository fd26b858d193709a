internal import PushpitDevices
internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork
internal import PushpitRecording

/// A gateway in this process, asked on its own loop.
struct LocalGateway: GatewayBackend {
  let gateway: Gateway
  let inboxes: Inboxes
  let place: GatewayPlace
  var loop: EventLoop { gateway.loop }

  static func start(
    _ options: GatewayOptions
  ) async throws(TestGatewayError) -> (backend: LocalGateway, credentials: TestCredentials) {
    let loop: EventLoop
    do throws(NetworkError) { loop = try EventLoop() } catch { throw .start("\(error)") }
    let gateway = Gateway(options.configuration, loop: loop)
    do throws(GatewayError) {
      let report = try await gateway.start()
      let backend = LocalGateway(
        gateway: gateway, inboxes: Inboxes(loop: loop),
        place: GatewayPlace(
          url: report.gatewayURL, clearURL: report.gatewayClearURL, consoleURL: report.consoleURL,
          consoleToken: nil, port: report.gatewayPort, workspace: "default"))
      return (backend, try await gateway.testCredentials())
    } catch {
      throw .start("the gateway cannot start: \(error)")
    }
  }

  func makeDevice(
    _ specification: JSONValue
  ) async throws(TestGatewayError) -> (id: String, name: String) {
    try await gateway.makeDevice(specification, inboxes)
  }

  func token(of device: String, _ name: AppToken) async throws(TestGatewayError) -> String {
    try await gateway.token(DeviceID(device), name == .apns ? .apns(.app) : .fcm)
  }

  func perform(_ action: DeviceAction, on device: String) async throws(TestGatewayError) {
    let id = DeviceID(device)
    try await gateway.act { devices throws(DeviceError) in
      switch action {
      case .change(let change): _ = try devices.change(id, DeviceChange(json: change))
      case .tap(let envelope):
        _ = try devices.tap(id, envelope: envelope.flatMap { EnvelopeID.number($0) })
      case .dismiss(let envelope):
        _ = try devices.dismiss(id, envelope: envelope.flatMap { EnvelopeID.number($0) })
      case .rotateToken: _ = try devices.rotateToken(id)
      case .uninstall: _ = try devices.uninstall(id)
      case .reinstall: _ = try devices.reinstall(id)
      case .clearToken: _ = try devices.clearTokens(id)
      }
    }
  }

  func inbox(of device: String) async throws(TestGatewayError) -> [ReceivedPush] {
    try await gateway.inbox(DeviceID(device))
  }

  func envelopes(limit: Int) async -> [RecordedEnvelope] {
    await gateway.envelopes(limit: limit)
  }

  func advanceClock(by duration: Duration) async throws(TestGatewayError) {
    guard let isShown = await gateway.advanceClock(by: duration) else { throw .stopped }
    guard isShown else { throw .clock("the clock would leave the years 1970 to 8999") }
  }

  func now() async throws(TestGatewayError) -> Int64 {
    guard let now = await gateway.now else { throw .stopped }
    return now.seconds
  }

  func writeCredentials(
    to folder: String
  ) async throws(TestGatewayError) -> TestCredentialFiles {
    guard let state = await gateway.state else { throw .stopped }
    let paths: StatePaths
    do throws(StateError) {
      paths = try state.copy(to: folder, port: place.port)
    } catch {
      throw .files("\(error)")
    }
    return TestCredentialFiles(
      folder: paths.folder, certificateAuthority: paths.authority,
      certificateBundle: paths.authorityBundle,
      apnsKey: paths.apnsKey(state.defaults.apnsKey.keyID), serviceAccount: paths.serviceAccount,
      googleServices: paths.googleServices)
  }

  func stop() async {
    await inboxes.stop()
    await gateway.stop()
  }
}
