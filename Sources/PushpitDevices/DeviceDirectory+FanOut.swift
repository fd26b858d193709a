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
      guard let record = device.fcmToken else { continue }
      let now = now(of: device, at: real)
      do throws(APNsRelay.Refusal) {
        let message = try fanOut.message(for: record)
        let push = push(message, of: outcome.service, envelope, to: device, now: now, real: real)
        bring(push, to: device, now: now)
      } catch {
        let push = DevicePush(
          envelope: envelope, service: outcome.service, payload: [], isByAPNs: true,
          expiresAt: nil, at: now, real: real)
        report(
          push, on: device, .dropped,
          "APNs refuses it with \(error.status) \(error.reason): \(error.diagnosis.what)", now: now)
      }
    }
  }

  private func push(
    _ message: FanOut.Message, of service: PushService, _ envelope: EnvelopeNumber,
    to device: Device, now: Timestamp, real: Timestamp
  ) -> DevicePush {
    let isByAPNs = device.isReachedByAPNs
    return DevicePush(
      envelope: envelope, service: service, payload: message.payload, isByAPNs: isByAPNs,
      manner: message.manner, collapse: message.collapse,
      collapsesByApp: message.collapsesByApp,
      expiresAt: isByAPNs
        ? StorageDeadline.apns(expiration: message.expiration, now: now, real: real)
        : StorageDeadline.fcm(timeToLive: message.timeToLive, now: now),
      at: now, real: real)
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
    var found: [UInt64: Device] = [:]
    for token in tokens {
      guard let record = self.tokens.record(of: token),
        let device = record.owner as? Device, device.workspace == workspace,
        isAlive(record, of: device), Self.isOfSender(record, fanOut), Self.takes(device, fanOut)
      else { continue }
      found[device.serial] = device
    }
    return found.values.sorted { $0.serial < $1.serial }
  }

  /// The devices of the sender's project that are subscribed to none of a selection's topics.
  private func devicesWithoutTopics(
    of selection: TopicSelection, for fanOut: FanOut, in workspace: WorkspaceID
  ) -> [Device] {
    let topics = workspaces[workspace].topics
    return allDevices(in: workspace).filter { device in
      guard let record = device.fcmToken, isAlive(record, of: device),
        Self.isOfSender(record, fanOut)
      else { return false }
      let project = record.topicProject(of: "")
      return !topics.isSubscriber(record.token, ofAny: selection, in: project)
        && Self.takes(device, fanOut)
    }
  }

  /// Whether a registration token is of the sender's project, or any project may send to it.
  private static func isOfSender(_ record: TokenRecord, _ fanOut: FanOut) -> Bool {
    record.project.map(fanOut.projects.contains) ?? true
  }

  /// Whether a registration token lives, which one may have stopped to do since somebody looked.
  private func isAlive(_ record: TokenRecord, of device: Device) -> Bool {
    expireIfInactive(record, of: device)
    return record.state == .active
  }

  /// Google: with `restricted_package_name` only that Android app receives the message.
  private static func takes(_ device: Device, _ fanOut: FanOut) -> Bool {
    guard device.platform == .android, let name = fanOut.restrictedPackageName else { return true }
    return device.app == name
  }
}
