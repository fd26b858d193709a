package import PushpitModel

extension DeviceDirectory {
  /// Changes a device's settings; one that comes online gets what was stored.
  @discardableResult
  package func change(
    _ id: DeviceID, _ change: DeviceChange
  ) throws(DeviceError) -> Device {
    let device = try found(id)
    try apply(change, to: device)
    observer?.deviceChanged(device)
    return device
  }

  func apply(_ change: DeviceChange, to device: Device) throws(DeviceError) {
    // First, because they are all that can fail, and a change that fails changes nothing.
    let problems = change.problems(on: device.platform)
    guard problems.isEmpty else { throw .invalid(problems) }
    if let topics = change.topics { try checkTopics(topics, of: device) }
    if let channels = change.channels {
      try setChannels(channels, of: device)
      device.channelsOfActivities = []
    }
    if let topics = change.topics { try setTopics(topics, of: device) }
    if let name = change.name { device.name = name }
    if let callbacks = change.callbacks { device.callbacks = callbacks }
    if let foreground = change.foreground { device.foreground = foreground }
    if let permission = change.permission { device.permission = permission }
    let wasOnline = device.isOnline
    if let savesPower = change.savesPower(device.platform) { device.savesPower = savesPower }
    switch change.online {
    case .requested(let isOnline): device.onlineRequest = isOnline
    case .byStream: device.onlineRequest = nil
    case nil: break
    }
    noteConnection(of: device)
    if device.isOnline {
      let cause = wasOnline ? "the device saves power no more" : "the device came online"
      deliverStored(to: device, because: cause, now: now(of: device))
    }
  }

  /// The owner removes the app: its tokens are dead from now on and what waits for it is dropped.
  ///
  /// Doing it again changes nothing.
  @discardableResult
  package func uninstall(_ id: DeviceID) throws(DeviceError) -> Device {
    let device = try found(id)
    guard device.isInstalled else { return device }
    let now = now(of: device)
    device.isInstalled = false
    stopWaiting(device)
    // One that has expired stays so.
    for record in device.tokens where record.state == .active {
      record.state = .unregistered(since: now)
    }
    endActivities(of: device, now: now)
    clearScreen(of: device, because: "the app was uninstalled", now: now)
    device.foreground = .closed
    device.seenMessages = SeenMessages()
    device.replaceable = ReplaceableNotifications()
    dropStored(of: device, cause: "the app was uninstalled", now: now)
    unsubscribeAll(device)
    if let record = device.fcmToken { device.home.leaveTopicsAndGroups(record) }
    emit(.uninstalled, on: device, now: now)
    observer?.deviceChanged(device)
    return device
  }

  /// Makes a token expire: the one of this name, or the device's main one.
  ///
  /// Nobody outside Apple knows when device tokens expire, so only a test can say. A token that is
  /// dead already stays as it is.
  /// - Throws: that there is no such device or token.
  @discardableResult
  package func expireToken(
    _ id: DeviceID, _ name: TokenName? = nil
  ) throws(DeviceError) -> Device {
    let device = try found(id)
    let name = name ?? device.mainTokenName
    guard let record = device.token(name) else { throw .noToken(name) }
    guard record.state == .active else { return device }
    record.state = .expired(since: now(of: device))
    if record === device.fcmToken { device.home.leaveTopicsAndGroups(record) }
    observer?.deviceChanged(device)
    return device
  }
}
