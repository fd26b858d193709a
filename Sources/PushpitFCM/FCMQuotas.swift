import PushpitModel

/// Counts messages by the minute, where a workspace has quotas.
///
/// Real time counts, as it does for a sender; a minute begins with its first message (Google: minutes
/// are not aligned with the clock).
struct FCMQuotas {
  /// What messages are counted for.
  enum Kind: CaseIterable {
    case project
    case device
    case topic
  }

  /// At most this many of each kind are counted; minutes that have ended make room first, then the one
  /// that began first.
  static let limit = 10_000

  private struct Key: Hashable {
    let workspace: WorkspaceID
    let name: ByteKey
  }

  private var projects: PeriodCounters<Key>
  private var devices: PeriodCounters<Key>
  private var topics: PeriodCounters<Key>

  init(limit: Int = FCMQuotas.limit) {
    projects = PeriodCounters(period: .seconds(60), limit: limit)
    devices = projects
    topics = projects
  }

  /// How many of a kind are counted now.
  func count(of kind: Kind) -> Int {
    switch kind {
    case .project: projects.count
    case .device: devices.count
    case .topic: topics.count
    }
  }

  /// Forgets what was counted for a workspace.
  mutating func forget(_ workspace: WorkspaceID) {
    projects.removeAll { $0.workspace == workspace }
    devices.removeAll { $0.workspace == workspace }
    topics.removeAll { $0.workspace == workspace }
  }

  /// Counts a message; when it is one too many, after how many seconds the next may come.
  mutating func secondsToWait(
    _ kind: Kind, _ name: [UInt8], of workspace: WorkspaceID, perMinute: Int?, at time: Timestamp
  ) -> Int? {
    guard let perMinute else { return nil }
    let key = Key(workspace: workspace, name: ByteKey(name))
    let rest =
      switch kind {
      case .project: projects.count(key, upTo: perMinute, at: time)
      case .device: devices.count(key, upTo: perMinute, at: time)
      case .topic: topics.count(key, upTo: perMinute, at: time)
      }
    // Rounded up: who waits that long is in the next minute.
    return rest.map { Int($0.components.seconds) + ($0.components.attoseconds > 0 ? 1 : 0) }
  }
}
