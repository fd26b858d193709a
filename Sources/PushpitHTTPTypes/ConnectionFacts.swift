/// What is known of the connection that a request came on, as values.
package struct ConnectionFacts: Sendable {
  /// Counts accepted connections of this process from 1.
  package let id: UInt64
  /// Peer address as text, `127.0.0.1:51234`.
  package let peer: String
  /// Index of the listener in the server's configuration.
  package let listener: Int
  /// `TLSv1.3`, `TLSv1.2`, or nil in clear text.
  package var tlsVersion: String?
  /// The name the client asked for in SNI.
  package var serverName: String?
  /// ALPN names offered by the client, in its order.
  package var offeredProtocols: [String] = []
  /// The ALPN name that was chosen.
  package var negotiatedProtocol: String?
  /// `h2` or `http/1.1`, as spoken; nil before the first bytes decided.
  package var httpProtocol: HTTPProtocol?

  package init(id: UInt64, peer: String, listener: Int) {
    self.id = id
    self.peer = peer
    self.listener = listener
  }
}

/// A version of HTTP as the records spell it.
package enum HTTPProtocol: String, Sendable {
  case http2 = "h2"
  case http1 = "http/1.1"
}
