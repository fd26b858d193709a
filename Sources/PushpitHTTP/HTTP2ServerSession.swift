/// What a stream holds for HTTP/2 only.
struct HTTP2StreamState {}

/// What a stream holds for HTTP/1.1 only.
struct HTTP1StreamState {}

/// What all sessions of one event loop share: pooled streams and memory.
package final class SessionResources {
  package init() {}
}

/// The server's side of one HTTP/2 connection.
package final class HTTP2ServerSession: HTTPSession {
  package weak var connection: ServerConnection?
  package weak var observer: (any HTTPSessionObserver)?

  package init(resources: SessionResources, limits: SessionLimits) throws(ConnectionFailure) {}

  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {}
  package func nextCompleted() -> ServerStream? { nil }
  package func takeOutput(into buffer: inout [UInt8], limit: Int) {}
  package var wantsInput: Bool { true }
  package var wantsClose: Bool { false }
  package var failure: ConnectionFailure? { nil }
  package var openStreamCount: Int { 0 }
  package var isReadingHead: Bool { false }
  package var bufferedByteCount: Int { 0 }
  package func setStreamLimit(_ limit: Int) {}
  package func goAway() {}
  package func connectionEnded() {}

  /// Writes bytes as they are between the frames of the library, after all that is pending now.
  package func appendRawFrame(_ bytes: [UInt8]) {}
}
