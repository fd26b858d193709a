package import PushpitJSON
package import PushpitModel

/// A Live Activity of a device, as pushes have made it.
package struct LiveActivity {
  /// Its life as far as pushes decide it.
  package enum State: String, Sendable {
    case active
    case ended
  }

  /// What a push did to it.
  package enum Change: String, Sendable {
    case started, updated, ended
  }

  /// How long an ended one stays on the lock screen when its end names no earlier time (Apple:
  /// Starting and updating Live Activities with ActivityKit push notifications).
  static let longestDismissal: Duration = .seconds(4 * 3600)

  /// A UUID in upper case, as ActivityKit's identifiers are.
  package let id: String
  /// The update token; nil for one that is updated over its channel.
  package internal(set) var token: TokenRecord?
  /// The broadcast channel that its start subscribed it to, as the start has it.
  package let channel: String?
  package let attributesType: String?
  package let attributes: JSONValue
  package let startedAt: Timestamp

  package private(set) var state = State.active
  package private(set) var contentState: JSONValue
  package private(set) var updatedAt: Timestamp
  /// From when its content is out of date.
  package private(set) var staleAt: Timestamp?
  package private(set) var endedAt: Timestamp?
  /// When it leaves the lock screen after its end.
  package private(set) var dismissesAt: Timestamp?
  /// `timestamp` of the newest push it took, in seconds since 1970.
  private var newestTimestamp: Double?

  /// One that the app began by itself, as far as the gateway knows.
  init(id: String, token: TokenRecord, now: Timestamp) {
    self.id = id
    self.token = token
    channel = nil
    attributesType = nil
    attributes = .null
    contentState = .null
    startedAt = now
    updatedAt = now
  }

  /// One that a push begins.
  init(id: String, token: TokenRecord?, start: ActivityPush, now: Timestamp) {
    self.id = id
    self.token = token
    channel = start.channel
    attributesType = start.attributesType
    attributes = start.attributes ?? .null
    contentState = start.contentState ?? .null
    startedAt = now
    updatedAt = now
    staleAt = start.staleDate
    newestTimestamp = start.timestamp
  }

  /// Takes an update or an end.
  /// - Throws: why the device drops it.
  mutating func take(_ push: ActivityPush, now: Timestamp) throws(DropCause) -> Change {
    if let endedAt {
      // Dead update tokens keep being answered with 200 (observed; their pushes show nothing).
      throw DropCause("the Live Activity ended at \(endedAt.rfc3339)")
    }
    if let newest = newestTimestamp, push.timestamp < newest {
      throw DropCause("its timestamp is older than that of a push before it")
    }
    switch push.event {
    case .start:
      throw DropCause("an update token takes update and end; a start goes to a push-to-start token")
    case .update:
      guard let content = push.contentState else {
        throw DropCause("the update has no content-state")
      }
      contentState = content
      staleAt = push.staleDate
    case .end:
      if let content = push.contentState { contentState = content }
      end(dismissal: push.dismissalDate, now: now)
    }
    newestTimestamp = push.timestamp
    updatedAt = now
    return push.event == .end ? .ended : .updated
  }

  /// Ends it, if it runs.
  mutating func end(dismissal: Timestamp? = nil, now: Timestamp) {
    guard state == .active else { return }
    state = .ended
    endedAt = now
    let latest = now + Self.longestDismissal
    dismissesAt = min(max(dismissal ?? latest, now), latest)
  }
}

/// Why a device drops what reached it, in a few words.
struct DropCause: Error, Equatable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
