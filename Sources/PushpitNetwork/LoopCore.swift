internal import CUV
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What an event loop's thread works on.
///
/// Any thread may hand over jobs and ask which thread is the loop's; all else is for that thread, whose
/// own state has a lock of its own that nobody ever waits for.
final class LoopCore: Sendable {
  /// What other threads hand over.
  private struct Mailbox {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  /// What the loop's thread keeps.
  private struct State {
    /// The loop as the executor of its jobs.
    var executor: UnownedSerialExecutor?
    var isStopping = false
    var handleCount = 0
    var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Who waits for the end of all handles, once that has come.
    mutating func takeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
      guard isStopping, handleCount == 0 else { return [] }
      defer { stopWaiters = [] }
      return stopWaiters
    }
  }

  /// How many bytes one read of a socket takes at most.
  static let readLimit = 64 * 1024

  /// The libuv loop; its `data` is the read buffer that all sockets share.
  var loop: UnsafeMutablePointer<uv_loop_t> { loopMemory.pointer }
  private let loopMemory = LibuvMemory<uv_loop_t>()
  private let wakeUpMemory = LibuvMemory<uv_async_t>()
  private let mailbox = Mutex(Mailbox())
  private let thread = Atomic<UInt>(0)
  private let state = Mutex(State())

  /// Whether all handles are to go.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// How many handles are open or closing, the wake-up apart.
  var handleCount: Int { state.withLock { $0.handleCount } }

  init() throws(NetworkError) {
    let wakeUp = wakeUpMemory.pointer
    let status = uv_loop_init(loopMemory.pointer)
    guard status == 0 else {
      loopMemory.free()
      wakeUpMemory.free()
      throw NetworkError("make an event loop", status: status)
    }
    loop.pointee.data = .allocate(byteCount: Self.readLimit, alignment: 16)
    let asyncStatus = uv_async_init(loop, wakeUp) { handle in
      guard let data = handle?.pointee.data else { return }
      Unmanaged<LoopCore>.fromOpaque(data).takeUnretainedValue().drain()
    }
    precondition(asyncStatus == 0, "uv_async_init on a loop that uv_loop_init has made")
    wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    loop.pointee.data?.deallocate()
    wakeUpMemory.free()
    loopMemory.free()
  }

  /// A handle was opened.
  func handleOpened() { state.withLock { $0.handleCount += 1 } }

  /// A handle has let go.
  func handleClosed() {
    resume(
      state.withLock {
        $0.handleCount -= 1
        return $0.takeReadyWaiters()
      })
  }

  /// Starts the thread, which owns this object until it ends.
  func startThread(running executor: UnownedSerialExecutor) throws(NetworkError) {
    state.withLock { $0.executor = executor }
    Self.ignoresBrokenPipes
    var thread = uv_thread_t(bitPattern: 0)
    let owner = Unmanaged.passRetained(self)
    let status = uv_thread_create(
      &thread,
      { argument in
        guard let argument else { return }
        Unmanaged<LoopCore>.fromOpaque(argument).takeRetainedValue().run()
      }, owner.toOpaque())
    guard status == 0 else {
      owner.release()
      throw NetworkError("start the event loop's thread", status: status)
    }
  }

  /// A write to a socket whose peer has gone gives EPIPE, not a signal that ends the process.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  // Not inlined, and not pthread_self(): glibc declares that one const, so in inlined async code
  // the optimiser would reuse its result across a suspension, on another thread.
  @inline(never)
  private static func currentThread() -> UInt {
    #if canImport(Glibc)
      uv_thread_self()
    #else
      UInt(bitPattern: uv_thread_self())
    #endif
  }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.currentThread() }

  private func run() {
    thread.store(Self.currentThread(), ordering: .relaxed)
    pthread_detach(pthread_self())  // Nobody waits for it.
    uv_run(loop, UV_RUN_DEFAULT)
    let status = uv_loop_close(loop)
    assert(status == 0, "a handle outlived its loop")
    _ = status
  }

  /// Takes a job from any thread.
  func enqueue(_ job: UnownedJob) {
    // The loop's thread may run the job, and so drop the loop itself, as soon as it is in the
    // mailbox; hence the wake-up is sent before the mailbox opens, and `self` is held.
    withExtendedLifetime(self) {
      mailbox.withLock {
        $0.jobs.append(job)
        uv_async_send(wakeUpMemory.pointer)
      }
    }
  }

  /// Ends the thread; called when nobody can reach the loop any more.
  func finish() {
    mailbox.withLock {
      $0.isFinished = true
      uv_async_send(wakeUpMemory.pointer)
    }
  }

  /// Runs what the mailbox holds; jobs that come meanwhile wait for the next turn.
  private func drain() {
    let (jobs, isFinished) = mailbox.withLock { mailbox in
      defer { mailbox.jobs = [] }
      return (mailbox.jobs, mailbox.isFinished)
    }
    if let executor = state.withLock({ $0.executor }) {
      for job in jobs { job.runSynchronously(on: executor) }
    }
    guard isFinished else { return }
    UnsafeMutableRawPointer(wakeUpMemory.pointer).withMemoryRebound(
      to: uv_handle_t.self, capacity: 1
    ) {
      uv_close($0, nil)
    }
  }

  /// Closes all handles and resumes the waiter when they have let go.
  func stop(_ waiter: CheckedContinuation<Void, Never>) {
    state.withLock {
      $0.isStopping = true
      $0.stopWaiters.append(waiter)
    }
    uv_walk(
      loop,
      { handle, _ in
        guard let handle, handle.pointee.type != UV_ASYNC, let data = handle.pointee.data
        else { return }
        Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().close()
      }, nil)
    resume(state.withLock { $0.takeReadyWaiters() })
  }

  private func resume(_ waiters: [CheckedContinuation<Void, Never>]) {
    for waiter in waiters { waiter.resume() }
  }
}
