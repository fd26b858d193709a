internal import PushpitModel

/// How many pushes each device token got within its current second.
///
/// Apple: TooManyRequests is for too many requests "consecutively to the same device token"; it
/// publishes no number, so it is asked only where a workspace sets one. Real time counts, as it does
/// for a sender.
struct RequestRates {
  /// At most this many tokens are counted; when there are more, those of past seconds make room, and
  /// else all of them.
  static let limit = 10_000
  private static let period = Duration.seconds(1)

  private struct Key: Hashable {
    let workspace: WorkspaceID
    let token: [UInt8]
  }

  private struct Second {
    let start: Timestamp
    var count = 1

    func contains(_ time: Timestamp) -> Bool {
      time >= start && time - start < RequestRates.period
    }
  }

  private var seconds: [Key: Second] = [:]

  /// How many tokens are counted now.
  var count: Int { seconds.count }

  /// Counts a push, and says whether it is one of the first so many of the token's second.
  mutating func allows(
    _ token: [UInt8], of workspace: WorkspaceID, perSecond: Int, at time: Timestamp
  ) -> Bool {
    let key = Key(workspace: workspace, token: token)
    guard let second = seconds[key], second.contains(time) else {
      makeRoom(at: time)
      seconds[key] = Second(start: time)
      return perSecond > 0
    }
    guard second.count < perSecond else { return false }
    seconds[key]?.count += 1
    return true
  }

  private mutating func makeRoom(at time: Timestamp) {
    guard seconds.count >= Self.limit else { return }
    seconds = seconds.filter { $0.value.contains(time) }
    if seconds.count >= Self.limit { seconds.removeAll(keepingCapacity: true) }
  }
}
