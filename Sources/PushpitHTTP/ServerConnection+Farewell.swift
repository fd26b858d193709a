internal import PushpitHTTPTypes

extension ServerConnection {
  /// The last stream that was or is worked on, for a GOAWAY; 0 before the first and in HTTP/1.1.
  package var lastStreamID: UInt32 { session?.lastStreamID ?? 0 }

  /// Announces the end, in the handler's words where it has any.
  func sayFarewell(_ cause: ConnectionEnding.Cause) {
    guard let session else { return }
    if case .http2 = facts.httpProtocol, let frames = handler.lastFrames(self, cause) {
      session.goAway(sending: frames)
    } else {
      session.goAway()
    }
  }

  /// Ends a connection that was silent for its own limit, after its incomplete requests were offered
  /// to the handler.
  func endSilent() {
    guard plannedCause == nil else { return }
    for stream in session?.takeIncomplete() ?? [] {
      noteStalledRequest()
      handler.requestStalled(stream)
    }
    close(.idle)
  }
}
