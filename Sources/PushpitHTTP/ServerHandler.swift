/// What a server's owner does with connections and requests; called on the loop's thread.
package protocol ServerHandler: AnyObject {
  /// A peer has connected; nothing is known but its address.
  func connectionOpened(_ connection: ServerConnection)

  /// The TLS handshake of a connection is done, its client certificate is known, and HTTP has not begun.
  func handshakeCompleted(_ connection: ServerConnection)

  /// A whole request is there: answer now, or later while the stream is open.
  func requestCompleted(_ stream: ServerStream)

  /// The connection has ended, whether or not it ever sent a request; its streams are closed.
  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding)
}

extension ServerHandler {
  package func connectionOpened(_ connection: ServerConnection) {}
  package func handshakeCompleted(_ connection: ServerConnection) {}
  package func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {}
}
