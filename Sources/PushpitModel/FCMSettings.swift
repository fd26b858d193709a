/// Behaviour of FCM that a workspace may set: what nobody could observe, or what tests need at will.
package struct FCMSettings: Sendable, Equatable {
  /// Which limits of a message's size hold.
  package enum SizeLimit: String, Sendable, CaseIterable {
    /// 4096 bytes to a token, 2048 to a topic (Google's page on error codes).
    case documented
    /// 4096 bytes to a token, 4506 to a topic (measured in production on 2026-07-09).
    case measured
  }

  /// How many messages are taken in a minute; nil for any number.
  package struct Quotas: Sendable, Equatable {
    /// Requests of one project; Google's default is 600,000.
    package var projectPerMinute: Int?
    /// Messages to one registration token; Google documents 240 to an Android device.
    package var devicePerMinute: Int?
    /// Messages to one topic or condition; Google publishes no number.
    package var topicPerMinute: Int?

    package init(
      projectPerMinute: Int? = nil, devicePerMinute: Int? = nil, topicPerMinute: Int? = nil
    ) {
      self.projectPerMinute = projectPerMinute
      self.devicePerMinute = devicePerMinute
      self.topicPerMinute = topicPerMinute
    }
  }

  /// The APNs key that the workspace's Firebase projects have for their iOS apps.
  package enum APNsKeyChoice: Sendable, Equatable {
    /// Whichever key of the workspace is good for the device's environment and app.
    case any
    /// Nobody uploaded one.
    case none
    /// The key of this key ID.
    case key(String)
  }

  package var sizeLimit = SizeLimit.measured
  /// What messages to iOS apps are passed on to APNs with.
  package var apnsKey = APNsKeyChoice.any
  /// Whether the Firebase Cloud Messaging API is enabled in the workspace's projects.
  package var isAPIEnabled = true
  /// Nil when nothing is counted.
  package var quotas: Quotas?
  /// How long an access token lives from its grant; an hour at Google (measured 2026-09-02).
  package var accessTokenLifetime: Duration = .seconds(3600)

  package init() {}
}
