internal import PushpitModel

/// Live Activities that are updated over broadcast channels (Apple: Starting and updating Live
/// Activities with ActivityKit push notifications).
extension DeviceDirectory {
  /// Lets a broadcast act on the running activities that follow its channel, and presents it when it
  /// did; a device without such an activity, subscribed by itself, just gets it.
  ///
  /// Its content is read once for all devices that get it at the same time.
  func land(
    _ push: DevicePush, from channel: Channel, on device: Device,
    content: inout BroadcastContent, cause: String, now: Timestamp
  ) {
    let followers = device.activities.indices.filter {
      device.activities[$0].state == .active && device.activities[$0].channel == channel.text
    }
    guard !followers.isEmpty else {
      return present(push, on: device, cause: cause, now: now)
    }
    let update: ActivityPush
    do throws(DropCause) {
      update = try content.read(from: push)
    } catch {
      return report(push, on: device, .dropped, error.text, now: now)
    }
    var changed: [(activity: LiveActivity, change: LiveActivity.Change)] = []
    var refusal: DropCause?
    for index in followers {
      do throws(DropCause) {
        let change = try device.activities[index].take(update, now: now)
        changed.append((device.activities[index], change))
      } catch {
        refusal = error
      }
    }
    // One that took it has shown it, whatever became of the others.
    if changed.isEmpty, let refusal {
      return report(push, on: device, .dropped, refusal.text, now: now)
    }
    present(push, on: device, cause: cause, now: now)
    for (activity, change) in changed {
      emit(.activity(activity, change), on: device, now: now)
      if change == .ended { leaveChannel(of: activity, on: device) }
    }
    if changed.contains(where: { $0.change == .ended }) { observer?.deviceChanged(device) }
  }

  /// Subscribes a device to the channel that a new activity names; why not, when that fails.
  ///
  /// The activity appears all the same: what a phone does is not known, and the channel only matters
  /// to later updates.
  func followChannel(of activity: LiveActivity, on device: Device) -> String? {
    guard let channel = activity.channel else { return nil }
    guard !device.channels.contains(where: { $0.text == channel }) else { return nil }
    do {
      try subscribe(device, to: channel)
      device.channelsOfActivities.insert(channel)
      return nil
    } catch {
      guard case .invalid(let problems) = error else { return "\(error)" }
      return problems.map(\.detail).joined(separator: "; ")
    }
  }

  /// Ends the subscription that an activity brought when it has ended, unless another one needs it; one
  /// that the device had by itself stays.
  func leaveChannel(of activity: LiveActivity, on device: Device) {
    guard let channel = activity.channel,
      !device.activities.contains(where: { $0.channel == channel && $0.state == .active })
    else { return }
    guard device.channelsOfActivities.remove(channel) != nil else { return }
    unsubscribe(device, from: channel)
  }
}
