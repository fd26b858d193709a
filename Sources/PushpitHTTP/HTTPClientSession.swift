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
/// `takeEvents` and `takeOutput` again. Requests beyond what the server allows at a time wait inside.
package protocol HTTPClientSession: AnyObject {
  /// Queues a request and returns the identifier that its events carry, ascending.
  ///
  /// `head.authority` becomes `:authority` or `host` where the fields have none.
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

  /// The transport has gone: unanswered requests become `reset` events, or end a body of HTTP/1.1
  /// that lasts until the close.
  func connectionEnded()
}
