internal import PushpitJSON
internal import PushpitModel

/// What happens on the phone when a push has reached it.
extension DeviceDirectory {
  /// Puts a push in the inbox and on the streams, and says what its app and the phone do with it.
  func present(_ push: DevicePush, on device: Device, cause: String, now: Timestamp) {
    device.inbox.append(push)
    report(push, on: device, .delivered, cause, now: now)
    if let reaction = reaction(to: push, on: device) {
      report(push, on: device, reaction.state, reaction.cause, now: now)
      if reaction.state == .displayed { replaceShown(by: push, on: device, now: now) }
    }
    if !push.isSent {
      emit(.push(push), on: device, now: now)
    } else if push.state != .delivered {
      let cause = "after the device acknowledged it"
      emit(.pushChanged(push, push.state, cause: cause), on: device, now: now)
    }
  }

  /// Why an iOS device does not get a push because its owner allows no notifications; nil when it gets
  /// it.
  ///
  /// Apple's flow of a push: it is discarded when pushes are not enabled. What wakes the app is delivered.
  static func refusal(of push: DevicePush, by device: Device) -> String? {
    guard device.permission == .denied, device.isReachedByAPNs, push.isAlert,
      PushContent.value(push.payload)["aps"]?["content-available"] != 1
    else { return nil }
    return "its owner does not allow notifications"
  }

  /// Why a background push does not reach an iOS app of which the workspace throttles them; nil when it
  /// does.
  func throttling(
    of push: DevicePush, on device: Device, now: Timestamp
  ) -> String? {
    guard push.manner.isBackground, let limit = device.home.delivery.backgroundPerHour,
      device.isReachedByAPNs
    else { return nil }
    let count = device.backgroundArrivals.count { now - $0 < .seconds(3600) && $0 <= now }
    guard count < limit else {
      return "throttled: the app had \(limit) background pushes within an hour"
    }
    device.backgroundArrivals.append(now)
    return nil
  }

  /// What the app or the phone does with a push; nil when there is nothing to show.
  private func reaction(
    to push: DevicePush, on device: Device
  ) -> (state: DeliveryState, cause: String)? {
    if push.isForApp, contracts.isMentioned(in: push.payload),
      let reaction = handOver(push, to: device)
    {
      return reaction
    }
    guard push.hasAlert else { return nil }
    guard device.permission == .granted else {
      return (.suppressed, "its owner does not allow notifications")
    }
    return (.displayed, "shown on the screen")
  }

  /// Hands a push to the app's SDK, as its contract says; nil when it is to be shown as any other.
  private func handOver(
    _ push: DevicePush, to device: Device
  ) -> (state: DeliveryState, cause: String)? {
    let content = PushContent.value(push.payload)
    let payload =
      push.isByAPNs
      ? ClientPayload(userInfo: content)
      : ClientPayload(effectiveMessage: content, platform: device.platform)
    guard
      let (contract, reading) = contracts.reading(
        of: payload, preferring: device.contract, device.home.contract)
    else { return nil }
    push.reading = SDKReading(contract: contract.name, content: reading)
    if let id = reading.messageID,
      let before = device.seenMessages.see("\(contract.name)\0\(id)", in: push.envelope)
    {
      return (.duplicate, "message \(id) came in envelope \(EnvelopeID.text(before)) before")
    }
    if let conversation = reading.conversation, device.foreground == .conversation(conversation),
      push.hasAlert
    {
      return (.suppressed, "conversation \(conversation) is open")
    }
    return nil
  }

  /// Takes what a push replaces from the screen.
  private func replaceShown(by push: DevicePush, on device: Device, now: Timestamp) {
    guard push.isByAPNs, let old = device.replaceable.show(push) else { return }
    let cause = "replaced on the screen by envelope \(EnvelopeID.text(push.envelope))"
    change(old, on: device, to: .collapsed, cause, now: now)
  }

  /// Gives a push that is on the device another state, and tells its streams.
  func change(
    _ push: DevicePush, on device: Device, to state: DeliveryState, _ cause: String, now: Timestamp
  ) {
    report(push, on: device, state, cause, now: now)
    emit(.pushChanged(push, state, cause: cause), on: device, now: now)
  }
}
