internal import PushpitDevices
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork
internal import PushpitPersistence
internal import PushpitRecording

/// Gathers what has changed, and has it written a moment later, all of it in one batch.
///
/// Owned by the gateway's loop.
final class DataKeeper {
  /// A change is handed to the writer this much later, together with others: with the time of the writing
  /// itself, less than 100 ms are lost when the process is killed.
  static let delay = Duration.milliseconds(40)
  /// That nothing can be written is logged this often.
  static let reportPause = Duration.seconds(60)
  /// The kinds of things that are kept beside envelopes.
  enum Kind: String {
    case device
    case workspace
    case clock
  }

  let journal: RecordJournal
  private let loop: EventLoop
  private let log: Log
  private let time: any TimeSource
  /// Hands a batch to the writer; `written` is called on the loop when it is done.
  private let startWriting: (JournalBatch) -> Void
  /// What a thing is now; nil when it is gone.
  private let image: (Kind, String) -> JSONValue?
  private var changed: [Kind: Set<String>] = [:]
  private var timer: Timer?
  private var isWriting = false
  private var lastReport: Timestamp?
  private var whenIdle: (() -> Void)?
  /// Batches that could not be written.
  private(set) var failedBatchCount: UInt64 = 0
  /// Entries that were dropped because the disk was too slow.
  var droppedCount: UInt64 { journal.droppedCount }

  init(
    _ journal: RecordJournal, loop: EventLoop, log: Log, time: any TimeSource,
    startWriting: @escaping (JournalBatch) -> Void,
    image: @escaping (Kind, String) -> JSONValue?
  ) {
    self.journal = journal
    self.loop = loop
    self.log = log
    self.time = time
    self.startWriting = startWriting
    self.image = image
    journal.whenFilled = { [weak self] in self?.schedule() }
  }

  /// A thing has changed, or is gone.
  func changed(_ kind: Kind, _ id: String) {
    changed[kind, default: []].insert(id)
    schedule()
  }

  /// A batch was written, or could not be.
  func written(_ batch: JournalBatch, _ error: DatabaseError?) {
    isWriting = false
    journal.reuse(batch.takeBytes())
    if let error { report(error) }
    if whenIdle != nil { flush() } else if hasChanges { schedule() }
  }

  /// Writes what is left, and calls back when it is done.
  func finish(_ done: @escaping () -> Void) {
    whenIdle = done
    timer?.cancel()
    timer = nil
    if !isWriting { flush() }
  }

  private var hasWaiting = false
  private var hasChanges: Bool { hasWaiting || !changed.isEmpty }

  private func schedule() {
    hasWaiting = true
    guard timer == nil, !isWriting, whenIdle == nil else { return }
    timer = Timer(loop, after: Self.delay) { [weak self] in self?.flush() }
  }

  private func flush() {
    timer?.cancel()
    timer = nil
    for (kind, ids) in changed {
      for id in ids { journal.put(image(kind, id), kind: kind.rawValue, id: id) }
    }
    changed = [:]
    let batch = journal.take()
    hasWaiting = false
    guard !batch.isEmpty else {
      let done = whenIdle
      whenIdle = nil
      done?()
      return
    }
    isWriting = true
    startWriting(JournalBatch(batch))
  }

  private func report(_ error: DatabaseError) {
    failedBatchCount += 1
    let now = time.now
    if let lastReport, now - lastReport < Self.reportPause { return }
    lastReport = now
    log.line(
      .error, "data", "not written",
      ["reason": .text(error.description), "batches": .number(Int(failedBatchCount))])
  }
}
