internal import CUV
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The part of an event loop that its thread owns.
final class LoopCore {
  /// What other threads hand over.
  private struct Mailbox {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  /// How many bytes one read of a socket takes at most.
  static let readLimit = 64 * 1024

  /// The libuv loop; its `data` is the read buffer that all sockets share.
  let loop: UnsafeMutablePointer<uv_loop_t>
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  private let mailbox = Mutex(Mailbox())
  private let thread = Atomic<UInt>(0)
  private var running: [UnownedJob] = []
  private var stopWaiters: [CheckedContinuation<Void, Never>] = []

  /// The loop as the executor of its jobs; set once, before the thread starts.
  var executor: UnownedSerialExecutor?

  /// Whether all handles are to go.
  private(set) var isStopping = false

  /// How many handles are open or closing, the wake-up apart.
  var handleCount = 0 {
    didSet { if isStopping, handleCount == 0 { resumeStopWaiters() } }
  }

  init() throws(NetworkError) {
    loop = .allocate(capacity: 1)
    wakeUp = .allocate(capacity: 1)
    let status = uv_loop_init(loop)
    guard status == 0 else {
      loop.deallocate()
      wakeUp.deallocate()
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
    wakeUp.deallocate()
    loop.deallocate()
  }

  /// Starts the thread, which owns this object until it ends.
  func startThread() throws(NetworkError) {
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
        uv_async_send(wakeUp)
      }
    }
  }

  /// Ends the thread; called when nobody can reach the loop any more.
  func finish() {
    mailbox.withLock {
      $0.isFinished = true
      uv_async_send(wakeUp)
    }
  }

  /// Runs what the mailbox holds; jobs that come meanwhile wait for the next turn.
  private func drain() {
    let isFinished = mailbox.withLock {
      swap(&$0.jobs, &running)
      return $0.isFinished
    }
    if let executor {
      for job in running { job.runSynchronously(on: executor) }
    }
    running.removeAll(keepingCapacity: true)
    guard isFinished else { return }
    UnsafeMutableRawPointer(wakeUp).withMemoryRebound(to: uv_handle_t.self, capacity: 1) {
      uv_close($0, nil)
    }
  }

  /// Closes all handles and resumes the waiter when they have let go.
  func stop(_ waiter: CheckedContinuation<Void, Never>) {
    isStopping = true
    stopWaiters.append(waiter)
    uv_walk(
      loop,
      { handle, _ in
        guard let handle, handle.pointee.type != UV_ASYNC, let data = handle.pointee.data
        else { return }
        Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().close()
      }, nil)
    if handleCount == 0 { resumeStopWaiters() }
  }

  private func resumeStopWaiters() {
    let waiters = stopWaiters
    stopWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
