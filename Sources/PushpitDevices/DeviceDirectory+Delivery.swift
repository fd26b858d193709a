package import PushpitModel

extension DeviceDirectory {
  /// Brings an accepted push to its device, or stores it there; a broadcast to all of its channel, a
  /// message to a topic to all of its subscribers.
  ///
  /// Does nothing when it has none.
  ///
  /// `real` is the real time of acceptance, by default now.
  package func deliver(
    _ outcome: PushOutcome, envelope: EnvelopeNumber, now real: Timestamp? = nil
  ) {
    let real = real ?? time.now
    guard let device = outcome.recipient?.owner as? Device else {
      if let channel = outcome.broadcast?.recipient {
        fanOut(outcome, to: channel, envelope: envelope, now: real)
      } else if let fanOut = outcome.fanOut {
        self.fanOut(outcome, fanOut, envelope: envelope, now: real)
      }
      return
    }
    let now = now(of: device, at: real)
    let push = Self.push(outcome, envelope, to: device, now: now, real: real)
    if outcome.recipient?.isOfLiveActivities == true { push.activityToken = outcome.recipient }
    if outcome.recipient?.isActive == false, device.isInstalled {
      // The vendors accept pushes to a dead token until the uninstall delay is over.
      report(push, on: device, .dropped, Self.deadTokenCause, now: now)
      return
    }
    bring(push, to: device, now: now)
  }

  /// Puts a push on a device, or stores it there.
  func bring(_ push: DevicePush, to device: Device, now: Timestamp) {
    guard device.isInstalled else {
      report(push, on: device, .dropped, Self.uninstalledCause(push.service), now: now)
      return
    }
    if let cause = Self.refusal(of: push, by: device) {
      report(push, on: device, .dropped, cause, now: now)
      return
    }
    if let reason = StorageReason.keeping(push, from: device) {
      store(push, for: device, because: reason, now: now)
      return
    }
    arrive(push, on: device, cause: "the device is online", now: now)
  }

  private static let deadTokenCause =
    "the token died with the app, which was installed again with a new one"

  private static func uninstalledCause(_ service: PushService) -> String {
    service == .apns
      ? "the app is not installed, which APNs does not say before the uninstall delay is over"
      : "the app is not installed"
  }

  private static func push(
    _ outcome: PushOutcome, _ envelope: EnvelopeNumber, to device: Device, now: Timestamp,
    real: Timestamp
  ) -> DevicePush {
    let isByAPNs = device.isReachedByAPNs
    let deadline =
      isByAPNs
      ? StorageDeadline.apns(expiration: outcome.expiration, now: now, real: real)
      : StorageDeadline.fcm(timeToLive: outcome.timeToLive, now: now)
    return DevicePush(
      envelope: envelope, service: outcome.service, payload: outcome.deviceMessage,
      isByAPNs: isByAPNs, manner: outcome.manner,
      isOfApp: outcome.recipient?.isOfApp ?? true,
      collapse: outcome.collapse.isEmpty ? [] : Array(outcome.collapse),
      collapsesByApp: outcome.collapsesByApp, expiresAt: deadline, at: now, real: real)
  }

  private func store(
    _ push: DevicePush, for device: Device, because reason: StorageReason, now: Timestamp
  ) {
    if device.platform == .ios {
      let (replaced, own) = device.apnsStorage.store(push, because: reason, now: now)
      if let replaced { report(replaced, on: device, now: now) }
      report(own, on: device, now: now)
    } else {
      push.resolveCollapse(app: device.app)
      let (others, own) = device.fcmStorage.store(push, because: reason, now: now)
      for step in others { report(step, on: device, now: now) }
      report(own, on: device, now: now)
    }
    awaitExpiry(of: device)
  }

  /// Tells the observer of a step that storing gave a push.
  func report(_ step: StorageStep, on device: Device, now: Timestamp) {
    report(step.push, on: device, step.state, step.cause, now: now)
  }

  /// Brings a push to a device that can have it.
  func arrive(_ push: DevicePush, on device: Device, cause: String, now: Timestamp) {
    if let cause = throttling(of: push, on: device, now: now) {
      report(push, on: device, .dropped, cause, now: now)
    } else if device.acknowledgesByHand {
      send(push, to: device, now: now)
    } else {
      land(push, on: device, cause: cause, now: now)
    }
  }

  /// Lets a push that has reached its device take effect there.
  func land(_ push: DevicePush, on device: Device, cause: String, now: Timestamp) {
    if push.activityToken != nil {
      landAtActivity(push, on: device, cause: cause, now: now)
    } else if let channel = push.channel {
      var content = BroadcastContent()
      land(push, from: channel, on: device, content: &content, cause: cause, now: now)
    } else {
      present(push, on: device, cause: cause, now: now)
    }
  }

  /// Delivers what was stored and need not wait, in order, as long as the device is online.
  func deliverStored(
    to device: Device, because cause: String = "the device came online", now: Timestamp
  ) {
    if device.isOnline, !device.acknowledgesByHand {
      deliverUnacknowledged(to: device, because: cause, now: now)
    }
    if device.isOnline, device.fcmStorage.takeDeletedMessages() {
      emit(.deletedMessages, on: device, now: now)
    }
    while device.isOnline, !device.unacknowledged.isFull,
      let push = takeStored(from: device, unless: device.holds)
    {
      if push.isExpired(at: now) {
        report(push, on: device, .expired, StorageCause.expired, now: now)
      } else if push.channel?.end != nil {
        report(push, on: device, .dropped, "its channel was deleted", now: now)
      } else if let cause = Self.refusal(of: push, by: device) {
        report(push, on: device, .dropped, cause, now: now)
      } else {
        arrive(push, on: device, cause: cause, now: now)
      }
    }
  }

  /// Drops what was stored, for a cause.
  func dropStored(of device: Device, cause: String, now: Timestamp) {
    _ = device.fcmStorage.takeDeletedMessages()
    for push in device.unacknowledged.take(upTo: .max) {
      report(push, on: device, .dropped, cause, now: now)
    }
    while let push = takeStored(from: device) {
      report(push, on: device, .dropped, cause, now: now)
    }
  }

  /// Takes out the next push that is stored and has not to wait.
  private func takeStored(
    from device: Device, unless mustWait: (DevicePush) -> Bool = { _ in false }
  ) -> DevicePush? {
    guard device.platform == .ios else { return device.fcmStorage.takeNext(unless: mustWait) }
    return device.apnsStorage.take(unless: mustWait)
      ?? device.channelStorage.take(unless: mustWait)
  }

  /// Tells the observer of a push's new state.
  func report(
    _ push: DevicePush, on device: Device, _ state: DeliveryState, _ cause: String, now: Timestamp
  ) {
    push.state = state
    push.at = now
    push.isReported = true
    count(state)
    observer?.delivery(
      push.envelope, DeliveryStep(device: device.id, state: state, at: now, cause: cause),
      workspace: device.workspace)
  }

  /// Numbers an event, keeps it for streams that resume and sends it to those that are open.
  func emit(_ content: DeviceEvent.Content, on device: Device, now: Timestamp) {
    let event = keep(content, on: device, now: now)
    if device.streams.isEmpty { return }
    for stream in device.streams { stream.send(event) }
  }

  /// Numbers an event and keeps it for streams that resume.
  @inline(__always)
  func keep(_ content: DeviceEvent.Content, on device: Device, now: Timestamp) -> DeviceEvent {
    device.lastEventID += 1
    lastEventOrder += 1
    let event = DeviceEvent(
      device: device.id, id: device.lastEventID, order: lastEventOrder, at: now,
      content: content)
    if device.events.count == Device.eventLimit, let oldest = device.events.first {
      device.evictedOrder = oldest.order
    }
    device.events.append(event)
    return event
  }
}
