extension ServerConnection {
  /// Sends a GOAWAY frame as it is, after all that is ready, and closes.
  ///
  /// Before HTTP has begun it waits for that; HTTP/1.1 has no such frame, and goes on.
  package func close(sending frame: [UInt8]) {
    guard ending == nil, plannedCause == nil else { return }
    guard let session else {
      lastFrame = frame
      return
    }
    guard let session = session as? HTTP2ServerSession else { return }
    plannedCause = .closedByHandler
    session.appendRawFrame(frame)
    sessionNeedsService()
  }
}
