internal import CUV

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Calls a closure on the loop's thread when the process gets a signal.
package final class SignalWatcher: LoopHandle {
  /// The signals that ask a server to end.
  package enum Signal: Sendable, CaseIterable {
    case terminate
    case interrupt
    /// The terminal was closed.
    case hangup

    var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .hangup: SIGHUP
      }
    }

    /// `SIGTERM`, `SIGINT` or `SIGHUP`.
    package var name: String {
      switch self {
      case .terminate: "SIGTERM"
      case .interrupt: "SIGINT"
      case .hangup: "SIGHUP"
      }
    }
  }

  /// Dropped with the handle, so that it may hold its own handle.
  private var action: (() -> Void)?

  /// Starts watching; the signal's default action no longer happens until `close()`.
  package init(_ loop: EventLoop, _ signal: Signal, _ action: @escaping () -> Void)
    throws(NetworkError)
  {
    self.action = action
    let operation = "watch \(signal.name)"
    try super.init(loop, uv_signal_t.self, operation: operation) { uv_signal_init($0, $1) }
    let status = uv_signal_start(
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_signal_t.self),
      { watcher, _ in
        guard let data = watcher?.pointee.data else { return }
        (Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue() as? SignalWatcher)?.action?()
      }, signal.number)
    guard status == 0 else {
      close()
      throw NetworkError(operation, status: status)
    }
  }

  override func didClose() { action = nil }
}
