internal import CUV

/// Calls a closure each time the loop is about to wait, after everything that was ready has run.
///
/// What many callbacks of one turn ask for can so be done once.
package final class TurnHook: LoopHandle {
  /// Dropped with the handle, so that it may hold its own handle.
  private var action: (() -> Void)?

  /// Starts calling; `close()` ends it.
  package init(_ loop: EventLoop, _ action: @escaping () -> Void) {
    self.action = action
    do {
      try super.init(loop, uv_prepare_t.self, operation: "make a hook") { uv_prepare_init($0, $1) }
    } catch {
      preconditionFailure("uv_prepare_init, which cannot fail, did: \(error)")
    }
    uv_prepare_start(
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_prepare_t.self)
    ) { prepare in
      guard let data = prepare?.pointee.data else { return }
      (Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue() as? TurnHook)?.action?()
    }
  }

  override func didClose() { action = nil }
}
