internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitDevices
internal import PushpitFCM
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// Everything a running gateway knows; owned by the loop's thread.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and the list is complete before the first request.
final class GatewayCore {
  let configuration: GatewayConfiguration
  let time: any TimeSource
  let random: RandomSource
  let log: Log
  let workspaces: WorkspaceDirectory
  let credentials: CredentialDirectory
  let tokens = TokenRegistry()
  let store: EnvelopeStore
  let events = EventHub()
  let devices: DeviceDirectory
  let news: DeviceNews
  let apns: APNsService
  let fcm: FCMService
  let ledger: ConnectionLedger
  /// What each gateway listener is for, by its index.
  @exclusivity(unchecked) private(set) var places: [ListenerPlace] = []

  /// What a gateway port is for.
  struct ListenerPlace {
    var environment = APNsEnvironment.sandbox
    /// The workspace that requests belong to when nothing gives them to another.
    var home = WorkspaceID.default
  }

  init(
    configuration: GatewayConfiguration, credentials: CredentialDirectory, time: any TimeSource,
    machineAccount: ServiceAccount, tokenEndpointHosts: [String], contracts: ContractDirectory
  ) {
    self.configuration = configuration
    self.credentials = credentials
    self.time = time
    random = RandomSource(seed: configuration.seed)
    log = Log(level: configuration.logLevel, format: configuration.logFormat)
    workspaces = WorkspaceDirectory(policies: configuration.policies)
    store = EnvelopeStore(
      recordsCredentials: configuration.recordsCredentials,
      lint: { [contracts, workspaces] push in
        APNsLint.warnings(of: push) + FCMLint.warnings(of: push)
          + contracts.warnings(of: push, workspaces[push.workspace].contract)
      })
    devices = DeviceDirectory(
      tokens: tokens, random: random, time: time, workspaces: workspaces, credentials: credentials,
      contracts: contracts, defaultProject: machineAccount.projectID)
    apns = APNsService(
      credentials: credentials, workspaces: workspaces, tokens: tokens, random: random)
    fcm = FCMService(
      credentials: credentials, workspaces: workspaces, tokens: tokens, random: random, time: time,
      tokenEndpoints: tokenEndpointHosts, machineAccount: machineAccount
    ) { [apns] request, workspace throws(APNsRelay.Refusal) in
      try apns.judgeRelayed(request, in: workspace)
    }
    fcm.importToken = { [devices] in devices.importedToken(for: $0, project: $1) }
    ledger = ConnectionLedger(time: time, log: log)
    news = DeviceNews(store: store, events: events, workspaces: workspaces, time: time)
    devices.observer = news
  }

  /// What a device was to get before the restart is lost: only the record has outlived it.
  func dropStored() {
    for (number, device) in store.storedDeliveries() {
      let now = workspaces.default.time(at: time.now)
      store.noteDelivery(
        number,
        DeliveryStep(
          device: device, state: .dropped, at: now, cause: "the gateway was restarted meanwhile"))
    }
  }

  /// Says what a listener is for.
  func setPlace(_ place: ListenerPlace, ofListener index: Int) {
    while places.count <= index { places.append(ListenerPlace()) }
    places[index] = place
  }

  /// Makes the devices of the configuration file, and says why some could not be.
  func declareDevices() -> [String] {
    let known = Set(devices.declarations(in: .default))
    return configuration.declaredDevices.compactMap { value in
      let declaration = String(decoding: value.serialized(), as: UTF8.self)
      // It came back from before the restart.
      if known.contains(declaration) { return nil }
      do {
        let device = try devices.create(DeviceSpecification(json: value), in: .default)
        device.declaration = declaration
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}
