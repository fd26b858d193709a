/// What a device waits for with its workspace's clock; a device has one alarm of each kind at most.
///
/// An alarm carries nothing: what is due is in the device, where it is looked up when the alarm
/// goes off.
package enum DeviceAlarm: Hashable, Sendable, CaseIterable {
  /// The app is told the tokens that it got at its launch.
  case tokenReady
  /// The time of the first of its stored pushes is over.
  case storedPushExpires
}
