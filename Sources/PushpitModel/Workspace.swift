/// How strictly a workspace treats what it does not know; each is a setting with a default.
package struct Policies: Sendable, Equatable {
  /// What becomes of a well-formed token that nobody registered.
  package enum Tokens: String, Sendable, CaseIterable {
    /// Accepted: a new user's first push works.
    case open
    /// Refused with the vendor's own error.
    case strict
  }

  /// Whether signatures are checked against the workspace's credentials.
  package enum Authentication: String, Sendable, CaseIterable {
    case verify
    /// Any key will do; every rule but the signature still holds.
    case shape
  }

  /// Which of two answers is given where captures and documents differ.
  package enum Wire: String, Sendable, CaseIterable {
    case observed
    case documented

    /// Compares cases; without this, other modules compare the texts of their raw values.
    package static func == (one: Wire, other: Wire) -> Bool {
      switch (one, other) {
      case (.observed, .observed), (.documented, .documented): true
      case (.observed, .documented), (.documented, .observed): false
      }
    }
  }

  package var tokens = Tokens.open
  package var authentication = Authentication.verify
  package var wire = Wire.observed

  package init() {}
}

/// The unit of isolation: its own credentials, devices, envelopes and clock.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its settings are read and assigned as values.
package final class Workspace {
  package let id: WorkspaceID
  package var policies: Policies {
    get { storedPolicies }
    set { storedPolicies = newValue }
  }
  @exclusivity(unchecked) package var clock = WorkspaceClock()
  /// How APNs behaves where that can be set.
  package var apns: APNsSettings {
    get { storedAPNs }
    set {
      storedAPNs = newValue
      channels.deleteAll(of: newValue.broadcastDisabledApps)
    }
  }
  /// How Google's side behaves where that can be set.
  package var fcm: FCMSettings {
    get { storedFCM }
    set { storedFCM = newValue }
  }
  /// How its devices behave where that can be set.
  package var delivery = DeliverySettings()
  /// What payload contracts leave open.
  package var contract = ContractSettings()
  /// How much it may have.
  package var limits = LimitSettings()
  /// How many envelopes were recorded since those beyond the limit were last forgotten.
  private var untrimmedCount = 0
  /// The most pushes a second for one device token; nil for no limit.
  package var requestsPerSecond: Int? { storedAPNs.requestsPerSecond }
  /// The broadcast channels that its senders made.
  package var channels = ChannelDirectory()
  /// What registration tokens are subscribed to.
  package var topics = TopicDirectory()
  /// Registration tokens that are sent to together.
  package var groups = DeviceGroupDirectory()
  /// The Firebase project of its service account, that of devices which name none; nil before it has one.
  package var project: String?
  /// What `reset()` brings back.
  private var original = SettingValues()
  // Beside `policies`, `apns` and `fcm`, because modules that use a property directly make the check all
  // the same.
  @exclusivity(unchecked) private var storedPolicies: Policies
  @exclusivity(unchecked) private var storedAPNs = APNsSettings()
  @exclusivity(unchecked) private var storedFCM = FCMSettings()

  package init(id: WorkspaceID, policies: Policies = Policies()) {
    self.id = id
    storedPolicies = policies
  }

  /// Makes its settings those that `reset()` brings back.
  package func settle() {
    original = SettingValues(of: self)
  }

  /// Makes clock and settings as they were when it was made, and forgets channels, topics and groups.
  ///
  /// Devices are not its own: who keeps them removes them first.
  package func reset() {
    clock = WorkspaceClock()
    channels = ChannelDirectory()
    topics = TopicDirectory()
    groups = DeviceGroupDirectory()
    original.apply(to: self)
  }

  /// Counts an envelope that was recorded; when so many were that it pays to look for those beyond the limit,
  /// how many may stay.
  package func countEnvelope() -> Int? {
    guard let limit = limits.envelopes else { return nil }
    untrimmedCount += 1
    guard untrimmedCount > limit / 10 else { return nil }
    untrimmedCount = 0
    return limit
  }
}

extension Workspace {
  /// The workspace's time at a moment of real time.
  package func time(at real: Timestamp) -> Timestamp { clock.time(at: real) }

  /// Makes the subscriptions and memberships that a token got before a device had it the device's; those
  /// of projects that are not its own end.
  package func claimTopicsAndGroups(
    _ record: TokenRecord, from isOwn: (_ project: String) -> Bool
  ) {
    topics.claim(record.token, for: record.topicProject(of: ""), from: isOwn)
    groups.removeAll(record.token, unlessIn: isOwn)
  }

  /// Ends the subscriptions and memberships of a registered token that is dead.
  package func leaveTopicsAndGroups(_ record: TokenRecord) {
    topics.unsubscribeAll(record.token, in: record.topicProject(of: ""))
    groups.removeAll(record.token)
  }
}
