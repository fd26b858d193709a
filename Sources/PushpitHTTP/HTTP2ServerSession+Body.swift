internal import CNghttp2

extension HTTP2ServerSession {
  /// Whether the peer has still to end one of its streams.
  ///
  /// Walks the open streams, so it is for the clock's tick and not for a request's path.
  package var isAwaitingBody: Bool {
    guard let session else { return false }
    return inbox.openStreams.contains { stream in
      let id = stream._withUnsafeGuaranteedRef { Int32(truncatingIfNeeded: $0.id) }
      return nghttp2_session_get_stream_remote_close(session, id) == 0
    }
  }
}
