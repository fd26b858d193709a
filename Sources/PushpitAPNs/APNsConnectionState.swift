package import PushpitModel

/// What one connection has shown so far, as a state machine that does nothing itself.
///
/// Its methods change it and leave behind what the connection has to do; the gateway does it.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its properties are only read and assigned as wholes.
package final class APNsConnectionState {
  /// The stream limit after the first valid provider token.
  ///
  /// Apple: "APNs allows only one stream until you post a request with a valid authentication
  /// token"; a second SETTINGS with 1000 was seen just before the first 200 (2022).
  package static let authenticatedStreamLimit = 1000
  /// The stream limit before that, and while a connection is throttled.
  package static let smallestStreamLimit = 1

  /// A provider token of this connection was valid, whatever became of its push.
  @exclusivity(unchecked) package private(set) var hasSeenValidToken = false
  /// The stream limit to announce, until it is taken.
  @exclusivity(unchecked) package private(set) var streamLimitChange: Int?
  /// A rejection has brought the stream limit down, and no push was accepted since.
  @exclusivity(unchecked) private var isThrottled = false
  /// The first provider token that was valid here: its team and key are the connection's.
  private(set) var firstToken: ProviderToken?
  /// The last provider token that was valid here.
  @exclusivity(unchecked) private(set) var lastToken: ProviderToken?
  /// It was answered ExpiredProviderToken, after which APNs answers so for ever.
  @exclusivity(unchecked) private(set) var hasSeenExpiredToken = false
  /// The keys whose tokens it has brought: one, or a few that are related.
  private var keys: [Key] = []
  /// Its number among the connections that brought a new token; nil before the first.
  var mintNumber: UInt64?

  /// The certificate that the peer showed; with one, provider tokens are ignored.
  @exclusivity(unchecked) package private(set) var certificate: ConnectionCertificate?
  /// The certificate is good for the environment that the connection began in.
  @exclusivity(unchecked) private var hasGoodCertificate = false
  /// Why the certificate was refused, at the beginning or at a request.
  @exclusivity(unchecked) package private(set) var certificateRefusal: APNsRefusal?
  /// What a GOAWAY has to say, until it is taken.
  @exclusivity(unchecked) private var goAwayReason: APNsReason?

  /// One of the keys that share the connection.
  private struct Key {
    let id: String
    /// Its last token that was valid here.
    var token: ProviderToken
    /// The new tokens that it has brought lately.
    var updates = ProviderTokenUpdates()
  }

  package init() {}

  /// A certificate or a provider token of this connection was good.
  package var isAuthenticated: Bool { hasSeenValidToken || hasGoodCertificate }

  /// Takes the certificate of a connection that begins in an environment, before its first request.
  ///
  /// With a good one the stream limit is the large one from the first SETTINGS on (2019 to 2021).
  package func present(_ certificate: ConnectionCertificate, in environment: APNsEnvironment) {
    self.certificate = certificate
    guard certificate.refusal(in: environment) == nil else { return }
    hasGoodCertificate = true
    streamLimitChange = Self.authenticatedStreamLimit
  }

  /// The certificate was refused; what was observed is that the connection ends with a GOAWAY.
  func refuse(_ refusal: APNsRefusal, wire: Policies.Wire) {
    certificateRefusal = refusal
    switch wire {
    case .observed: goAwayReason = refusal.reason
    case .documented: break
    }
  }

  /// The reason of the GOAWAY that is to end the connection now, handed out once; nil for none.
  package func takeGoAway() -> APNsReason? {
    guard let reason = goAwayReason else { return nil }
    goAwayReason = nil
    return reason
  }

  /// The key and team of the provider tokens that it takes; nil before the first.
  package var boundKey: (keyID: String, teamID: String)? {
    firstToken?.claims.map { ($0.keyID, $0.teamID) }
  }

  /// The stream limit to announce now, handed out once; nil when nothing is to be done.
  package func takeStreamLimitChange() -> Int? {
    guard let limit = streamLimitChange else { return nil }
    streamLimitChange = nil
    return limit
  }

  /// Takes the status of an answer into account, for a gateway that throttles as APNs did.
  ///
  /// After a rejected push a SETTINGS with 1, after the next accepted one the old limit again
  /// (observed 2016 and 2017). Apple: 410 "isn't considered an error condition".
  package func throttle(after status: Int) {
    // Before the first good credential the limit is the smallest one anyway.
    guard isAuthenticated else { return }
    switch status {
    case 410: return
    case 400..<500 where !isThrottled:
      isThrottled = true
      streamLimitChange = Self.smallestStreamLimit
    case 200..<300 where isThrottled:
      isThrottled = false
      streamLimitChange = Self.authenticatedStreamLimit
    default: return
    }
  }

  /// The last valid provider token of a key, when it has these bytes.
  func lastToken(equalTo bytes: UnsafeBufferPointer<UInt8>) -> ProviderToken? {
    if let lastToken, lastToken.has(bytes) { return lastToken }
    // Keys that share a connection take turns.
    return keys.count > 1 ? keys.first { $0.token.has(bytes) }?.token : nil
  }

  /// A push came with a valid provider token that is not the last one of its key; false when the
  /// connection may not bring a new one of that key yet.
  func accept(_ token: ProviderToken, at time: Timestamp, allowance: Int?) -> Bool {
    let id = token.claims?.keyID ?? ""
    let index = keys.firstIndex { $0.id == id } ?? keys.endIndex
    if index == keys.endIndex { keys.append(Key(id: id, token: token)) }
    guard keys[index].updates.add(at: time, allowance: allowance) else { return false }
    keys[index].token = token
    lastToken = token
    if firstToken == nil { firstToken = token }
    if !hasSeenValidToken {
      hasSeenValidToken = true
      streamLimitChange = Self.authenticatedStreamLimit
    }
    return true
  }

  /// When the token of a key came that began the period in which its new tokens are counted.
  func updatesBegan(of keyID: String) -> Timestamp? {
    keys.first { $0.id == keyID }?.updates.start
  }

  /// A provider token was too old.
  func noteExpiredToken() { hasSeenExpiredToken = true }
}
