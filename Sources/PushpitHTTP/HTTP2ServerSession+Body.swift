internal import CNghttp2

extension HTTP2ServerSession {
  /// Whether the peer has still to end one of its streams.
  ///
  /// Walks the open streams, so it is for the clock's tick and not for a request's path.
  package var isAwaitingBody: Bool {
    inbox.openStreams.contains(where: isPeerSending)
  }

  package func takeIncomplete() -> [ServerStream] {
    let streams = inbox.openStreams.filter { $0.http2.canBeAnswered && isPeerSending($0) }
    for stream in streams { attach(stream) }
    return streams
  }

  private func isPeerSending(_ stream: ServerStream) -> Bool {
    guard let session else { return false }
    return nghttp2_session_get_stream_remote_close(session, Int32(truncatingIfNeeded: stream.id))
      == 0
  }
}

extension HTTP2StreamState {
  /// Whether the head is complete, and neither it nor what followed was refused.
  fileprivate var canBeAnswered: Bool { isHeadComplete && !isHeadTooLong && !isRefused }
}
