package import PushpitCrypto
package import PushpitNetwork

/// Why a client got no answer.
package enum HTTPClientError: Error, Equatable, CustomStringConvertible {
  /// The connection could not be made, or its socket failed.
  case network(NetworkError)
  /// TLS failed: the server is not trusted, or does not trust us.
  case tls(TLSFailure)
  /// The server's certificate authority, our certificate or a name cannot be used.
  case setup(CryptoError)
  /// What the server sent is not HTTP as it should be.
  case http(ConnectionFailure)
  /// The server ended the stream without a complete answer, with this HTTP/2 error code.
  case reset(code: UInt32)
  /// The connection was closed before the answer was complete.
  case closed
  /// The answer took longer than the request's time limit.
  case timedOut
  /// The answer's body is larger than the client's limit, or is read too slowly.
  case bodyTooLarge
  /// The task that waited for the answer was cancelled.
  case cancelled

  package var description: String {
    switch self {
    case .network(let error): error.description
    case .tls(let failure): failure.description
    case .setup(let error): error.description
    case .http(let failure): "the server's answer cannot be read: \(failure)"
    case .reset(let code): "the server reset the stream with code \(code)"
    case .closed: "the connection was closed before the answer was complete"
    case .timedOut: "the answer took too long"
    case .bodyTooLarge: "the answer is too large"
    case .cancelled: "the request was cancelled"
    }
  }
}
