internal import CNghttp2
import PushpitHTTPTypes

/// The server's side of one HTTP/2 connection, on nghttp2.
///
/// nghttp2 does framing, HPACK and flow control. Requests are judged by `RequestRules`, the stream
/// limit is ours (`HTTP2StreamLimit`): nghttp2 is told a value that it never enforces, and the true
/// one is written into the SETTINGS frame on its way out.
package final class HTTP2ServerSession: HTTPSession {
  package var connection: ServerConnection? {
    get { unretainedConnection?.takeUnretainedValue() }
    set { unretainedConnection = newValue.map { Unmanaged.passUnretained($0) } }
  }
  // Without run-time exclusivity checks: it is a plain pointer, read and written by one thread.
  @exclusivity(unchecked) private var unretainedConnection: Unmanaged<ServerConnection>?
  package unowned(unsafe) var observer: (any HTTPSessionObserver)?
  package private(set) var failure: ConnectionFailure?

  /// Owned; nil once the connection has ended or failed beyond repair.
  var session: OpaquePointer?
  /// Everything that the session's callbacks reach.
  let inbox: HTTP2Inbox
  let resources: SessionResources
  /// Bytes that go out before anything that nghttp2 has to say.
  private var staged: [UInt8] = []
  private var isServiceRequested = false
  private var hasFedBytes = false
  /// A GOAWAY of ours, of which nghttp2 knows nothing, has announced the end.
  @exclusivity(unchecked) private var isGoingAway = false
  /// Whether an answer's identifiers were sent before; see `HTTP2ServerSession+Answers`.
  var sentIdentifiers = SentIdentifiers()

  /// What nghttp2 is told in place of the true stream limit.
  private static let unenforcedLimit: UInt32 = 0x7fff_ffff

  package init(resources: SessionResources, limits: SessionLimits) throws(ConnectionFailure) {
    self.resources = resources
    inbox = HTTP2Inbox(resources: resources, limits: limits)
    session = try Self.makeSession(inbox)
    submitFirstSettings(limits)
  }

  deinit { connectionEnded() }

  package var wantsInput: Bool { true }

  package var wantsClose: Bool {
    guard staged.isEmpty else { return false }
    guard let session else { return true }
    guard nghttp2_session_want_read(session) == 0 || isGoingAway && inbox.openCount == 0
    else { return false }
    return nghttp2_session_want_write(session) == 0
  }

  package var lastStreamID: UInt32 {
    session.map { UInt32(nghttp2_session_get_last_proc_stream_id($0)) } ?? 0
  }

  package var refusal: RequestFault? { inbox.refusal }

  package var openStreamCount: Int { inbox.openCount }

  package var refusedStreamCount: Int { inbox.refusedStreamCount }

  package var isReadingHead: Bool {
    inbox.isInHeaderBlock || hasFedBytes && !inbox.hasReceivedFrame
  }

  package var bufferedByteCount: Int { inbox.bufferedByteCount + staged.count }

  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let session, failure == nil, !bytes.isEmpty else { return }
    hasFedBytes = true
    let result = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
    if result < 0 { return fail(Int32(result), on: bytes) }
    settle()
  }

  package func nextCompleted() -> ServerStream? {
    guard let stream = inbox.nextCompleted() else { return nil }
    attach(stream)
    return stream
  }

  package func takeOutput(into buffer: inout [UInt8], limit: Int) {
    let end = buffer.count + limit
    if !staged.isEmpty {
      buffer.append(contentsOf: staged)
      staged.removeAll()
    }
    while buffer.count < end {
      guard appendFrame(to: &buffer) else {
        isServiceRequested = false
        break
      }
    }
    settle()
  }

  package func setStreamLimit(_ limit: Int) {
    guard !inbox.streamLimit.isIgnored else { return terminate(NGHTTP2_SETTINGS_TIMEOUT) }
    submitSettings([(FirstSettings.streamLimitID, Self.unenforcedLimit)])
    inbox.streamLimit.submit(limit)
    requestService()
  }

  package func goAway() {
    guard let session else { return }
    let last = nghttp2_session_get_last_proc_stream_id(session)
    nghttp2_submit_goaway(session, 0, last, NGHTTP2_NO_ERROR.rawValue, nil, 0)
    requestService()
  }

  package func goAway(sending frames: [UInt8]) {
    guard session != nil else { return }
    isGoingAway = true
    inbox.streamLimit.close()
    appendRawFrame(frames)
  }

  /// Writes bytes as they are between the frames of nghttp2, after all that can be sent now.
  package func appendRawFrame(_ bytes: [UInt8]) {
    // nghttp2 hands out whole header blocks only if it is drained: nothing may come between HEADERS
    // and CONTINUATION. What stays inside it waits for the peer's window.
    var frames = staged
    staged.removeAll()
    while appendFrame(to: &frames) {}
    staged = frames + bytes
    requestService()
  }

  package func connectionEnded() {
    inbox.forgetAll()
    staged.removeAll()
    guard let session else { return }
    self.session = nil
    nghttp2_session_del(session)
  }

  /// Tells the connection that there is output, once until that has been taken.
  func requestService() {
    guard !isServiceRequested else { return }
    isServiceRequested = true
    observer?.sessionNeedsService()
  }
}

extension HTTP2ServerSession {
  private static func makeSession(
    _ inbox: HTTP2Inbox
  ) throws(ConnectionFailure) -> OpaquePointer? {
    let callbacks = HTTP2Callbacks.makeServerTable()
    defer { nghttp2_session_callbacks_del(callbacks) }
    var options: OpaquePointer?
    guard callbacks != nil, nghttp2_option_new(&options) == 0 else {
      throw .library("no memory for an HTTP/2 session")
    }
    defer { nghttp2_option_del(options) }
    nghttp2_option_set_no_http_messaging(options, 1)
    nghttp2_option_set_no_closed_streams(options, 1)
    // nghttp2 counts all resets, also those of streams that were answered: APNSwift sends hundreds.
    nghttp2_option_set_stream_reset_rate_limit(options, 1 << 40, 1 << 40)
    var session: OpaquePointer?
    let code = nghttp2_session_server_new3(
      &session, callbacks, Unmanaged.passUnretained(inbox).toOpaque(), options,
      inbox.resources.memory)
    guard code == 0 else { throw .library(String(cString: nghttp2_strerror(code))) }
    return session
  }

  private func submitFirstSettings(_ limits: SessionLimits) {
    submitSettings(FirstSettings.entries(streamLimit: Self.unenforcedLimit))
    inbox.streamLimit.submit(limits.initialStreamLimit)
  }

  private func submitSettings(_ settings: [(id: UInt16, value: UInt32)]) {
    let entries = settings.map {
      nghttp2_settings_entry(settings_id: Int32($0.id), value: $0.value)
    }
    nghttp2_submit_settings(session, 0, entries, entries.count)
  }

  /// Appends the next frame of nghttp2; false when there is none.
  private func appendFrame(to buffer: inout [UInt8]) -> Bool {
    guard let session else { return false }
    var bytes: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(session, &bytes)
    guard count > 0 else {
      if count < 0 { fail(Int32(count)) }
      return false
    }
    let start = buffer.count
    let frame = UnsafeBufferPointer(start: bytes, count: count)
    buffer.append(copying: frame)
    guard count >= Self.frameHeaderCount else { return true }
    switch UInt32(frame[3]) {
    case NGHTTP2_SETTINGS.rawValue where count > Self.frameHeaderCount:
      writeStreamLimit(into: &buffer, settingsAt: start)
    case NGHTTP2_GOAWAY.rawValue:
      noteGoAway(code: buffer[(start + 13)..<(start + 17)].reduce(0) { $0 << 8 | UInt32($1) })
    default: break
    }
    return true
  }

  private static let frameHeaderCount = 9

  /// Overwrites the value of MAX_CONCURRENT_STREAMS in a SETTINGS frame with the true one.
  private func writeStreamLimit(into buffer: inout [UInt8], settingsAt start: Int) {
    guard let limit = inbox.streamLimit.takeUnwritten() else { return }
    var entry = start + Self.frameHeaderCount
    while entry + 6 <= buffer.count {
      if buffer[entry] == 0, buffer[entry + 1] == 3 {
        for index in 0..<4 {
          buffer[entry + 2 + index] = UInt8(truncatingIfNeeded: limit >> (24 - 8 * index))
        }
      }
      entry += 6
    }
  }

  /// A GOAWAY with an error is nghttp2's verdict over the peer.
  private func noteGoAway(code: UInt32) {
    if code != 0, failure == nil { failure = .http2(code: code) }
  }

  /// Bytes that are no preface may be a request of HTTP/1.x, which gets an answer after SETTINGS.
  private func fail(_ code: Int32, on bytes: UnsafeBufferPointer<UInt8>) {
    guard code == NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue,
      let goAway = UnexpectedHTTP1.goAway(for: bytes)
    else { return fail(code) }
    failure = .http1InHTTP2
    appendRawFrame(goAway)
    let last = staged
    connectionEnded()
    staged = last
  }

  private func fail(_ code: Int32) {
    switch nghttp2_error(rawValue: code) {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC: failure = .notHTTP2
    case NGHTTP2_ERR_FLOODED: failure = .flooded
    default: failure = .library(String(cString: nghttp2_strerror(code)))
    }
    connectionEnded()
  }

  /// Acts on what the callbacks recorded, after nghttp2 has returned.
  private func settle() {
    if !inbox.refused.isEmpty { resetRefused() }
    while let stream = inbox.tooLong.popLast() { respondHeadTooLong(stream) }
    inbox.forgetClosed()
    // Rapid reset (CVE-2023-44487): more work thrown away than done.
    if inbox.resetBalance > inbox.limits.resetLimit { terminate(NGHTTP2_ENHANCE_YOUR_CALM) }
  }

  /// Ends the session with a GOAWAY of this error.
  private func terminate(_ code: nghttp2_error_code) {
    guard failure == nil, session != nil else { return }
    failure = .http2(code: code.rawValue)
    nghttp2_session_terminate_session(session, code.rawValue)
    requestService()
  }

  private func resetRefused() {
    for (stream, code) in inbox.refused {
      nghttp2_submit_rst_stream(session, 0, Int32(truncatingIfNeeded: stream.id), code)
    }
    inbox.refused.removeAll(keepingCapacity: true)
  }

  private func respondHeadTooLong(_ stream: ServerStream) {
    attach(stream)
    stream.response.reset(status: 431)
    stream.respond()
  }

  /// Makes the stream answerable.
  func attach(_ stream: ServerStream) {
    stream.owner = self
    stream.unretainedConnection = unretainedConnection
  }
}
