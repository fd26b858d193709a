internal import CNghttp2

extension HTTP2ServerSession {
  package func takeIncomplete() -> [ServerStream] {
    guard let session else { return [] }
    let streams = inbox.openStreams.map { $0.takeUnretainedValue() }.filter { stream in
      let id = Int32(truncatingIfNeeded: stream.id)
      return stream.http2.canBeAnswered
        && nghttp2_session_get_stream_remote_close(session, id) == 0
    }
    for stream in streams { attach(stream) }
    return streams
  }
}

extension HTTP2StreamState {
  /// Whether the head is complete, and neither it nor what followed was refused.
  fileprivate var canBeAnswered: Bool { isHeadComplete && !isHeadTooLong && !isRefused }
}
