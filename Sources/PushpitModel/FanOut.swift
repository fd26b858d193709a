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

  /// What the devices of one platform get.
  package struct Message: Sendable, Equatable {
    /// The effective message as JSON.
    package let payload: [UInt8]
    package let collapse: [UInt8]
    /// How long it is stored for an offline device; nil for the service's default.
    package let timeToLive: Duration?

    package init(payload: [UInt8], collapse: [UInt8] = [], timeToLive: Duration? = nil) {
      self.payload = payload
      self.collapse = collapse
      self.timeToLive = timeToLive
    }
  }

  package let recipients: Recipients
  /// The names of the sender's project: its ID and its number.
  package let projects: [String]
  /// The only Android app that gets it; nil for all.
  package let restrictedPackageName: String?
  private let messages: [Platform: Message]

  package init(
    recipients: Recipients, projects: [String], restrictedPackageName: String? = nil,
    message: (Platform) -> Message
  ) {
    self.recipients = recipients
    self.projects = projects
    self.restrictedPackageName = restrictedPackageName
    messages = Dictionary(uniqueKeysWithValues: Platform.allCases.map { ($0, message($0)) })
  }

  /// What a platform gets.
  package func message(for platform: Platform) -> Message {
    messages[platform] ?? Message(payload: [])
  }
}
