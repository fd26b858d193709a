internal import PushpitModel

/// What a broadcast tells Live Activities, read when the first device asks.
struct BroadcastContent {
  private var result: Result<ActivityPush, DropCause>?

  /// Reads a push; all of one content have the same payload and came at the same time.
  /// - Throws: why devices drop it.
  mutating func read(from push: DevicePush) throws(DropCause) -> ActivityPush {
    if let result { return try result.get() }
    let result = Result { () throws(DropCause) in try ActivityPush(push) }
    self.result = result
    return try result.get()
  }
}
