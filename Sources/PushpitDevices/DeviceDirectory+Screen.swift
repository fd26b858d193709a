package import PushpitModel

/// What the owner does with what is on the screen.
extension DeviceDirectory {
  /// The owner taps a push, by default the newest that is shown: the app opens, with the conversation of
  /// its link where its SDK knows one, and reports the opening of a campaign.
  ///
  /// One that is not shown, or no more, is left alone: a second tap changes and reports nothing.
  /// - Throws: that there is no such device or push.
  @discardableResult
  package func tap(
    _ id: DeviceID, envelope: EnvelopeNumber? = nil
  ) throws(DeviceError) -> Device {
    let device = try found(id)
    let push = try chosen(envelope, on: device)
    guard push.isShown else { return device }
    let now = now(of: device)
    let content = push.reading?.content
    let link = content?.deepLink
    device.foreground = content?.opensConversation.map(Foreground.conversation) ?? .open
    change(
      push, on: device, to: .tapped, link.map { "tapped, which opened \($0)" } ?? "tapped",
      now: now)
    if let deliveryID = content?.deliveryID {
      change(
        push, on: device, to: .opened, "the app reported the opening of \(deliveryID)", now: now)
      callBack(.opened, on: device, deliveryID: deliveryID, messageID: content?.messageID)
    }
    observer?.deviceChanged(device)
    return device
  }

  /// The owner wipes a push off the screen, by default the newest that is shown.
  ///
  /// One that is not shown, or no more, is left alone.
  /// - Throws: that there is no such device or push.
  @discardableResult
  package func dismiss(
    _ id: DeviceID, envelope: EnvelopeNumber? = nil
  ) throws(DeviceError) -> Device {
    let device = try found(id)
    let push = try chosen(envelope, on: device)
    guard push.isShown else { return device }
    change(push, on: device, to: .dismissed, "dismissed by the owner", now: now(of: device))
    observer?.deviceChanged(device)
    return device
  }

  /// Takes everything from the screen, as removing the app does.
  func clearScreen(of device: Device, because cause: String, now: Timestamp) {
    for push in device.inbox where push.isShown {
      change(push, on: device, to: .dismissed, cause, now: now)
    }
  }

  private func chosen(
    _ envelope: EnvelopeNumber?, on device: Device
  ) throws(DeviceError) -> DevicePush {
    guard let envelope else {
      guard let newest = device.inbox.last(where: \.isShown) else { throw .nothingShown }
      return newest
    }
    guard let push = device.inbox.last(where: { $0.envelope == envelope }) else {
      throw .notInInbox(envelope)
    }
    return push
  }
}
