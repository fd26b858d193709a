/// A broadcast channel of one app in one environment, to which Live Activities subscribe.
///
/// Its policy cannot be changed (Apple: Sending channel management requests to APNs).
package final class Channel {
  /// What APNs keeps of a channel's messages, by its number on the wire.
  package enum StoragePolicy: Int, Sendable, CaseIterable {
    /// Nothing: a message is for the devices that are online.
    case none = 0
    /// The most recent message, for devices that come online within `storageLimit`.
    case mostRecent = 1
  }

  /// How a channel ends; it never comes back.
  package enum End: Sendable, Equatable {
    /// Deleted by a request, at the workspace's time.
    case deleted(at: Timestamp)
    /// Its app may broadcast no more, which deletes all channels (Apple: Setting up broadcast push
    /// notifications).
    case capabilityRemoved
  }

  /// The longest that a message is kept (Apple: Sending channel management requests to APNs).
  package static let storageLimit = Duration.seconds(8 * 3600)

  /// Standard base64, as in `apns-channel-id`.
  package let id: [UInt8]
  /// The bundle ID.
  package let app: String
  package let environment: APNsEnvironment
  package let storagePolicy: StoragePolicy
  /// The workspace's time.
  package let createdAt: Timestamp
  /// How it ended; nil while it can be used.
  package internal(set) var end: End?

  init(
    id: [UInt8], app: String, environment: APNsEnvironment, storagePolicy: StoragePolicy,
    createdAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.environment = environment
    self.storagePolicy = storagePolicy
    self.createdAt = createdAt
  }

  /// The id as text; all ids are ASCII.
  package var text: String { String(decoding: id, as: UTF8.self) }
}

/// What an accepted broadcast or channel request was about; other pushes have none.
package final class BroadcastFacts {
  /// The channel as the request named it, or as it was made; empty where it is about none.
  package let channelID: [UInt8]
  /// Whom an accepted broadcast is for.
  package let recipient: Channel?

  package init(channelID: [UInt8], recipient: Channel? = nil) {
    self.channelID = channelID
    self.recipient = recipient
  }
}
