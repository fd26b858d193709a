internal import PushpitNetwork

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What comes from the terminal of a command with keys.
struct TerminalNews: Sendable {
  /// The most pieces of typed text that wait; what is typed further is lost.
  static let pieceLimit = 64
  /// The most signals that wait, the newest.
  static let signalLimit = 16

  /// What is typed; it ends with the terminal.
  let typed: AsyncStream<[UInt8]>
  /// A new size, and being stopped and going on.
  let signals: AsyncStream<SignalWatcher.Signal>

  /// Watches from now on, on this loop.
  /// - Throws: `CommandFailure` when the system refuses.
  static func watch(on loop: EventLoop) async throws(CommandFailure) -> TerminalNews {
    let (typed, keys) = typedStream()
    let (signals, others) = signalStream()
    do throws(NetworkError) {
      try await Watch(loop: loop).start(keys, others)
    } catch {
      throw CommandFailure("\(error)")
    }
    return TerminalNews(typed: typed, signals: signals)
  }

  /// What is typed, and where to put it.
  static func typedStream() -> (AsyncStream<[UInt8]>, AsyncStream<[UInt8]>.Continuation) {
    AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(pieceLimit))
  }

  /// The signals, and where to put them.
  static func signalStream() -> (
    AsyncStream<SignalWatcher.Signal>, AsyncStream<SignalWatcher.Signal>.Continuation
  ) {
    AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(signalLimit))
  }

  /// Starts the watchers on the loop's thread, which keeps them.
  private actor Watch {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
      self.loop = loop
    }

    func start(
      _ typed: AsyncStream<[UInt8]>.Continuation,
      _ signals: AsyncStream<SignalWatcher.Signal>.Continuation
    ) throws(NetworkError) {
      for signal in [SignalWatcher.Signal.suspend, .resume, .resize] {
        _ = try SignalWatcher(loop, signal) { signals.yield(signal) }
      }
      _ = try TerminalInput(loop, descriptor: STDIN_FILENO) { bytes in
        if bytes.isEmpty { typed.finish() } else { typed.yield(bytes) }
      }
    }
  }
}
