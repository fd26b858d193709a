internal import PushpitModel

/// Devices whose Live Activities follow broadcast channels.
extension DeviceDirectory {
  /// Subscribes a device to a channel of its app and environment, as a Live Activity does that was
  /// started with `input-push-channel`; nothing when it is subscribed already.
  /// - Throws: that there is no such channel, or that the device has too many.
  package func subscribe(_ device: Device, to channelID: String) throws(DeviceError) {
    try setChannels(device.channels.map(\.text) + [channelID], of: device)
  }

  /// Ends a subscription, as the end of a Live Activity does; nothing when there is none.
  package func unsubscribe(_ device: Device, from channelID: String) {
    if let channel = device.channels.first(where: { $0.text == channelID }) {
      unsubscribe(device, from: channel)
    }
  }

  /// Makes these the channels of a device; those that it has already may be deleted ones.
  func setChannels(_ ids: [String], of device: Device) throws(DeviceError) {
    guard device.isInstalled || ids.isEmpty else {
      throw .invalid([
        InputProblem("/channels", "the app is not installed, so it follows no channel")
      ])
    }
    let wanted = try channels(
      ids, platform: device.platform, app: device.app, environment: device.environment,
      workspace: device.workspace, subscribed: device.channels)
    for channel in device.channels where !wanted.contains(where: { $0 === channel }) {
      unsubscribe(device, from: channel)
    }
    for channel in wanted { subscribers.insert(device, channel) }
    device.channels = wanted
  }

  /// The channels that a new device is to have.
  func checkChannels(
    of specification: DeviceSpecification, in workspace: WorkspaceID
  ) throws(DeviceError) {
    _ = try channels(
      specification.settings.channels ?? [], platform: specification.platform,
      app: specification.app, environment: specification.environment, workspace: workspace)
  }

  func unsubscribeAll(_ device: Device) {
    for channel in device.channels { subscribers.remove(device, channel) }
    device.channels = []
    device.channelsOfActivities = []
  }

  private func unsubscribe(_ device: Device, from channel: Channel) {
    subscribers.remove(device, channel)
    device.channels.removeAll { $0 === channel }
    if let stored = device.channelStorage.take(from: channel) {
      report(
        stored, on: device, .dropped, "the device left the channel", now: now(of: device))
    }
  }

  /// Finds channels by their ids, each once.
  private func channels(
    _ ids: [String], platform: Platform, app: String, environment: APNsEnvironment?,
    workspace: WorkspaceID, subscribed: [Channel] = []
  ) throws(DeviceError) -> [Channel] {
    guard !ids.isEmpty else { return [] }
    guard platform == .ios, let environment else {
      throw .invalid([
        InputProblem("/channels", "a device of platform \(platform) has no broadcast channels")
      ])
    }
    guard ids.count <= Device.channelLimit else {
      throw .invalid([
        InputProblem("/channels", "a device can follow at most \(Device.channelLimit) channels")
      ])
    }
    var found: [Channel] = []
    var problems: [InputProblem] = []
    for (index, id) in ids.enumerated() {
      let bytes = Array(id.utf8)
      // The workspace may have forgotten a deleted one that the device still has.
      let own = subscribed.first { $0.id == bytes }
      guard let known = own ?? workspaces[workspace].channels[bytes],
        own != nil || known.isOpen(to: app, environment)
      else {
        problems.append(
          InputProblem(
            "/channels/\(index)",
            "\(app) has no channel \"\(id.prefix(80))\" in \(environment); the answer that creates "
              + "one has its id"))
        continue
      }
      if !found.contains(where: { $0 === known }) { found.append(known) }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    return found
  }
}

extension DeviceDirectory {
  /// Brings an accepted broadcast to every device of its channel, or stores it there.
  func fanOut(
    _ outcome: borrowing PushOutcome, to channel: Channel, envelope: EnvelopeNumber,
    now real: Timestamp
  ) {
    var content = BroadcastContent()
    for device in subscribers.devices(of: channel) {
      let now = now(of: device, at: real)
      let push = DevicePush(
        envelope: envelope, service: outcome.service, payload: outcome.deviceMessage,
        isByAPNs: true, manner: outcome.manner, channel: channel,
        expiresAt: StorageDeadline.broadcast(
          expiration: outcome.expiration, policy: channel.storagePolicy, now: now,
          real: real),
        at: now, real: real)
      if let reason = StorageReason.keeping(push, from: device) {
        let (replaced, own) = device.channelStorage.store(
          push, of: channel, because: reason, now: now)
        if let replaced { report(replaced, on: device, now: now) }
        report(own, on: device, now: now)
        awaitExpiry(of: device)
      } else if device.acknowledgesByHand {
        send(push, to: device, now: now)
      } else {
        land(
          push, from: channel, on: device, content: &content, cause: "the device is online",
          now: now)
      }
    }
  }
}

extension Channel {
  /// Whether a device of this app and environment may subscribe.
  fileprivate func isOpen(to app: String, _ environment: APNsEnvironment) -> Bool {
    end == nil && self.app == app && self.environment == environment
  }
}
