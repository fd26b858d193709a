package import PushpitModel

/// All devices of all workspaces, and what happens to them.
///
/// Owned by the loop's thread. Time is the device's workspace's; identifiers and tokens come from the
/// random source.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change of the table calls only the table.
package final class DeviceDirectory {
  /// How many devices there can be.
  package static let deviceLimit = 1_000_000

  /// How many devices this directory takes; less than the limit in tests.
  let limit: Int
  /// The FCM project of devices that name none; nil when any project may send to them.
  package var defaultProject: String?
  /// What devices report that say nothing of it.
  package var defaultCallbacks = DeviceCallbacks.none
  /// Told of every step and change; held, so it must not hold the directory.
  @exclusivity(unchecked) package var observer: (any DeviceObserver)?

  let tokens: TokenRegistry
  let random: RandomSource
  let time: any TimeSource
  let workspaces: WorkspaceDirectory
  let credentials: CredentialDirectory
  /// What apps' SDKs expect in payloads.
  package let contracts: ContractDirectory
  @exclusivity(unchecked) private var devices: [DeviceID: Device] = [:]
  private var order = DeviceOrder()
  var subscribers = ChannelSubscribers()
  private var counts: [WorkspaceID: Int] = [:]
  private var lastSerial: UInt64 = 0
  /// Steps since the start, by their state's index.
  @exclusivity(unchecked)
  private var stepCounts = [UInt64](repeating: 0, count: DeliveryState.allCases.count)
  /// Counts the events of all devices.
  @exclusivity(unchecked) var lastEventOrder: UInt64 = 0
  var alarms: [WorkspaceID: DeviceAlarms] = [:]
  /// Called when `nextAlarm(at:)` may have become earlier, or a clock was changed.
  package var alarmsChanged: (() -> Void)?

  package init(
    tokens: TokenRegistry, random: RandomSource, time: any TimeSource,
    workspaces: WorkspaceDirectory, credentials: CredentialDirectory,
    contracts: ContractDirectory = ContractDirectory(), defaultProject: String? = nil,
    limit: Int = DeviceDirectory.deviceLimit
  ) {
    self.tokens = tokens
    self.random = random
    self.time = time
    self.workspaces = workspaces
    self.credentials = credentials
    self.contracts = contracts
    self.defaultProject = defaultProject
    self.limit = limit
  }

  deinit {
    for device in devices.values { for record in device.tokens { record.owner = nil } }
  }

  /// How many devices there are in a workspace, or in all.
  package func count(in workspace: WorkspaceID? = nil) -> Int {
    workspace.map { counts[$0, default: 0] } ?? devices.count
  }

  /// How many pushes came to a state since the start.
  package func stepCount(_ state: DeliveryState) -> UInt64 { stepCounts[state.index] }

  /// Counts a step.
  func count(_ state: DeliveryState) { stepCounts[state.index] += 1 }

  /// A device; nil when there is none, or none in this workspace.
  package func device(_ id: DeviceID, in workspace: WorkspaceID? = nil) -> Device? {
    guard let device = devices[id] else { return nil }
    return workspace == nil || workspace == device.workspace ? device : nil
  }

  /// A page of the devices of a workspace or of all, newest first.
  ///
  /// `next` continues the list when there is more.
  package func list(
    in workspace: WorkspaceID? = nil, limit: Int, before cursor: UInt64? = nil
  ) -> (devices: [Device], next: UInt64?) {
    var page: [Device] = []
    for device in order.newestFirst(before: cursor)
    where workspace == nil || workspace == device.workspace {
      if page.count == limit { return (page, page.last?.serial) }
      page.append(device)
    }
    return (page, nil)
  }

  /// The devices of a workspace, in no order.
  func allDevices(in workspace: WorkspaceID) -> some Sequence<Device> {
    devices.values.lazy.filter { $0.workspace == workspace }
  }

  /// Makes a device and registers its tokens.
  /// - Throws: what is wrong with the specification, or that there is no room.
  @discardableResult
  package func create(
    _ specification: DeviceSpecification, in workspace: WorkspaceID = .default
  ) throws(DeviceError) -> Device {
    let problems = specification.problems
    guard problems.isEmpty else { throw .invalid(problems) }
    guard devices.count < limit else { throw .tooManyDevices(limit: limit) }
    if let own = workspaces[workspace].limits.devices, count(in: workspace) >= own {
      throw .tooManyDevices(limit: own)
    }
    for (kind, wish) in specification.deviceTokens {
      if case .given(let token) = wish {
        try checkFree(TokenMint.canonicalAPNs(token), kind.pointer)
      }
    }
    try checkFree(specification.fcmToken.map(TokenMint.canonicalFCM), "/tokens/fcm")
    if let problem = specification.contract.flatMap(contracts.problem) { throw .invalid([problem]) }
    try checkChannels(of: specification, in: workspace)
    try checkTopics(of: specification, in: workspace)
    let serial = nextSerial()
    let hasFCM = specification.platform != .ios || specification.hasFirebase
    let device = Device(
      id: freeID(), serial: serial, workspace: workspace, home: workspaces[workspace],
      name: specification.name ?? "\(specification.platform.rawValue) \(serial)",
      specification: specification,
      project: hasFCM
        ? specification.project ?? workspaces[workspace].project ?? defaultProject : nil,
      callbacks: specification.settings.callbacks ?? defaultCallbacks)
    registerTokens(of: device, specification)
    add(device)
    try apply(specification.settings, to: device)
    waitForTokens(device, now: now(of: device))
    observer?.deviceChanged(device)
    callBackAtLaunch(device)
    return device
  }

  /// The place of the next device in the order of making.
  func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  /// Makes a device known.
  func add(_ device: Device) {
    devices[device.id] = device
    order.append(device)
    counts[device.workspace, default: 0] += 1
  }

  /// Forgets a device and its tokens; its streams end and what waits for it is dropped.
  package func remove(_ id: DeviceID) throws(DeviceError) {
    remove(try found(id))
  }

  private func remove(_ device: Device) {
    let now = now(of: device)
    devices[device.id] = nil
    order.remove(device)
    counts[device.workspace, default: 1] -= 1
    for record in device.tokens + device.activities.compactMap(\.token) {
      tokens.remove(record.token)
      record.owner = nil
    }
    cancelAlarms(of: device)
    dropStored(of: device, cause: "the device was removed", now: now)
    unsubscribeAll(device)
    if let record = device.fcmToken { device.home.leaveTopicsAndGroups(record) }
    let streams = device.streams
    device.streams = []
    for stream in streams { stream.end(.deviceRemoved) }
    observer?.deviceRemoved(device.id)
  }

  /// Forgets all devices of a workspace.
  package func removeAll(in workspace: WorkspaceID) {
    for device in Array(allDevices(in: workspace)) { remove(device) }
    counts[workspace] = nil
    alarms[workspace] = nil
    alarmsChanged?()
  }

  /// The device, which must be there.
  func found(_ id: DeviceID) throws(DeviceError) -> Device {
    guard let device = devices[id] else { throw .unknownDevice(id) }
    return device
  }

  /// The time of a device's workspace at a moment of real time, by default now.
  func now(of device: Device, at real: Timestamp? = nil) -> Timestamp {
    device.home.time(at: real ?? time.now)
  }
}

// MARK: - Tokens and identifiers

extension DeviceDirectory {
  private func checkFree(_ token: [UInt8]?, _ pointer: String) throws(DeviceError) {
    guard let token, let owner = tokens.record(of: token)?.device else { return }
    throw .tokenTaken(InputProblem(pointer, "device \(owner) has this token already"))
  }

  private func registerTokens(of device: Device, _ specification: DeviceSpecification) {
    if device.platform == .ios {
      for (kind, wish) in specification.deviceTokens {
        let token =
          switch wish {
          case .minted: TokenMint.apns(random, kind)
          case .given(let token): TokenMint.canonicalAPNs(token)
          }
        let record = registerDeviceToken(token, kind, of: device)
        switch kind {
        case .app: device.apnsToken = record
        case .liveactivity: beginActivity(with: record, on: device)
        case .voip, .complication, .fileprovider, .pushToStart, .widgets, .controls, .pushtotalk,
          .location:
          device.furtherTokens.append(record)
        }
      }
    }
    if device.platform != .ios || specification.hasFirebase {
      let token = specification.fcmToken.map(TokenMint.canonicalFCM) ?? TokenMint.fcm(random)
      device.fcmToken = registerFCMToken(token, project: device.project, of: device)
    }
  }

  /// Gives a device a registration token; on iOS its messages go to the app's device token.
  func registerFCMToken(
    _ token: [UInt8], project: String?, of device: Device
  ) -> TokenRecord {
    let record = TokenRecord(
      token: token, kind: .fcm, workspace: device.workspace, device: device.id,
      project: project, app: device.app, platform: device.platform)
    record.apnsToken = device.apnsToken
    record.disconnectedAt = device.isOnline ? nil : now(of: device)
    register(record, of: device)
    // Senders may have subscribed it before; other workspaces' and projects' can send to it no more.
    for workspace in workspaces.all.values {
      workspace.claimTopicsAndGroups(record) { other in
        workspace === device.home && isProject(of: record, in: [other])
      }
    }
    return record
  }

  /// Whether a registration token is of the project that has one of these names, or of any.
  func isProject(of record: TokenRecord, in names: [String]) -> Bool {
    guard let project = record.project, !names.contains(project) else { return true }
    return credentials.names(ofProject: project).contains(where: names.contains)
  }

  /// Gives a device a token of a kind, bound to its environment and the kind's topic.
  func registerDeviceToken(
    _ token: [UInt8], _ kind: DeviceTokenKind, of device: Device
  ) -> TokenRecord {
    let record = TokenRecord(
      token: token, kind: .apns, purpose: kind, workspace: device.workspace, device: device.id,
      environment: device.environment, topic: kind.topic(of: device.app), app: device.app,
      platform: device.platform)
    register(record, of: device)
    return record
  }

  /// Makes a token known as a device's.
  func register(_ record: TokenRecord, of device: Device) {
    record.owner = device
    tokens.register(record)
  }

  /// A name that no device has: short enough to be typed.
  private func freeID() -> DeviceID {
    while true {
      let id = DeviceID("d" + random.hex(11))
      if devices[id] == nil { return id }
    }
  }
}
