/// A workspace's clock: real time plus an offset, or frozen.
package struct WorkspaceClock: Sendable, Equatable {
  /// Added to real time, to the millisecond.
  package var offset: Duration {
    get { .milliseconds(offsetMilliseconds) }
    set { offsetMilliseconds = newValue.milliseconds }
  }
  /// The moment at which the clock stands, when it stands.
  package var frozenAt: Timestamp?
  // This is asked several times for each push, and Duration counts in 128 bits.
  private var offsetMilliseconds: Int64 = 0

  package init() {}

  /// The workspace's time at a moment of real time.
  package func time(at real: Timestamp) -> Timestamp {
    frozenAt ?? Timestamp(milliseconds: real.milliseconds + offsetMilliseconds)
  }
}

// MARK: - Changes

extension WorkspaceClock {
  /// What may be done to a clock.
  package enum Change: Sendable, Equatable {
    /// It jumps forward, frozen or not.
    case advance(Duration)
    /// It shows this moment, and goes on from there unless it is frozen.
    case set(Timestamp)
    /// It stands.
    case freeze
    /// It goes on from where it stands.
    case unfreeze
    /// It shows real time.
    case reset
  }

  /// The moments from 1970 on that RFC 3339 can write: the year has four digits.
  package static let writable =
    Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_402_300_799_999)

  /// The moments that a clock may be set to: a thousand years earlier, for it goes on.
  package static let range =
    Timestamp(milliseconds: 0)...Timestamp(milliseconds: 221_845_391_999_999)

  /// The clock after a change at a moment of real time; nil when it would leave its range.
  package func changed(_ change: Change, at real: Timestamp) -> WorkspaceClock? {
    var clock = self
    let now = time(at: real)
    switch change {
    case .advance(let duration):
      let (time, isOverflow) = now.milliseconds
        .addingReportingOverflow(duration.milliseconds)
      guard !isOverflow else { return nil }
      clock.show(Timestamp(milliseconds: time), at: real)
    case .set(let time): clock.show(time, at: real)
    case .freeze: clock.frozenAt = now
    case .unfreeze:
      clock.frozenAt = nil
      clock.show(now, at: real)
    case .reset: return WorkspaceClock()
    }
    return Self.range.contains(clock.time(at: real)) ? clock : nil
  }

  private mutating func show(_ time: Timestamp, at real: Timestamp) {
    if frozenAt != nil {
      frozenAt = time
    } else {
      offset = time - real
    }
  }
}
