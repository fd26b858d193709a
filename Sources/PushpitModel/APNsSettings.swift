/// Behaviour of APNs that a workspace may set: what nobody could observe, or what tests need at will.
package struct APNsSettings: Sendable, Equatable {
  /// What a connection answers after it has answered ExpiredProviderToken.
  package enum Wedge: String, Sendable, CaseIterable {
    /// ExpiredProviderToken to everything, also with a new token (Pushy pull request 783, 2020).
    case expired
    /// 500 InternalServerError to everything (Pushy issues 408 and 529, 2016 and 2017).
    case internalError = "internal-error"
    /// As if nothing had happened: a new token is judged by itself.
    case off
  }

  /// What a request in HTTP/1.x over TLS gets.
  package enum HTTP1OverTLS: String, Sendable, CaseIterable {
    /// Apple's GOAWAY (observed 2019 and 2026).
    case refuse
    /// An answer in HTTP/1.1, for clients that speak nothing else.
    case serve
  }

  /// What becomes of a payload that is no JSON object.
  package enum InvalidPayload: String, Sendable, CaseIterable {
    /// PayloadEmpty, as APNSwift's test server answers.
    case refuse
    /// Accepted, as if nobody looked at the payload before the device does.
    case accept
  }

  /// What becomes of a background push with priority 10.
  package enum BackgroundPriority: String, Sendable, CaseIterable {
    /// Accepted: no capture shows a refusal.
    case accept
    /// BadPriority: Apple's page calls it an error, and several libraries' comments say so.
    case refuse
  }

  package var wedge = Wedge.expired
  /// How many further provider tokens a connection may bring within 20 minutes; nil for any number.
  ///
  /// Apple documents an error for any new one within 20 minutes; 5 have been seen to pass.
  package var providerTokenUpdates: Int? = 0
  /// The most pushes a second for one device token, beyond which TooManyRequests; nil for no limit.
  ///
  /// Apple publishes no threshold.
  package var requestsPerSecond: Int?
  /// How long a connection may be silent before it is ended as idle; nil for the listener's limit.
  ///
  /// No limit of Apple's is known. Looked at about once a second.
  package var idleTimeout: Duration?
  package var goAways = GoAways.one
  /// How long the tokens of an uninstalled app are still answered with 200.
  ///
  /// Apple's delay is fuzzy by design and can be weeks; tests want their 410 at once.
  package var uninstallDelay = Duration.zero
  package var http1OverTLS = HTTP1OverTLS.refuse
  /// The bundle IDs of apps whose App ID lacks the broadcast capability; their channels are deleted.
  ///
  /// None, because the capability is a switch at Apple's that a gateway cannot see, and a new
  /// user's first broadcast shall work.
  package var broadcastDisabledApps: Set<String> = []
  package var invalidPayload = InvalidPayload.refuse
  package var backgroundPriority = BackgroundPriority.accept

  package init() {}
}
