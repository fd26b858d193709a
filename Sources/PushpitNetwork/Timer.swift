internal import CUV

/// Calls a closure on the loop's thread after a while, once or again and again.
///
/// The loop keeps it alive until it has fired for the last time or was cancelled.
package final class Timer: LoopHandle {
  /// Dropped with the handle, so that it may hold its own handle.
  private var action: (() -> Void)?
  private let isRepeating: Bool

  /// Starts the timer.
  package init(
    _ loop: EventLoop, after delay: Duration, repeating interval: Duration? = nil,
    _ action: @escaping () -> Void
  ) {
    self.action = action
    isRepeating = interval != nil
    do {
      try super.init(loop, uv_timer_t.self, operation: "make a timer") { uv_timer_init($0, $1) }
    } catch {
      preconditionFailure("uv_timer_init, which cannot fail, did: \(error)")
    }
    uv_update_time(loop.core.loop)  // A delay counts from now, not from the turn's beginning.
    uv_timer_start(
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_timer_t.self),
      { timer in
        guard let data = timer?.pointee.data else { return }
        (Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue() as? Timer)?.fire()
      }, Self.milliseconds(delay), interval.map { max(1, Self.milliseconds($0)) } ?? 0)
  }

  /// Stops it; it will not fire any more.
  package func cancel() { close() }

  private func fire() {
    if !isRepeating { close() }
    action?()
  }

  /// Rounded up, so that a timer never fires early.
  private static func milliseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(seconds) * 1000
      + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  override func didClose() { action = nil }
}
