internal import PushpitHTTPTypes

extension ServerConnection {
  /// Sends these frames, of which the last is a GOAWAY, after all that is ready, and closes.
  ///
  /// Before HTTP has begun it waits for that; HTTP/1.1 has no such frames, and goes on.
  /// - Returns: Whether this is what ends the connection; it may have been ending already.
  @discardableResult
  package func close(sending frames: [UInt8]) -> Bool {
    guard ending == nil, plannedCause == nil, lastFrames == nil else { return false }
    lastFrames = frames
    if session != nil { sendLastFrames() }
    return facts.httpProtocol != .http1
  }

  /// Ends HTTP/2 with the frames that were left for it.
  func sendLastFrames() {
    guard let frames = lastFrames, case .http2 = facts.httpProtocol else { return }
    plannedCause = .closedByHandler
    session?.goAway(sending: frames)
    sessionNeedsService()
  }
}
