internal import PushpitCrypto
internal import PushpitHTTP

extension ConnectionEnding.Progress {
  /// How far a connection came, as the console spells it.
  var name: String {
    switch self {
    case .accepted: "accepted"
    case .tlsHelloSeen: "tlsHello"
    case .handshakeDone: "handshake"
    case .requestSeen: "request"
    }
  }
}

extension ConnectionEnding.Cause {
  /// Why a connection ended, in words.
  var text: String {
    switch self {
    case .peerClosed: "closed by the peer"
    case .idle: "idle for too long"
    case .headTimeout: "no complete request head in time"
    case .bodyTimeout: "no complete request body in time"
    case .slowReader: "the peer read too slowly"
    case .tlsOnClearPort: "TLS on a clear-text port"
    case .tls(let failure): failure.description
    case .resources(let reason): reason
    case .http(let failure): "\(failure)"
    case .socket(let reason): reason
    case .answered: "closed after the last answer"
    case .closedByHandler: "closed by the gateway"
    case .serverStopped: "the gateway stopped"
    }
  }
}
