internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitModel

/// What the gateway keeps of one open connection.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and the last credential is only read and assigned.
final class VendorConnection {
  /// The stream limit that Google's front end advertises (noted in the sources of two admin SDKs).
  static let googleStreamLimit = 100
  /// A connection's provider tokens are counted up to this many.
  static let countedTokenLimit = 64

  /// The rules of APNs that hold for a connection.
  let apns = APNsConnectionState()
  /// The connection itself; gone when it closes.
  private(set) weak var connection: ServerConnection?
  let openedAt: Timestamp
  /// SHA-256 of every provider token seen.
  private var providerTokens: Set<String> = []
  @exclusivity(unchecked) private var lastCredential: CredentialFacts?
  private var isRaisedForGoogle = false

  init(_ connection: ServerConnection, openedAt: Timestamp) {
    self.connection = connection
    self.openedAt = openedAt
  }

  /// Counts the provider token that a request came with.
  func note(_ outcome: PushOutcome) {
    guard let credential = outcome.credential, credential !== lastCredential else { return }
    lastCredential = credential
    guard credential.kind == .providerToken, providerTokens.count < Self.countedTokenLimit
    else { return }
    providerTokens.insert(credential.fingerprint)
  }

  /// The first request to Google's side lifts the limit that Apple starts with.
  func raiseForGoogle(_ connection: ServerConnection) {
    guard !isRaisedForGoogle, !apns.hasSeenValidToken else { return }
    isRaisedForGoogle = true
    connection.setStreamLimit(Self.googleStreamLimit)
  }

  /// What the ledger shows of it.
  func entry(_ connection: ServerConnection) -> ConnectionEntry {
    var entry = ConnectionEntry(
      facts: connection.facts, listener: "gateway", openedAt: openedAt,
      progress: connection.requestCount > 0 ? "request" : "open")
    entry.requestCount = connection.requestCount
    entry.peakStreamCount = connection.peakStreamCount
    entry.providerTokenCount = providerTokens.count
    return entry
  }
}
