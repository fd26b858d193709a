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
    case .http(let failure): failure.text
    case .socket(let reason): reason
    case .answered: "closed after the last answer"
    case .closedByHandler: "closed by the gateway"
    case .serverStopped: "the gateway stopped"
    }
  }
}

extension ConnectionFailure {
  /// How HTTP failed, in words.
  fileprivate var text: String {
    switch self {
    case .http2(let code): "GOAWAY with the HTTP/2 error code \(code)"
    case .notHTTP2: "no HTTP/2 after the handshake"
    case .http1InHTTP2: "HTTP/1.x after HTTP/2 was agreed on"
    case .flooded: "the peer asks for more than it reads"
    case .http1(let status): "an HTTP/1.1 request was refused with the status \(status)"
    case .library(let reason): reason
    }
  }
}
