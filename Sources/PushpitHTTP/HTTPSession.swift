/// Why a session gave up its connection.
package enum ConnectionFailure: Error, Equatable, Sendable {
  /// An HTTP/2 connection error that we found; the code went out in GOAWAY (RFC 9113 section 7).
  case http2(code: UInt32)
  /// The bytes after the handshake were not HTTP/2's client preface.
  case notHTTP2
  /// They were a request of HTTP/1.x; that was said in GOAWAY, as Apple's front end does.
  case http1InHTTP2
  /// The peer made us queue more acknowledgements than it reads.
  case flooded
  /// An HTTP/1.1 request that cannot be read; it was answered with this status and the close.
  case http1(status: Int)
  /// The protocol library failed for a reason of its own, such as memory; the text names it.
  case library(String)
}

/// The limits that a session holds its peer to.
package struct SessionLimits: Sendable {
  /// The most bytes of a request body that are kept; a longer one is cut, not refused.
  package var bodyLimit = 1 << 20
  /// The most bytes of a request's head: a longer one is answered with 431.
  package var headLimit = 16 * 1024
  /// The most streams of one HTTP/2 connection, whatever was advertised.
  package var streamCap = 4096
  /// The `SETTINGS_MAX_CONCURRENT_STREAMS` of the first SETTINGS frame.
  package var initialStreamLimit = 1000
  /// The most HTTP/1.1 requests of one connection that wait for their answers.
  package var pipelineLimit = 16
  /// The most body bytes that all unanswered requests of one connection hold together.
  package var connectionBodyLimit = 64 << 20
  /// How many unanswered streams a peer may reset beyond those it lets finish.
  package var resetLimit = 1000

  package init() {}
}

/// Who is told that a session has something to do outside `feed`: the connection.
package protocol HTTPSessionObserver: AnyObject {
  /// There is output or a completed request now where there was none when last asked.
  ///
  /// Called synchronously from a stream's `respond`, `write`, `finish` or `reset` and from the
  /// session's own commands, and from `takeOutput` when answers that it took made room for requests
  /// that waited in HTTP/1.1's pipeline; at most once until `takeOutput` has been drained (it then returned less
  /// than its limit). Do not call the session from inside it while one of its own calls is running on
  /// the stack: note it and serve the session when the call has returned.
  func sessionNeedsService()
}

/// The server's side of one HTTP connection, bytes in and bytes out, without I/O.
///
/// The connection's turn is always the same: `feed` what came, then hand every `nextCompleted()` to
/// the handler until it is nil, then `takeOutput` until it adds nothing, then look at `wantsClose`.
/// Errors are no exception to it: a session that failed has set `failure`, still has output (GOAWAY
/// or an HTTP/1.1 error answer) and reports `wantsClose` once that was taken.
package protocol HTTPSession: AnyObject {
  /// Set by the connection at once, and streams carry `connection` on.
  ///
  /// Both are unretained: whoever sets them sets them to nil before that object is released, and
  /// ends the session first where it has set `connection`.
  var connection: ServerConnection? { get set }
  var observer: (any HTTPSessionObserver)? { get set }

  /// Takes bytes from the peer; they are copied where needed. Does nothing once failed.
  func feed(_ bytes: UnsafeBufferPointer<UInt8>)

  /// The next request that is complete, in order of completion; nil when there is none now.
  ///
  /// The caller keeps no reference to a stream that it has answered: that lets it be reused.
  func nextCompleted() -> ServerStream?

  /// Appends pending bytes, up to about `limit` (a whole frame may pass it); nothing when none.
  func takeOutput(into buffer: inout [UInt8], limit: Int)

  /// False while too much unread input waits: the connection then stops reading from its socket.
  var wantsInput: Bool { get }

  /// Whether nothing more will be read or written; true only when all output was taken.
  var wantsClose: Bool { get }

  /// Why the session gave up; nil while all is well and after an orderly end.
  var failure: ConnectionFailure? { get }

  /// What was wrong with the last request that was refused before anybody saw it; nil in HTTP/1.1,
  /// where such a request is the connection's `failure`.
  var refusal: RequestFault? { get }

  /// Streams that are not finished in both directions.
  var openStreamCount: Int { get }

  /// Streams that were refused because too many were open; 0 in HTTP/1.1.
  var refusedStreamCount: Int { get }

  /// Whether a request head has begun and is not complete, which is what the head's time limit is for.
  var isReadingHead: Bool { get }

  /// Whether a request's head is complete and its body is not, which is what the body's limit is for.
  var isAwaitingBody: Bool { get }

  /// Answer bytes that handlers wrote and `takeOutput` has not taken, over all streams.
  var bufferedByteCount: Int { get }

  /// Changes what HTTP/2 advertises as its stream limit; HTTP/1.1 ignores it.
  func setStreamLimit(_ limit: Int)

  /// No new requests: HTTP/2 sends GOAWAY, HTTP/1.1 closes after the requests in progress.
  func goAway()

  /// As above with these frames in place of a GOAWAY of the library's, once all that can be sent now
  /// has been; HTTP/1.1 has no such frames.
  ///
  /// Streams that are open are served to their end; a new one gets RST_STREAM REFUSED_STREAM, which
  /// tells also a peer that does not heed GOAWAY to send the request elsewhere.
  func goAway(sending frames: [UInt8])

  /// The last stream that was or is worked on, for a GOAWAY; 0 in HTTP/1.1.
  var lastStreamID: UInt32 { get }

  /// Hands out the requests whose head is complete and whose body is not, so that they can be
  /// answered as they are; what still comes of them is not read.
  func takeIncomplete() -> [ServerStream]

  /// The transport has gone: every stream ends, every producer is stopped. Idempotent.
  func connectionEnded()
}
