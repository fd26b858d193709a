internal import PushpitModel

/// Messages to topics, conditions and device groups.
extension DeviceDirectory {
  /// Brings an accepted message to every device that it is for, in the order they were made.
  ///
  /// Tokens that nobody registered, and dead ones, receive nothing.
  func fanOut(
    _ outcome: borrowing PushOutcome, _ fanOut: FanOut, envelope: EnvelopeNumber,
    now real: Timestamp
  ) {
    for device in devices(for: fanOut, in: outcome.workspace) {
      let now = now(of: device, at: real)
      let message = fanOut.message(for: device.platform)
      let push = DevicePush(
        envelope: envelope, service: outcome.service, payload: message.payload,
        collapse: device.platform == .ios ? [] : message.collapse,
        expiresAt: StorageDeadline.fcm(timeToLive: message.timeToLive, now: now), at: now,
        real: real)
      bring(push, to: device, now: now)
    }
  }

  private func devices(for fanOut: FanOut, in workspace: WorkspaceID) -> [Device] {
    switch fanOut.recipients {
    case .group(let members):
      return devices(with: members, for: fanOut, in: workspace)
    case .topics(let selection):
      let topics = workspaces[workspace].topics
      // Under no project are the devices that any project may send to.
      let tokens = (fanOut.projects + [""]).flatMap { topics.tokens(chosenBy: selection, in: $0) }
      var chosen = devices(with: tokens, for: fanOut, in: workspace)
      if selection.choosesOthers {
        chosen += devicesWithoutTopics(of: selection, for: fanOut, in: workspace)
        chosen.sort { $0.serial < $1.serial }
      }
      return chosen
    }
  }

  private func devices(
    with tokens: [[UInt8]], for fanOut: FanOut, in workspace: WorkspaceID
  ) -> [Device] {
    tokens.compactMap { token -> Device? in
      guard let record = self.tokens.record(of: token), record.state == .active,
        let device = record.owner as? Device, device.workspace == workspace,
        Self.takes(device, fanOut)
      else { return nil }
      return device
    }.sorted { $0.serial < $1.serial }
  }

  /// The devices of the sender's project that are subscribed to none of a selection's topics.
  private func devicesWithoutTopics(
    of selection: TopicSelection, for fanOut: FanOut, in workspace: WorkspaceID
  ) -> [Device] {
    let topics = workspaces[workspace].topics
    return allDevices(in: workspace).filter { device in
      guard let record = device.fcmToken, record.state == .active,
        record.project.map(fanOut.projects.contains) ?? true
      else { return false }
      let project = record.topicProject(of: "")
      return !topics.isSubscriber(record.token, ofAny: selection, in: project)
        && Self.takes(device, fanOut)
    }
  }

  /// Google: with `restricted_package_name` only that Android app receives the message.
  private static func takes(_ device: Device, _ fanOut: FanOut) -> Bool {
    guard device.platform == .android, let name = fanOut.restrictedPackageName else { return true }
    return device.app == name
  }
}
