/// What a server's owner does with connections and requests; called on the loop's thread.
package protocol ServerHandler: AnyObject {
  /// A peer has connected; nothing is known but its address.
  func connectionOpened(_ connection: ServerConnection)

  /// The TLS handshake of a connection is done, so that its server name and the peer's certificate are
  /// known, and HTTP has not begun.
  func handshakeCompleted(_ connection: ServerConnection)

  /// Bytes of a connection were read; the requests that they complete come now.
  func bytesArrived(on connection: ServerConnection)

  /// A whole request is there: answer now, or later while the stream is open.
  func requestCompleted(_ stream: ServerStream)

  /// How long this connection may be silent; nil for the listener's limits.
  ///
  /// Asked about once a second. It never lengthens the listener's limit for a request's body.
  func silenceLimit(of connection: ServerConnection) -> Duration?

  /// The connection was silent for its own limit while this request's body was incomplete: answer
  /// now or never, because the connection ends.
  func requestStalled(_ stream: ServerStream)

  /// The frames that end an HTTP/2 connection for this cause; nil for a plain GOAWAY.
  func lastFrames(
    _ connection: ServerConnection, _ cause: ConnectionEnding.Cause
  ) -> [UInt8]?

  /// The connection has ended, whether or not it ever sent a request; its streams are closed.
  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding)
}

extension ServerHandler {
  package func connectionOpened(_ connection: ServerConnection) {}
  package func handshakeCompleted(_ connection: ServerConnection) {}
  package func bytesArrived(on connection: ServerConnection) {}
  package func silenceLimit(of connection: ServerConnection) -> Duration? { nil }
  package func requestStalled(_ stream: ServerStream) {}
  package func lastFrames(
    _ connection: ServerConnection, _ cause: ConnectionEnding.Cause
  ) -> [UInt8]? { nil }
  package func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {}
}
