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
