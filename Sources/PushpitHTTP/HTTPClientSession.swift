package import PushpitHTTPTypes

/// What a server did, in the order in which it came.
package enum ClientEvent: Sendable {
  /// The head of an answer; `isLast` when it has no body.
  case head(id: Int64, ResponseHead, isLast: Bool)
  /// Some bytes of a body; the last of them, which may be none, with `isLast`.
  case body(id: Int64, [UInt8], isLast: Bool)
  /// The stream ended without a complete answer; 7 (REFUSED_STREAM) may be tried again.
  case reset(id: Int64, code: UInt32)
  /// The server takes no requests after this one.
  case goAway(lastID: Int64, code: UInt32, debug: [UInt8])
  /// The server's limit of concurrent streams.
  case streamLimit(Int)
}

/// The client's side of one HTTP connection, bytes in and bytes out, without I/O.
///
/// Turn: `submit` what is to be sent, `takeOutput` until it adds nothing; `feed` what came, then
/// `takeEvents`. Requests beyond what the server allows at a time wait inside the session.
package protocol HTTPClientSession: AnyObject {
  /// Queues a request and returns the identifier its events carry (1, 2, 3 ... in order).
  ///
  /// `head.authority` becomes `:authority` or `host`, fields are sent as given.
  func submit(_ head: RequestHead, body: [UInt8]) -> Int64

  /// Gives up a request: RST_STREAM CANCEL, or in HTTP/1.1 the end of the connection.
  func cancel(_ id: Int64)

  /// Takes bytes from the server.
  func feed(_ bytes: UnsafeBufferPointer<UInt8>)

  /// All events since the last call.
  func takeEvents() -> [ClientEvent]

  /// Appends pending bytes, up to about `limit`; nothing when there are none.
  func takeOutput(into buffer: inout [UInt8], limit: Int)

  /// Requests that have neither been answered wholly nor reset, the waiting ones included.
  var openRequestCount: Int { get }

  /// Whether nothing more will be read or written.
  var wantsClose: Bool { get }

  /// Why the session gave up; nil while all is well.
  var failure: ConnectionFailure? { get }

  /// The transport has gone: unanswered requests become `reset` events.
  func connectionEnded()
}

/// The client's side of one HTTP/2 connection.
package final class HTTP2ClientSession: HTTPClientSession {
  package init() throws(ConnectionFailure) {}
  package func submit(_ head: RequestHead, body: [UInt8]) -> Int64 { 0 }
  package func cancel(_ id: Int64) {}
  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {}
  package func takeEvents() -> [ClientEvent] { [] }
  package func takeOutput(into buffer: inout [UInt8], limit: Int) {}
  package var openRequestCount: Int { 0 }
  package var wantsClose: Bool { false }
  package var failure: ConnectionFailure? { nil }
  package func connectionEnded() {}
}

/// The client's side of one HTTP/1.1 connection, one request at a time.
package final class HTTP1ClientSession: HTTPClientSession {
  package init() {}
  package func submit(_ head: RequestHead, body: [UInt8]) -> Int64 { 0 }
  package func cancel(_ id: Int64) {}
  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {}
  package func takeEvents() -> [ClientEvent] { [] }
  package func takeOutput(into buffer: inout [UInt8], limit: Int) {}
  package var openRequestCount: Int { 0 }
  package var wantsClose: Bool { false }
  package var failure: ConnectionFailure? { nil }
  package func connectionEnded() {}
}
