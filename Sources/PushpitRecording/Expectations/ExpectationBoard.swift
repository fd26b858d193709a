package import PushpitModel

/// The expectations that wait, each told of by the events that may change it; nothing polls.
///
/// Owned by the loop. It is told of events only while somebody waits, so that a push costs nothing
/// otherwise.
package final class ExpectationBoard: EventSubscriber {
  /// At most this many wait at once.
  package static let limit = 1_000

  /// Why a wait ended without an outcome.
  package enum Cancellation: Sendable, Equatable {
    /// Its workspace was reset or removed.
    case workspaceGone
    case gatewayStopping
  }

  /// How a wait ended.
  package enum Ending: Sendable {
    case outcome(ExpectationOutcome)
    case cancelled(Cancellation)
  }

  /// Names one expectation that waits.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private let store: EnvelopeStore
  private let events: EventHub
  private let analyses: SenderAnalyses
  private var waiting: [Ticket: WaitingExpectation] = [:]
  private var lastNumber: UInt64 = 0
  /// How often an envelope was looked at for those that wait.
  package private(set) var examinationCount: UInt64 = 0

  package init(store: EnvelopeStore, events: EventHub, analyses: SenderAnalyses) {
    self.store = store
    self.events = events
    self.analyses = analyses
  }

  /// How many wait.
  package var waitingCount: Int { waiting.count }

  /// Begins to watch; what was recorded before counts too.
  ///
  /// The report may come within this call.
  ///
  /// - Returns: The ticket with which it is ended, or nil when it has ended already; the report comes once.
  /// - Throws: `Full` when too many wait.
  package func add(
    _ expectation: PushExpectation, _ report: @escaping (Ending) -> Void
  ) throws(Full) -> Ticket? {
    let tally = ExpectationTally(expectation, store: store, analyses: analyses)
    tally.takeAll()
    if tally.isDecided {
      report(.outcome(tally.outcome))
      return nil
    }
    guard waiting.count < Self.limit else { throw Full() }
    if waiting.isEmpty, !events.subscribe(self) { throw Full() }
    lastNumber += 1
    let ticket = Ticket(number: lastNumber)
    waiting[ticket] = WaitingExpectation(tally: tally, report: report)
    return ticket
  }

  /// Too many wait.
  package struct Full: Error, Equatable {}

  /// The time of an expectation is over: it is reported as it is.
  package func expire(_ ticket: Ticket) {
    guard let ended = take(ticket) else { return }
    ended.report(.outcome(ended.tally.outcome))
  }

  /// Nobody waits for an expectation any more; it is not reported.
  package func abandon(_ ticket: Ticket) {
    _ = take(ticket)
  }

  /// Ends the waits for a workspace, or for all.
  package func cancel(_ workspace: WorkspaceID?, because cancellation: Cancellation) {
    for (ticket, waiting) in waiting
    where workspace == nil || waiting.tally.expectation.workspace == workspace {
      take(ticket)?.report(.cancelled(cancellation))
    }
  }

  package func received(_ event: Event) {
    let number: EnvelopeNumber
    let device: DeviceID?
    switch event.subject {
    case .envelope(let envelope): (number, device) = (envelope, nil)
    case .delivery(let envelope, let step): (number, device) = (envelope, step.device)
    case .device, .fault, .connection, .notice: return
    }
    let interested = waiting.filter { $0.value.tally.wants(event) }
    guard !interested.isEmpty else { return }
    // Read once for all who want to see it; reports come when the record is not lent any more.
    store.withSubject(number) { subject in
      for waiting in interested.values { waiting.tally.take(subject, device: device) }
      examinationCount += UInt64(interested.count)
    }
    for (ticket, waiting) in interested where waiting.tally.isDecided { expire(ticket) }
  }

  private func take(_ ticket: Ticket) -> WaitingExpectation? {
    let taken = waiting.removeValue(forKey: ticket)
    if waiting.isEmpty { events.unsubscribe(self) }
    return taken
  }
}

/// One expectation that waits, and whom to tell.
private struct WaitingExpectation {
  let tally: ExpectationTally
  let report: (ExpectationBoard.Ending) -> Void
}
