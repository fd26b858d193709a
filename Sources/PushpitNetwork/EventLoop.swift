internal import CUV

/// A thread that waits for sockets, timers and signals, and runs the actors that live on it.
///
/// Everything on a request's path belongs to this thread and is reached without locks. Other threads
/// reach it through actors whose `unownedExecutor` is the loop. The thread ends when the last
/// reference to the loop goes; open handles are such references until `stop()` closes them.
package final class EventLoop: SerialExecutor {
  /// What the thread works on; it lives as long as the thread.
  let core: LoopCore

  /// Starts the loop's thread.
  package init() throws(NetworkError) {
    core = try LoopCore()
    try core.startThread(running: asUnownedSerialExecutor())
  }

  deinit { core.finish() }

  /// Whether the caller runs on the loop's thread.
  package var isCurrent: Bool { core.isCurrent }

  /// Milliseconds of a clock that never goes back, read once for each turn of the loop.
  ///
  /// For the loop's thread.
  package var now: Int64 { Int64(uv_now(core.loop)) }

  /// Milliseconds since 1970.
  package var realTime: Int64 {
    var time = uv_timeval64_t()
    guard uv_gettimeofday(&time) == 0 else { return 0 }
    return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
  }

  /// How many timers, signals and sockets are open or still closing; for the loop's thread.
  package var handleCount: Int { core.handleCount }

  /// Whether `stop()` was called; for the loop's thread.
  package var isStopping: Bool { core.isStopping }

  /// Closes every timer, signal and socket, and returns when all have let go.
  ///
  /// The loop still runs the jobs of actors afterwards, so nothing that awaits it hangs.
  package func stop() async {
    await LoopStopper(loop: self).stop()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    core.enqueue(UnownedJob(job))
  }

  package func checkIsolated() {
    precondition(isCurrent, "not on the event loop's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

/// Runs `EventLoop.stop()` on the loop's thread.
private actor LoopStopper {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(loop: EventLoop) { self.loop = loop }

  func stop() async {
    await withCheckedContinuation { loop.core.stop($0) }
  }
}
