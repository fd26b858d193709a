internal import PushpitDevices
internal import PushpitModel
internal import PushpitNetwork

/// The one timer of the loop for all that devices wait for; there is none while nothing is waited
/// for.
final class DeviceAlarmTimer {
  private let loop: EventLoop
  private let devices: DeviceDirectory
  private let time: any TimeSource
  private var timer: Timer?

  /// Arms it, now and whenever the directory of devices says that the next alarm may be another.
  init(_ loop: EventLoop, _ devices: DeviceDirectory, _ time: any TimeSource) {
    self.loop = loop
    self.devices = devices
    self.time = time
    devices.alarmsChanged = { [weak self] in self?.arm() }
    arm()
  }

  /// Whether something is waited for.
  var isArmed: Bool { timer != nil }

  /// Lets no more alarms go off.
  func cancel() {
    devices.alarmsChanged = nil
    timer?.cancel()
    timer = nil
  }

  private func arm() {
    timer?.cancel()
    timer = nil
    let now = time.now
    guard let next = devices.nextAlarm(at: now) else { return }
    timer = Timer(loop, after: max(.zero, next - now)) { [weak self] in self?.fire() }
  }

  private func fire() {
    timer = nil
    devices.wake(at: time.now)
    arm()
  }
}
