internal import PushpitDevices
internal import PushpitModel
package import PushpitNetwork

/// Sends callbacks of devices: a few at a time, those of one device one after the other, each with
/// a few tries.
///
/// One that was answered, other than by a 5xx, is done. Redirects are answers and are not followed:
/// they would lead past the rules for targets.
package actor CallbackSender {
  /// At most this many callbacks are on their way, the pauses between tries included.
  static let inFlightLimit = 8
  /// At most this many wait; what comes then is noted as not sent.
  static let waitingLimit = 1000
  /// How often one is tried.
  static let tryLimit = 3
  /// The pauses before the second and the third try: short, because a test waits, and real time,
  /// because the server at the other end knows no other.
  static let pauses = [Duration.milliseconds(100), .milliseconds(500)]

  /// The loop whose thread runs it.
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// A callback that is on its way.
  private struct Job {
    let request: CallbackRequest
    var number = 1
    /// The try that runs, and what tells its end from that of one that took too long.
    var task: Task<Void, Never>?
    var taskID: UInt64 = 0
    /// Ends the try, or the pause before the next.
    var timer: Timer?
  }

  private let exchange: CallbackExchange
  private let report: @Sendable (CallbackRequest, CallbackOutcome) -> Void
  private var waiting: [CallbackRequest] = []
  private var jobs: [DeviceID: Job] = [:]
  private var lastTaskID: UInt64 = 0
  private var isStopped = false

  /// Tells of every try on the loop's thread.
  init(
    _ exchange: CallbackExchange,
    report: @escaping @Sendable (CallbackRequest, CallbackOutcome) -> Void
  ) {
    self.exchange = exchange
    self.report = report
    loop = exchange.loop
  }

  /// Sends a callback, as soon as there is room.
  func send(_ request: CallbackRequest) {
    guard !isStopped else { return }
    guard waiting.count < Self.waitingLimit else {
      let error = "not sent: \(Self.waitingLimit) callbacks wait already"
      return report(request, CallbackOutcome(number: 1, error: error))
    }
    waiting.append(request)
    startNext()
  }

  /// Drops what waits and what is on its way.
  func stop() {
    isStopped = true
    waiting = []
    for job in jobs.values {
      job.timer?.cancel()
      job.task?.cancel()
    }
    jobs = [:]
  }

  private func startNext() {
    while jobs.count < Self.inFlightLimit,
      let index = waiting.firstIndex(where: { jobs[$0.device] == nil })
    {
      let request = waiting.remove(at: index)
      jobs[request.device] = Job(request: request)
      begin(request.device)
    }
  }

  private func begin(_ device: DeviceID) {
    guard let request = jobs[device]?.request else { return }
    lastTaskID += 1
    let id = lastTaskID
    jobs[device]?.taskID = id
    jobs[device]?.timer = Timer(loop, after: exchange.timeLimit) { [weak self] in
      self?.assumeIsolated { $0.end(.timedOut($0.exchange.timeLimit), device, id) }
    }
    jobs[device]?.task = Task {
      let result = await exchange.result(of: request)
      end(result, device, id)
    }
  }

  /// Takes the end of a try; of two ends, the time limit and the answer, the first one counts.
  private func end(_ result: CallbackExchange.Result, _ device: DeviceID, _ id: UInt64) {
    guard let job = jobs[device], job.taskID == id, let task = job.task else { return }
    let number = job.number
    job.timer?.cancel()
    task.cancel()
    jobs[device]?.task = nil
    if result.isWorthAnotherTry, number < Self.tryLimit {
      jobs[device]?.number = number + 1
      jobs[device]?.timer = Timer(loop, after: Self.pauses[number - 1]) { [weak self] in
        self?.assumeIsolated { $0.begin(device) }
      }
    } else {
      jobs[device] = nil
    }
    report(job.request, result.outcome(number))
    startNext()
  }
}
