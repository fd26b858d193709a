/// The shown notifications that have a collapse id, by which a newer push replaces them on the screen
/// (Apple: Sending notification requests to APNs).
struct ReplaceableNotifications {
  /// When there are more than this many, those that are shown no more are forgotten; twice what an
  /// inbox holds, so that this is rare.
  static let limit = 2 * Device.inboxLimit

  private var pushes: [[UInt8]: DevicePush] = [:]

  /// How many are remembered.
  var count: Int { pushes.count }

  /// Shows a push; returns the one that it replaces on the screen.
  mutating func show(_ push: DevicePush) -> DevicePush? {
    guard !push.collapse.isEmpty else { return nil }
    let old = pushes.updateValue(push, forKey: push.collapse)
    if pushes.count > Self.limit { forgetOldest() }
    return old.flatMap { $0.isShown ? $0 : nil }
  }

  /// Keeps the newest of those that are shown, as many as an inbox holds.
  private mutating func forgetOldest() {
    let shown = pushes.values.filter(\.isShown).sorted { $0.envelope < $1.envelope }
    pushes = [:]
    for push in shown.suffix(Device.inboxLimit) { pushes[push.collapse] = push }
  }
}
