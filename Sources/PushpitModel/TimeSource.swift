/// Where real time comes from: the system, or a test's fixed moment.
package protocol TimeSource: AnyObject {
  /// Real time now, before any workspace's offset.
  var now: Timestamp { get }
}

/// A time that only moves when it is told to, for deterministic tests.
package final class FixedTime: TimeSource {
  package var now: Timestamp

  package init(_ now: Timestamp) {
    self.now = now
  }
}

/// A workspace's clock: real time plus an offset, or frozen.
package struct WorkspaceClock: Sendable, Equatable {
  /// Added to real time.
  package var offset: Duration = .zero
  /// The moment at which the clock stands, when it stands.
  package var frozenAt: Timestamp?

  package init() {}

  /// The workspace's time at a moment of real time.
  package func time(at real: Timestamp) -> Timestamp {
    frozenAt ?? (offset == .zero ? real : real + offset)
  }
}
