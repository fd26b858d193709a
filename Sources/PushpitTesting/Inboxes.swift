internal import PushpitDevices
internal import PushpitNetwork

/// The pushes that reached a gateway's devices and that no expectation has taken yet.
///
/// On the gateway's loop, so what arrives is there before its sender is answered.
actor Inboxes {
  /// At most this many pushes of a device wait for an expectation; the oldest go.
  static let pushLimit = Device.inboxLimit
  /// An expectation waits at most this long.
  static let waitLimit = Duration.seconds(86_400)

  /// How waiting ended.
  enum Outcome: Sendable {
    case push(ReceivedPush)
    case timedOut
    case stopped
    case cancelled
  }

  /// An expectation that waits.
  private struct Waiter {
    let id: UInt64
    let device: String
    let timer: Timer
    let continuation: CheckedContinuation<Outcome, Never>
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private var pushes: [String: [ReceivedPush]] = [:]
  private var waiters: [Waiter] = []
  private var lastID: UInt64 = 0
  private var isStopped = false

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// A push reached a device: the expectation that waits longest gets it.
  func take(_ push: ReceivedPush, of device: String) {
    if let waiter = waiters.first(where: { $0.device == device }) {
      return finish(waiter.id, .push(push))
    }
    pushes[device, default: []].append(push)
    if pushes[device, default: []].count > Self.pushLimit { pushes[device]?.removeFirst() }
  }

  /// The oldest push that no expectation has taken; waits for one.
  func next(of device: String, within limit: Duration) async -> Outcome {
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await wait(id, device, limit)
    } onCancel: {
      Task { await self.finish(id, .cancelled) }
    }
  }

  /// No push will arrive.
  func stop() {
    isStopped = true
    for waiter in waiters { finish(waiter.id, .stopped) }
    pushes = [:]
  }

  // A method of the actor, because the operation of a cancellation handler does not run on the loop.
  private func wait(_ id: UInt64, _ device: String, _ limit: Duration) async -> Outcome {
    if isStopped { return .stopped }
    if Task.isCancelled { return .cancelled }
    if pushes[device]?.isEmpty == false, let push = pushes[device]?.removeFirst() {
      return .push(push)
    }
    guard limit > .zero else { return .timedOut }
    return await withCheckedContinuation { continuation in
      let timer = Timer(loop, after: min(limit, Self.waitLimit)) { [weak self] in
        self?.assumeIsolated { $0.finish(id, .timedOut) }
      }
      waiters.append(Waiter(id: id, device: device, timer: timer, continuation: continuation))
    }
  }

  private func finish(_ id: UInt64, _ outcome: Outcome) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    let waiter = waiters.remove(at: index)
    waiter.timer.cancel()
    waiter.continuation.resume(returning: outcome)
  }
}
