internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// What is the same for all requests of a connection, which share it.
final class VendorConnectionFacts {
  /// Identity of the connection in this process.
  let id: UInt64
  /// That of the server name, else of the port, else the default.
  let environment: APNsEnvironment
  let httpProtocol: HTTPProtocol
  /// `TLSv1.3`, or nil in clear text.
  let tls: String?
  /// Whether it is HTTP/1.x over TLS, which Apple does not speak.
  let isHTTP1OverTLS: Bool

  /// The workspace of the port.
  let home: WorkspaceID

  init(_ connection: ConnectionFacts, places: [GatewayCore.ListenerPlace]) {
    id = connection.id
    let place = places[connection.listener]
    home = place.home
    environment = VendorRouter.environment(
      of: RequestHead(), serverName: connection.serverName, fallback: place.environment)
    httpProtocol = connection.httpProtocol ?? .http1
    tls = connection.tlsVersion
    isHTTP1OverTLS = httpProtocol == .http1 && tls != nil
  }
}

/// What the gateway keeps of one open connection.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its properties are only read and assigned as wholes.
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
  /// The workspace of the port.
  let home: WorkspaceID
  /// SHA-256 of every provider token seen.
  private var providerTokens: Set<String> = []
  @exclusivity(unchecked) private var lastCredential: CredentialFacts?
  private var isRaisedForGoogle = false
  /// A request went to Apple's side.
  @exclusivity(unchecked) var hasSpokenToApple = false
  /// A request went to Google's side, or the server name is one of Google's.
  @exclusivity(unchecked) var hasSpokenToGoogle = false
  /// How many GOAWAY frames of Apple's kind it got.
  var goAwayCount = 0
  /// How many more it gets if HTTP/2 begins.
  var waitingGoAwayCount = 0
  /// Known from the first request on.
  @exclusivity(unchecked) private var facts: VendorConnectionFacts?

  init(_ connection: ServerConnection, openedAt: Timestamp, home: WorkspaceID) {
    self.connection = connection
    self.openedAt = openedAt
    self.home = home
  }

  /// What is the same for all requests, found out at the first; nil when the connection has ended.
  func facts(
    of stream: ServerStream, places: [GatewayCore.ListenerPlace]
  ) -> VendorConnectionFacts? {
    if let facts { return facts }
    guard let connection = stream.connection else { return nil }
    let facts = VendorConnectionFacts(connection.facts, places: places)
    self.facts = facts
    return facts
  }

  /// Whether its end is APNs' matter: it spoke to APNs, or to nobody and did not ask for Google.
  var isOfAPNs: Bool { hasSpokenToApple || !hasSpokenToGoogle }

  /// Counts the provider token that a request came with; true when it is a new one here.
  func note(_ credential: CredentialFacts?) -> Bool {
    guard let credential, credential !== lastCredential else { return false }
    lastCredential = credential
    guard credential.kind == .providerToken, providerTokens.count < Self.countedTokenLimit
    else { return false }
    return providerTokens.insert(credential.fingerprint).inserted
  }

  /// The server name is one of Google's, whose front end has no small limit to begin with.
  func startAsGoogle(_ connection: ServerConnection) {
    isRaisedForGoogle = true
    connection.setStreamLimit(Self.googleStreamLimit)
  }

  /// The first request to Google's side lifts the limit that Apple starts with.
  func raiseForGoogle(_ stream: ServerStream) {
    guard !isRaisedForGoogle, !apns.isAuthenticated else { return }
    isRaisedForGoogle = true
    stream.connection?.setStreamLimit(Self.googleStreamLimit)
  }

  /// What the ledger shows of it.
  func entry(_ connection: ServerConnection) -> ConnectionEntry {
    var entry = ConnectionEntry(
      facts: connection.facts, listener: "gateway", openedAt: openedAt,
      progress: connection.requestCount > 0 ? "request" : "open")
    entry.requestCount = connection.requestCount
    entry.peakStreamCount = connection.peakStreamCount
    entry.providerTokenCount = providerTokens.count
    entry.boundKey = apns.boundKey
    entry.goAwayCount = goAwayCount
    if connection.facts.httpProtocol == .http2 { entry.goAwayCount += waitingGoAwayCount }
    entry.refusedStreamCount = connection.refusedStreamCount
    entry.certificate = apns.certificate?.facts
    entry.diagnosis =
      apns.certificateRefusal?.diagnosis
      ?? ConnectionDiagnoses.streamsRefused(connection.refusedStreamCount)
    return entry
  }
}
