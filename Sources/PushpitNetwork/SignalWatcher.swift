internal import CUV

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Calls a closure on the loop's thread when the process gets a signal.
package final class SignalWatcher: LoopHandle {
  /// The signals that are watched.
  package enum Signal: String, Sendable {
    case terminate = "SIGTERM"
    case interrupt = "SIGINT"
    /// The terminal was closed.
    case hangup = "SIGHUP"
    /// The user wants the shell back for a while.
    case suspend = "SIGTSTP"
    /// The process goes on after it was stopped.
    case resume = "SIGCONT"
    /// The terminal has a new size.
    case resize = "SIGWINCH"

    /// Those that ask a program to end.
    package static let endings: [Signal] = [.terminate, .interrupt, .hangup]

    var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .hangup: SIGHUP
      case .suspend: SIGTSTP
      case .resume: SIGCONT
      case .resize: SIGWINCH
      }
    }

    /// `SIGTERM`, `SIGINT` ...
    package var name: String { rawValue }
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
