import PushpitModel

/// Counts messages by the minute, where a workspace has quotas.
///
/// Real time counts, as it does for a sender; a minute begins with its first message (Google: minutes
/// are not aligned with the clock).
struct FCMQuotas {
  /// What messages are counted for.
  enum Kind: Hashable {
    case project
    case device
    case topic
  }

  /// At most this many are counted; the one counted first makes room.
  static let limit = 10_000
  private static let period = Duration.seconds(60)

  private struct Key: Hashable {
    let kind: Kind
    let workspace: WorkspaceID
    let name: ByteKey
  }

  private struct Minute {
    let start: Timestamp
    var count: Int
  }

  private var minutes: BoundedTable<Key, Minute>

  init(limit: Int = FCMQuotas.limit) {
    minutes = BoundedTable(limit: limit)
  }

  /// How many are counted now.
  var count: Int { minutes.count }

  /// Counts a message; when it is one too many, after how many seconds the next may come.
  mutating func secondsToWait(
    _ kind: Kind, _ name: [UInt8], of workspace: WorkspaceID, perMinute: Int?, at time: Timestamp
  ) -> Int? {
    guard let perMinute else { return nil }
    let key = Key(kind: kind, workspace: workspace, name: ByteKey(name))
    var minute = Minute(start: time, count: 0)
    if let known = minutes[key], time >= known.start, time - known.start < Self.period {
      minute = known
    }
    guard minute.count < perMinute else {
      let rest = (minute.start + Self.period) - time
      // Rounded up: who waits that long is in the next minute.
      return Int(rest.components.seconds) + (rest.components.attoseconds > 0 ? 1 : 0)
    }
    minute.count += 1
    minutes.insert(minute, for: key)
    return nil
  }
}
