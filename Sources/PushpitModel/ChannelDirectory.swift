/// The broadcast channels of one workspace, and the newest of those that were deleted.
package struct ChannelDirectory {
  /// The most channels of an app in an environment (Apple: Sending channel management requests).
  package static let channelLimit = 10_000
  /// The most channels of a workspace, so that a sender with many apps cannot fill the memory.
  package static let totalLimit = 100_000
  /// At most this many deleted channels are remembered; older ones count as never made.
  package static let deletedLimit = 10_000

  /// Why a channel was not made.
  package enum Full: Error, Equatable {
    /// The app has as many as it may have in this environment.
    case app(limit: Int)
    /// The workspace has as many as the gateway keeps.
    case workspace(limit: Int)
  }

  /// APNs shares no channels between apps or environments.
  private struct Scope: Hashable {
    let app: String
    let environment: APNsEnvironment
  }

  private let channelLimit: Int
  private let totalLimit: Int
  private let deletedLimit: Int
  /// Live ones and deleted ones, by id.
  private var known: [[UInt8]: Channel] = [:]
  /// Live ones, oldest first.
  private var live: [Scope: [Channel]] = [:]
  private var liveCount = 0
  /// Oldest first from `oldestDeleted` on, then from the start.
  private var deleted: [Channel] = []
  private var oldestDeleted = 0

  package init(
    channelLimit: Int = Self.channelLimit, totalLimit: Int = Self.totalLimit,
    deletedLimit: Int = Self.deletedLimit
  ) {
    self.channelLimit = channelLimit
    self.totalLimit = totalLimit
    self.deletedLimit = deletedLimit
  }

  /// A channel of this workspace, live or deleted; nil for one that never existed.
  package subscript(id: [UInt8]) -> Channel? { known[id] }

  /// The live channels of an app in an environment, oldest first.
  package func channels(of app: String, in environment: APNsEnvironment) -> [Channel] {
    live[Scope(app: app, environment: environment)] ?? []
  }

  /// Makes a channel; the id is new.
  /// - Throws: that there are too many.
  package mutating func create(
    id: [UInt8], app: String, environment: APNsEnvironment, storagePolicy: Channel.StoragePolicy,
    at now: Timestamp
  ) throws(Full) -> Channel {
    let scope = Scope(app: app, environment: environment)
    guard live[scope, default: []].count < channelLimit else { throw .app(limit: channelLimit) }
    guard liveCount < totalLimit else { throw .workspace(limit: totalLimit) }
    let channel = Channel(
      id: id, app: app, environment: environment, storagePolicy: storagePolicy, createdAt: now)
    known[id] = channel
    live[scope, default: []].append(channel)
    liveCount += 1
    return channel
  }

  /// Deletes a channel, which is remembered as deleted; nothing when it is that already.
  package mutating func delete(_ channel: Channel, at now: Timestamp) {
    let scope = Scope(app: channel.app, environment: channel.environment)
    guard let index = live[scope]?.firstIndex(where: { $0 === channel }) else { return }
    live[scope]?.remove(at: index)
    if live[scope]?.isEmpty == true { live[scope] = nil }
    bury(channel, .deleted(at: now))
  }

  /// Deletes every channel of apps that may broadcast no more.
  package mutating func deleteAll(of apps: Set<String>) {
    guard !apps.isEmpty else { return }
    for (scope, channels) in live where apps.contains(scope.app) {
      live[scope] = nil
      for channel in channels { bury(channel, .capabilityRemoved) }
    }
  }

  private mutating func bury(_ channel: Channel, _ end: Channel.End) {
    channel.end = end
    liveCount -= 1
    guard deleted.count == deletedLimit else {
      deleted.append(channel)
      return
    }
    known[deleted[oldestDeleted].id] = nil
    deleted[oldestDeleted] = channel
    oldestDeleted = oldestDeleted + 1 == deletedLimit ? 0 : oldestDeleted + 1
  }
}
