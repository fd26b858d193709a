/// Counts what happens to many keys, for each in periods of its own that begin with the first event.
///
/// A table of limited size: periods that have ended make room first, then the one that began first.
package struct PeriodCounters<Key: Hashable> {
  private struct Period {
    let start: Timestamp
    var count: Int
  }

  /// How long a period is.
  package let period: Duration
  /// At most this many keys are counted.
  package let limit: Int

  private var periods: [Key: Period] = [:]
  /// Keys with the start of a period, in the order in which they began; those before `first` are gone.
  private var order: [(key: Key, start: Timestamp)] = []
  private var first = 0

  package init(period: Duration, limit: Int) {
    precondition(limit > 0)
    self.period = period
    self.limit = limit
  }

  /// How many keys are counted now.
  package var count: Int { periods.count }

  /// Counts an event; when it is one too many of its period, it is not counted, and the time until the
  /// next period is returned.
  package mutating func count(_ key: Key, upTo most: Int, at time: Timestamp) -> Duration? {
    guard let known = periods[key], contains(known.start, time) else {
      guard most > 0 else { return period }
      makeRoom(at: time)
      periods[key] = Period(start: time, count: 1)
      order.append((key, time))
      return nil
    }
    guard known.count < most else { return (known.start + period) - time }
    periods[key]?.count += 1
    return nil
  }

  /// Forgets the keys for which this is true.
  package mutating func removeAll(where isToGo: (Key) -> Bool) {
    periods = periods.filter { !isToGo($0.key) }
    order = order[first...].filter { !isToGo($0.key) }
    first = 0
  }

  /// Whether the period that began then has this moment; a clock that was put back begins a new one.
  private func contains(_ start: Timestamp, _ time: Timestamp) -> Bool {
    time >= start && time - start < period
  }

  private mutating func makeRoom(at time: Timestamp) {
    while first < order.count,
      order.count - first >= limit || !contains(order[first].start, time)
    {
      let (key, start) = order[first]
      // A key whose period began anew stands further on.
      if periods[key]?.start == start { periods[key] = nil }
      first += 1
    }
    guard first > order.count / 2 else { return }
    order.removeFirst(first)
    first = 0
  }
}
