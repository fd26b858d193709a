/// Whom an accepted message to a topic, a condition or a device group is for, and what they get of it.
///
/// An object, so that the outcome of a push to one token carries no more than a pointer.
package final class FanOut {
  /// Who is meant.
  package enum Recipients {
    case topics(TopicSelection)
    /// The members of a device group.
    case group([[UInt8]])
  }

  /// What one device gets.
  package struct Message: Sendable, Equatable {
    /// Android and web: the effective message as JSON; iOS: the payload for APNs.
    package let payload: [UInt8]
    package let collapse: [UInt8]
    /// Android: whether it collapses with its app's other messages that name no key.
    package let collapsesByApp: Bool
    /// Android and web: how long it is stored for an offline device; nil for the service's default.
    package let timeToLive: Duration?
    /// iOS: `apns-expiration`.
    package let expiration: Int64?
    package let manner: PushManner

    package init(
      payload: [UInt8], collapse: [UInt8] = [], collapsesByApp: Bool = false,
      timeToLive: Duration? = nil, expiration: Int64? = nil, manner: PushManner = PushManner()
    ) {
      self.payload = payload
      self.collapse = collapse
      self.collapsesByApp = collapsesByApp
      self.timeToLive = timeToLive
      self.expiration = expiration
      self.manner = manner
    }
  }

  /// Passes the message on to the iOS app of a registration token.
  ///
  /// Google tells a sender nothing of what APNs refuses here; the device's delivery says it.
  package typealias Relay = (TokenRecord) throws(APNsRelay.Refusal) -> Message

  package let recipients: Recipients
  /// The names of the sender's project: its ID and its number.
  package let projects: [String]
  /// The only Android app that gets it; nil for all.
  package let restrictedPackageName: String?
  private let android: Message
  private let web: Message
  private let relay: Relay

  package init(
    recipients: Recipients, projects: [String], restrictedPackageName: String? = nil,
    android: Message, web: Message, relay: @escaping Relay
  ) {
    self.recipients = recipients
    self.projects = projects
    self.restrictedPackageName = restrictedPackageName
    self.android = android
    self.web = web
    self.relay = relay
  }

  /// What the device of a registration token gets.
  /// - Throws: why APNs refuses it.
  package func message(for record: TokenRecord) throws(APNsRelay.Refusal) -> Message {
    switch record.platform {
    case .ios: try relay(record)
    case .web: web
    case .android, nil: android
    }
  }
}
