package import PushpitModel

/// How many of something must match, and how long that is watched.
package struct PushExpectation: Sendable, Equatable {
  /// The longest that is waited.
  package static let waitLimit = Duration.seconds(60)

  /// What is counted.
  package enum Subject: String, Sendable, CaseIterable {
    case envelopes
    /// One for each device that an envelope is for.
    case deliveries
    /// Those that pushes came on.
    case connections
    /// What the report finds wrong.
    case findings
    /// The different ones that senders used.
    case providerTokens

    /// Whether it is found out by an analysis of a workspace's senders.
    package var isOfSenders: Bool {
      switch self {
      case .envelopes, .deliveries: false
      case .connections, .findings, .providerTokens: true
      }
    }

    /// The fields that a matcher may name, beside places in the payload.
    package var fields: [String] {
      switch self {
      case .envelopes, .deliveries: EnvelopeFields.all
      case .connections: ConnectionUse.matchFields
      case .findings: Finding.matchFields
      case .providerTokens: ProviderTokenUse.matchFields
      }
    }
  }

  /// How many there must be.
  package enum Count: Sendable, Equatable {
    case exactly(Int)
    case atLeast(Int)
    case atMost(Int)

    /// Whether a number is right, once no more can come.
    package func allows(_ count: Int) -> Bool {
      switch self {
      case .exactly(let wanted): count == wanted
      case .atLeast(let least): count >= least
      case .atMost(let most): count <= most
      }
    }

    /// Whether a number is too high already.
    func isExceeded(by count: Int) -> Bool {
      switch self {
      case .exactly(let most), .atMost(let most): count > most
      case .atLeast: false
      }
    }
  }

  package var matcher: Matcher
  package var count = Count.atLeast(1)
  /// In real time.
  package var within = Duration.seconds(5)
  package var subject = Subject.envelopes
  /// Nil for all workspaces.
  package var workspace: WorkspaceID?
  /// Only envelopes that were received at this moment or later.
  package var since: Timestamp?
  /// Only envelopes after this one.
  package var after: EnvelopeNumber?
  /// Whether an accepted envelope, or a delivery, that does not match is a failure.
  package var isStrict = false

  package init(matcher: Matcher) {
    self.matcher = matcher
  }

  /// Whether it is judged only when the time is over: what must not come can always still come.
  var isHeldToTheEnd: Bool {
    if isStrict { return true }
    return switch count {
    case .exactly, .atMost: true
    case .atLeast: false
    }
  }

  /// Whether what it matches can change while devices do something.
  var dependsOnDeliveries: Bool {
    subject == .deliveries
      || matcher.rules.contains { EnvelopeFields.ofDeliveries.contains($0.field) }
  }
}
