/// The server's side of one HTTP/1.1 or HTTP/1.0 connection.
package final class HTTP1ServerSession: HTTPSession {
  package weak var connection: ServerConnection?
  package weak var observer: (any HTTPSessionObserver)?

  package init(resources: SessionResources, limits: SessionLimits) {}

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
}
