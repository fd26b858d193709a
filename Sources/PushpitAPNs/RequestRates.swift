internal import PushpitModel

/// How many pushes each device token got within its current second.
///
/// Apple: TooManyRequests is for too many requests "consecutively to the same device token"; it
/// publishes no number, so it is asked only where a workspace sets one. Real time counts, as it does
/// for a sender.
struct RequestRates {
  /// At most this many tokens are counted; when there are more, those of past seconds make room, and
  /// else the one whose second began first.
  static let limit = 10_000

  private struct Key: Hashable {
    let workspace: WorkspaceID
    let token: [UInt8]
  }

  private var seconds = PeriodCounters<Key>(period: .seconds(1), limit: limit)

  /// Forgets what was counted for a workspace.
  mutating func forget(_ workspace: WorkspaceID) {
    seconds.removeAll { $0.workspace == workspace }
  }

  /// How many tokens are counted now.
  var count: Int { seconds.count }

  /// Counts a push, and says whether it is one of the first so many of the token's second.
  mutating func allows(
    _ token: [UInt8], of workspace: WorkspaceID, perSecond: Int, at time: Timestamp
  ) -> Bool {
    seconds.count(Key(workspace: workspace, token: token), upTo: perSecond, at: time) == nil
  }
}
