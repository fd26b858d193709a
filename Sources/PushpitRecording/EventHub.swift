package import PushpitModel

/// Who is told of each event as it happens, on the loop.
package protocol EventSubscriber: AnyObject {
  /// An event was posted.
  func received(_ event: Event)
}

/// Tells subscribers what happens, and remembers the newest events for those who come back.
///
/// Posting without subscribers stores one reference in a ring that stops growing at its limit.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and each change ends before a subscriber is called.
package final class EventHub {
  /// At most this many events are remembered.
  package let historyLimit: Int
  /// At most this many subscribers are told.
  package static let subscriberLimit = 1_000

  /// The event with id n is at `(n - 1) % historyLimit`.
  @exclusivity(unchecked) private var history: [Event] = []
  @exclusivity(unchecked) private var subscribers: [any EventSubscriber] = []

  /// The id of the newest event, 0 before the first.
  @exclusivity(unchecked) package private(set) var newestID: UInt64 = 0

  package init(historyLimit: Int = 10_000) {
    precondition(historyLimit > 0, "a history has room for at least one event")
    self.historyLimit = historyLimit
  }

  /// The id of the oldest event that is remembered; one past the newest when there is none.
  package var oldestID: UInt64 { newestID + 1 - UInt64(history.count) }

  /// How many are subscribed now.
  package var subscriberCount: Int { subscribers.count }

  /// Remembers an event and tells every subscriber, in the order of their subscription.
  package func post(
    _ subject: consuming EventSubject, workspace: consuming WorkspaceID?, at: Timestamp
  ) {
    newestID += 1
    let slot = slot(newestID)
    if slot == history.count {
      history.append(Event(id: newestID, subject: subject, workspace: workspace, at: at))
    } else {
      history[slot] = Event(id: newestID, subject: subject, workspace: workspace, at: at)
    }
    if subscribers.isEmpty { return }
    let event = history[slot]
    for subscriber in subscribers { subscriber.received(event) }
  }

  /// The event with this id; nil when it has not happened or is no longer remembered.
  package func event(_ id: UInt64) -> Event? {
    id >= oldestID && id <= newestID && id > 0 ? history[slot(id)] : nil
  }

  /// Tells this object of every event from now on; false when there are too many subscribers.
  package func subscribe(_ subscriber: any EventSubscriber) -> Bool {
    guard subscribers.count < Self.subscriberLimit else { return false }
    subscribers.append(subscriber)
    return true
  }

  /// Tells this object nothing any more.
  package func unsubscribe(_ subscriber: any EventSubscriber) {
    subscribers.removeAll { $0 === subscriber }
  }

  private func slot(_ id: UInt64) -> Int {
    Int((id - 1) % UInt64(historyLimit))
  }
}
