package import PushpitModel

/// What devices wait for: alarms in the time of their workspaces, and one moment of real time at
/// which to look at them.
///
/// Whoever runs the directory keeps one timer for `nextAlarm(at:)`, calls `wake(at:)` when it fires
/// and arms it anew, then and whenever `alarmsChanged` says so. Nothing is ever polled.
extension DeviceDirectory {
  /// At most this many alarms go off in one `wake`, so that requests get their turn in between.
  package static let wakeLimit = 1000

  /// How many alarms are set in all workspaces.
  package var alarmCount: Int { alarms.values.reduce(0) { $0 + $1.count } }

  /// Sets an alarm of a device, in place of the one of this kind that it has.
  ///
  /// A moment that has passed goes off as soon as the loop comes to it, never within this call.
  func setAlarm(_ alarm: DeviceAlarm, at time: Timestamp, of device: Device) {
    // A sender can ask for an expiration beyond the end of all calendars.
    let time = min(time, WorkspaceClock.writable.upperBound)
    let earliest = alarms[device.workspace]?.earliest
    alarms[device.workspace, default: DeviceAlarms()].set(alarm, at: time, of: device.id)
    if earliest.map({ time < $0 }) ?? true { alarmsChanged?() }
  }

  /// Takes an alarm of a device back.
  ///
  /// Nobody is told: the timer may fire once in vain, which costs less than to arm it at each
  /// change.
  func cancelAlarm(_ alarm: DeviceAlarm, of device: Device) {
    alarms[device.workspace]?.cancel(alarm, of: device.id)
  }

  /// Takes all alarms of a device back.
  func cancelAlarms(of device: Device) {
    for alarm in DeviceAlarm.allCases { cancelAlarm(alarm, of: device) }
  }

  /// The moment of real time at which the next alarm of a workspace may go off; nil when none can,
  /// as while its clock stands.
  package func nextAlarm(in workspace: Workspace, at real: Timestamp) -> Timestamp? {
    guard let earliest = alarms[workspace.id]?.earliest else { return nil }
    let now = workspace.time(at: real)
    guard earliest > now else { return real }
    return workspace.clock.frozenAt == nil ? real + (earliest - now) : nil
  }

  /// The moment of real time at which the next alarm of all may go off.
  package func nextAlarm(at real: Timestamp) -> Timestamp? {
    alarms.keys.compactMap { nextAlarm(in: workspaces[$0], at: real) }.min()
  }

  /// Lets alarms go off whose moment has come, at most so many.
  package func wake(at real: Timestamp, limit: Int = DeviceDirectory.wakeLimit) {
    var rest = limit
    for id in Array(alarms.keys) { wake(in: workspaces[id], at: real, &rest) }
  }

  /// Changes a workspace's clock; false when it would leave what it can show.
  ///
  /// All alarms that are due then go off before this returns, for whoever moved the clock wants to see
  /// what that did.
  package func changeClock(
    of workspace: Workspace, _ change: WorkspaceClock.Change, at real: Timestamp
  ) -> Bool {
    guard let clock = workspace.clock.changed(change, at: real) else { return false }
    workspace.clock = clock
    guard var rest = alarms[workspace.id]?.count else { return true }
    wake(in: workspace, at: real, &rest)
    alarmsChanged?()
    return true
  }

  private func wake(in workspace: Workspace, at real: Timestamp, _ rest: inout Int) {
    let now = workspace.time(at: real)
    while rest > 0, let due = alarms[workspace.id]?.takeDue(at: now) {
      rest -= 1
      guard let device = device(due.device) else { continue }
      switch due.alarm {
      case .tokenReady: tellTokens(to: device, now: now)
      case .storedPushExpires: expireStored(of: device, now: now)
      }
    }
  }
}
