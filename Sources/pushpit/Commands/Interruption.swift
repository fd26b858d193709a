internal import PushpitNetwork
internal import Synchronization

/// SIGINT or SIGTERM as an event, for a command that has to tidy up before it ends.
final class Interruption: Sendable {
  /// The loop whose thread watches; it lives as long as this object.
  private let loop: EventLoop
  private let state = Mutex(false)

  private init(loop: EventLoop) {
    self.loop = loop
  }

  /// Whether a signal has come.
  var hasCome: Bool { state.withLock { $0 } }

  /// Watches from now on, and calls once for each signal.
  /// - Throws: `CommandFailure` when the system refuses.
  static func watch(_ action: @escaping @Sendable () -> Void) async throws(CommandFailure)
    -> Interruption
  {
    do throws(NetworkError) {
      let interruption = Interruption(loop: try EventLoop())
      try await Watch(loop: interruption.loop).start { [weak interruption] in
        interruption?.state.withLock { $0 = true }
        action()
      }
      return interruption
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Starts the watchers on the loop's thread, which keeps them.
  private actor Watch {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
      self.loop = loop
    }

    func start(_ action: @escaping @Sendable () -> Void) throws(NetworkError) {
      for signal in SignalWatcher.Signal.allCases { _ = try SignalWatcher(loop, signal, action) }
    }
  }
}
