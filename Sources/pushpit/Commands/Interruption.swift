internal import PushpitNetwork
internal import Synchronization

/// SIGINT or SIGTERM as an event, for a command that has to tidy up before it ends.
final class Interruption: Sendable {
  /// The loop whose thread watches; it lives as long as this object.
  let loop: EventLoop
  private let state = Mutex(State())

  private struct State {
    var hasCome = false
    var action: (@Sendable () -> Void)?
  }

  private init(loop: EventLoop) {
    self.loop = loop
  }

  /// Watches from now on.
  /// - Throws: `CommandFailure` when the system refuses.
  static func watch() async throws(CommandFailure) -> Interruption {
    do throws(NetworkError) {
      let interruption = Interruption(loop: try EventLoop())
      try await Watch(loop: interruption.loop).start { [weak interruption] in
        interruption?.come()
      }
      return interruption
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Whether a signal has come.
  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Calls when a signal comes, at once when it has come already.
  func whenItComes(_ action: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.action = action
      return state.hasCome
    }
    if hasCome { action() }
  }

  /// Calls when one more signal comes, in place of what was to be called.
  func whenItComesAgain(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.action = action }
  }

  private func come() {
    let action = state.withLock { state in
      state.hasCome = true
      return state.action
    }
    action?()
  }

  /// Starts the watchers on the loop's thread, which keeps them.
  private actor Watch {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
      self.loop = loop
    }

    func start(_ action: @escaping @Sendable () -> Void) throws(NetworkError) {
      for signal in SignalWatcher.Signal.endings { _ = try SignalWatcher(loop, signal, action) }
    }
  }
}
