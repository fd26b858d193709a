package import PushpitJSON

/// An accepted push as its record has it, for rules that only warn.
package struct AcceptedPush: Sendable {
  package var service: PushService
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
    service: PushService, isToToken: Bool, topic: String?, pushType: String?, priority: UInt8?,
    payload: JSONValue, receivedAt: Timestamp
  ) {
    self.service = service
    self.isToToken = isToToken
    self.topic = topic
    self.pushType = pushType
    self.priority = priority
    self.payload = payload
    self.receivedAt = receivedAt
  }
}

/// What a vendor accepted and a phone may drop: asked of an envelope when somebody reads it, so that
/// no payload is taken apart while its push is answered.
package typealias PushLint = (AcceptedPush) -> [PayloadWarning]
