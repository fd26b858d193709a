package import PushpitCrypto

/// How a connection ended: how far it had come, and why it went no further.
package struct ConnectionEnding: Sendable, Equatable {
  /// How far a connection came, in the order in which it happens.
  package enum Progress: Int, Sendable, Comparable {
    /// The peer connected and sent nothing that could be understood.
    case accepted
    /// The peer began a TLS handshake.
    case tlsHelloSeen
    /// The TLS handshake was done on our side; in clear text, HTTP had begun.
    case handshakeDone
    /// At least one complete request came.
    case requestSeen

    package static func < (left: Progress, right: Progress) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Why a connection ended.
  package enum Cause: Sendable, Equatable {
    /// The peer closed it, in an orderly way.
    case peerClosed
    /// Nothing happened for the listener's idle time.
    case idle
    /// A handshake or a request head took longer than the listener's limit.
    case headTimeout
    /// Nothing came of a request body for longer than the listener's limit.
    case bodyTimeout
    /// The peer let more unread output pile up than the listener's limit, or read nothing for long.
    case slowReader
    /// The peer began a TLS handshake on a port that speaks clear text only.
    case tlsOnClearPort
    /// TLS failed.
    case tls(TLSFailure)
    /// TLS or HTTP could not be set up, for a reason such as memory.
    case resources(String)
    /// HTTP failed.
    case http(ConnectionFailure)
    /// The socket failed, with the system's words.
    case socket(String)
    /// The last answer was given and said that the connection closes.
    case answered
    /// The handler closed it.
    case closedByHandler
    /// The server stopped.
    case serverStopped
  }

  /// How far it had come.
  package let progress: Progress

  /// Why it ended.
  package let cause: Cause

  /// The TLS alert that the peer sent, such as `unknown_ca`: its word on our certificate.
  ///
  /// A TLS 1.3 client sends it after our side of the handshake is done, so `progress` may be
  /// `handshakeDone` although the client never trusted us.
  package let alertReceived: TLSAlert?

  /// Whether our part of the TLS handshake, which has the certificate in it, was sent.
  package let isCertificateSent: Bool

  /// Whether a byte of HTTP came.
  package let hasHTTPBytes: Bool

  /// What was wrong with the last request that was refused before a handler saw it (HTTP/2).
  package let refusal: RequestFault?

  package init(
    progress: Progress, cause: Cause, alertReceived: TLSAlert? = nil,
    isCertificateSent: Bool = false, hasHTTPBytes: Bool = false, refusal: RequestFault? = nil
  ) {
    self.progress = progress
    self.cause = cause
    self.alertReceived = alertReceived
    self.isCertificateSent = isCertificateSent
    self.hasHTTPBytes = hasHTTPBytes
    self.refusal = refusal
  }
}
