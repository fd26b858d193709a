internal import PushpitModel

extension DeviceDirectory {
  /// Lets a push act on the device's Live Activities, and presents it when it did.
  ///
  /// Observers are told of the device when a token came or went; each change is on its streams.
  ///
  /// Never inlined: the ordinary push makes no room for an activity on the stack.
  @inline(never)
  func landAtActivity(_ push: DevicePush, on device: Device, cause: String, now: Timestamp) {
    guard let token = push.activityToken else { return }
    do throws(DropCause) {
      let (activity, change) = try act(push, by: token, on: device, now: now)
      var cause = cause
      switch change {
      case .started:
        if let problem = followChannel(of: activity, on: device) { cause += "; " + problem }
      case .updated: break
      case .ended: leaveChannel(of: activity, on: device)
      }
      present(push, on: device, cause: cause, now: now)
      emit(.activity(activity, change), on: device, now: now)
      if change != .updated { observer?.deviceChanged(device) }
    } catch {
      report(push, on: device, .dropped, error.text, now: now)
    }
  }

  private func act(
    _ push: DevicePush, by token: TokenRecord, on device: Device, now: Timestamp
  ) throws(DropCause) -> (LiveActivity, LiveActivity.Change) {
    let content = try ActivityPush(push)
    guard token.purpose == .liveactivity else {
      try content.checkStart()
      let updateToken =
        content.givesToken
        ? registerDeviceToken(
          TokenMint.apns(random, .liveactivity), .liveactivity, of: device) : nil
      let activity = LiveActivity(
        id: newActivityID(), token: updateToken, start: content, now: now)
      keep(activity, on: device)
      return (activity, .started)
    }
    guard let index = device.activities.firstIndex(where: { $0.token === token }) else {
      throw DropCause("the Live Activity is forgotten")
    }
    let change = try device.activities[index].take(content, now: now)
    return (device.activities[index], change)
  }

  /// Begins an activity that the app has started, with a token of the specification.
  func beginActivity(with token: TokenRecord, on device: Device) {
    keep(LiveActivity(id: newActivityID(), token: token, now: now(of: device)), on: device)
  }

  /// Ends all activities of a device at once, as removing the app does.
  ///
  /// Their update tokens stay as they are: dead ones keep being answered with 200 (observed).
  func endActivities(of device: Device, now: Timestamp) {
    for index in device.activities.indices {
      device.activities[index].end(dismissal: now, now: now)
    }
  }

  /// Keeps a new activity; the oldest is forgotten, with its token, when there are too many.
  private func keep(_ activity: LiveActivity, on device: Device) {
    if device.activities.count == Device.activityLimit {
      let oldest = device.activities.removeFirst()
      if let token = oldest.token {
        tokens.remove(token.token)
        token.owner = nil
      }
      leaveChannel(of: oldest, on: device)
    }
    device.activities.append(activity)
  }

  private func newActivityID() -> String {
    var id: [UInt8] = []
    random.uuid(into: &id, uppercase: true)
    return String(decoding: id, as: UTF8.self)
  }
}
