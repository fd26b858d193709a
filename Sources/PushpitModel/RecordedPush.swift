package import PushpitJSON

/// A push as its record has it, for rules that only warn.
package struct RecordedPush: Sendable {
  package var service: PushService
  package var workspace: WorkspaceID
  /// Whether the vendor accepted it: what it refused reaches no phone.
  package var isAccepted: Bool
  /// The platform of the device that an accepted push is for; nil for many or nobody known.
  package var platform: Platform?
  /// Whether it went to a device token, and not to a channel or a topic.
  package var isToToken: Bool
  package var topic: String?
  /// `apns-push-type` as sent; nil when it was omitted.
  package var pushType: String?
  /// `apns-priority`; nil when it was omitted.
  package var priority: UInt8?
  package var payload: JSONValue
  /// Real time.
  package var receivedAt: Timestamp

  package init(
    service: PushService, workspace: WorkspaceID = .default, isAccepted: Bool = true,
    platform: Platform? = nil, isToToken: Bool, topic: String?, pushType: String?, priority: UInt8?,
    payload: JSONValue, receivedAt: Timestamp
  ) {
    self.service = service
    self.workspace = workspace
    self.isAccepted = isAccepted
    self.platform = platform
    self.isToToken = isToToken
    self.topic = topic
    self.pushType = pushType
    self.priority = priority
    self.payload = payload
    self.receivedAt = receivedAt
  }
}

/// What phones may drop and contracts forbid: asked of an envelope when somebody reads it, so that
/// no payload is taken apart while its push is answered.
package typealias PushLint = (RecordedPush) -> [PayloadWarning]
