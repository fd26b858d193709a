package import PushpitJSON
package import PushpitModel

/// Something that happened to a device, as its streams carry it.
package struct DeviceEvent {
  /// What happened.
  package enum Content {
    /// A push arrived.
    case push(DevicePush)
    /// A push that is on the device has a new state; indirect, as an activity.
    indirect case pushChanged(DevicePush, DeliveryState, cause: String)
    /// FCM dropped what it had stored.
    case deletedMessages
    /// The app was removed by its owner.
    case uninstalled
    /// The app was installed again.
    case reinstalled
    /// The app has a new token in place of an old one; indirect, as an activity.
    indirect case tokenRotated(TokenName, TokenRecord)
    /// The app was told a token that it has had since its launch; indirect, as an activity.
    indirect case tokenReady(TokenName, TokenRecord)
    /// The app tried to report something to its provider; indirect, as an activity.
    indirect case callback(CallbackTry)
    /// A push began or changed a Live Activity, which is as it was then.
    ///
    /// Indirect, because every push is an event and an activity is large.
    indirect case activity(LiveActivity, LiveActivity.Change)
  }

  package let device: DeviceID
  /// Counts the device's events from 1.
  package let id: UInt64
  /// Counts the events of all devices from 1.
  package let order: UInt64
  /// The workspace's time.
  package let at: Timestamp
  package let content: Content

  /// The event's name in a stream.
  package var kind: String {
    switch content {
    case .push: "push"
    case .pushChanged: "push-changed"
    case .deletedMessages: "deleted-messages"
    case .uninstalled: "uninstalled"
    case .reinstalled: "reinstalled"
    case .tokenRotated: "token-rotated"
    case .tokenReady: "token-ready"
    case .callback: "callback"
    case .activity: "activity"
    }
  }

  /// Writes the event's data: whose it is and its number, then what happened.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("device", device.rawValue)
    writer.member("event", id)
    writeContent(into: &writer)
    writer.endObject()
  }

  private func writeContent(into writer: inout JSONWriter) {
    switch content {
    case .push(let push):
      push.writeEventMembers(into: &writer)
    case .pushChanged(let push, let state, let cause):
      writer.member("envelope", EnvelopeID.text(push.envelope))
      writer.member("state", state.rawValue)
      writer.member("cause", cause)
      push.writeReading(into: &writer)
      writer.member("at", at.rfc3339)
    case .deletedMessages, .uninstalled, .reinstalled:
      writer.member("at", at.rfc3339)
    case .tokenRotated(let name, let record), .tokenReady(let name, let record):
      writer.member("name", name.text)
      writer.member("token", record.text)
      writer.member("at", at.rfc3339)
    case .callback(let attempt):
      attempt.writeMembers(into: &writer)
    case .activity(let activity, let change):
      writer.member("change", change.rawValue)
      activity.writeMembers(into: &writer)
    }
  }
}
