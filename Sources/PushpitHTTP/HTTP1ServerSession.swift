import PushpitHTTPTypes

/// The server's side of one HTTP/1.1 or HTTP/1.0 connection.
///
/// Each request's answer is collected in its own stream; the oldest one's goes out. So pipelined
/// requests may be answered in any order and are still sent in theirs.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and what runs during a change (the parser, a list's own methods) does not come back here.
package final class HTTP1ServerSession: HTTPSession {
  @exclusivity(unchecked) package unowned(unsafe) var connection: ServerConnection?
  @exclusivity(unchecked) package unowned(unsafe) var observer: (any HTTPSessionObserver)?
  @exclusivity(unchecked) package private(set) var failure: ConnectionFailure?

  /// Input that waits while too many requests are unanswered; more is not read from the socket.
  package static let inputLimit = 64 * 1024

  private let resources: SessionResources
  private let limits: SessionLimits
  @exclusivity(unchecked) private var parser: HTTP1RequestParser
  @exclusivity(unchecked) private var input: [UInt8] = []
  @exclusivity(unchecked) private var inputStart = 0
  /// The request that is being read; from its complete head on it is in `pipeline` too.
  @exclusivity(unchecked) private var current: ServerStream?
  /// Requests whose answers were not sent wholly, oldest first.
  @exclusivity(unchecked) private var pipeline: [ServerStream] = []
  @exclusivity(unchecked) private var requestCount: Int64 = 0
  /// No further request is read.
  @exclusivity(unchecked) private var isStopped = false
  /// No request is read after the current one.
  @exclusivity(unchecked) private var isDraining = false
  /// The last answer was taken.
  @exclusivity(unchecked) private var isClosed = false
  @exclusivity(unchecked) private var isServiceRequested = false

  package init(resources: SessionResources, limits: SessionLimits) {
    self.resources = resources
    self.limits = limits
    parser = HTTP1RequestParser(limits: limits)
  }

  deinit { connectionEnded() }

  package var wantsInput: Bool { input.count - inputStart < Self.inputLimit }

  package var wantsClose: Bool { isClosed }

  package var refusal: RequestFault? { nil }

  package var openStreamCount: Int { pipeline.count }

  package var isReadingHead: Bool {
    current != nil && parser.isInHead
  }

  package var refusedStreamCount: Int { 0 }

  package var isAwaitingBody: Bool {
    current != nil && !parser.isInHead
  }

  package var bufferedByteCount: Int { pipeline.reduce(0) { $0 + $1.bufferedByteCount } }

  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isStopped else { return }
    input.append(copying: bytes)
  }

  package func nextCompleted() -> ServerStream? {
    while !isStopped, let stream = current ?? beginRequest() {
      let outcome = input.withUnsafeBufferPointer {
        parser.advance($0, consumed: &inputStart, into: stream)
      }
      dropConsumedInput()
      switch outcome {
      case .needsMore:
        // What was asked for has been done: half a head waits for its peer, not for service.
        isServiceRequested = false
        return nil
      case .head:
        enqueue(stream)
        if refusesBody(of: stream) { return completeWithoutBody(stream) }
        if parser.expectsContinue, inputStart == input.count { sendContinue(stream) }
      case .complete:
        if pipeline.last !== stream { enqueue(stream) }
        return complete(stream)
      case .failed(let status): fail(stream, status)
      }
    }
    return nil
  }

  package func takeOutput(into buffer: inout [UInt8], limit: Int) {
    let end = buffer.count + limit
    var sentCount = 0
    while sentCount < pipeline.count, buffer.count < end {
      let stream = pipeline[sentCount]
      stream.takeOutbound(limit: end - buffer.count, into: &buffer)
      guard stream.isAnswered, stream.isFinished, stream.bufferedByteCount == 0 else { break }
      sentCount += 1
      guard stream.http1.keepsAlive else {
        isClosed = true
        break
      }
    }
    if buffer.count < end { isServiceRequested = false }
    retire(sentCount)
    // Requests that waited for these answers can be read now.
    if sentCount > 0, current == nil, inputStart < input.count { requestService() }
  }

  package func setStreamLimit(_ limit: Int) {}

  package func goAway() {
    guard !isStopped else { return }
    if current == nil {
      stopReading()
      pipeline.last?.http1.keepsAlive = false
      isClosed = pipeline.isEmpty
    }
    isDraining = true
    requestService()
  }

  package func goAway(sending frames: [UInt8]) { goAway() }

  package var lastStreamID: UInt32 { 0 }

  package func takeIncomplete() -> [ServerStream] {
    guard let stream = current, !parser.isInHead else { return [] }
    stream.http1.keepsAlive = false
    current = nil
    stopReading()
    return [stream]
  }

  package func connectionEnded() {
    stopReading()
    isClosed = true
    current = nil
    for stream in pipeline { stream.disown() }
    retire(pipeline.count)
  }
}

extension HTTP1ServerSession {
  /// A stream for the request that begins in the input; nil when it has to wait.
  private func beginRequest() -> ServerStream? {
    guard inputStart < input.count, pipeline.count < limits.pipelineLimit else { return nil }
    let stream = resources.takeStream()
    requestCount += 1
    stream.id = requestCount
    current = stream
    return stream
  }

  private func enqueue(_ stream: ServerStream) {
    stream.owner = self
    stream.connection = connection
    pipeline.append(stream)
  }

  /// Whether a body is too long and was not sent yet: its sender waits for our opinion.
  private func refusesBody(of stream: ServerStream) -> Bool {
    guard parser.expectsContinue, let count = parser.announcedCount else { return false }
    return count > Int64(limits.bodyLimit)
  }

  private func completeWithoutBody(_ stream: ServerStream) -> ServerStream {
    stream.isBodyCut = true
    stream.http1.keepsAlive = false
    return complete(stream)
  }

  private func complete(_ stream: ServerStream) -> ServerStream {
    current = nil
    if isDraining || stream.isBodyCut { stream.http1.keepsAlive = false }
    if !stream.http1.keepsAlive { stopReading() }
    return stream
  }

  private func sendContinue(_ stream: ServerStream) {
    stream.outbound.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
    requestService()
  }

  private func fail(_ stream: ServerStream, _ status: Int) {
    failure = .http1(status: status)
    current = nil
    stopReading()
    if pipeline.last !== stream { enqueue(stream) }
    // What was read of the head decides nothing any more, in particular not a HEAD.
    stream.head.removeAll()
    stream.http1.keepsAlive = false
    stream.response.reset(status: status)
    stream.respond()
  }

  private func stopReading() {
    isStopped = true
    input = []
    inputStart = 0
  }

  private func dropConsumedInput() {
    if inputStart == input.count {
      input.removeAll(keepingCapacity: input.capacity <= Self.inputLimit)
      inputStart = 0
    } else if inputStart >= Self.inputLimit / 2 {
      input.removeFirst(inputStart)
      inputStart = 0
    }
  }

  /// Gives back the oldest streams; with the last answer of the connection, all.
  private func retire(_ count: Int) {
    guard count > 0 else { return }
    let sent = isClosed ? pipeline.count : count
    for _ in 0..<sent {
      var stream: ServerStream? = pipeline.removeFirst()
      resources.recycle(&stream)
    }
  }

  fileprivate func requestService() {
    guard !isServiceRequested else { return }
    isServiceRequested = true
    observer?.sessionNeedsService()
  }
}

extension HTTP1ServerSession: StreamOwner {
  func respond(_ stream: ServerStream, body: UnsafeBufferPointer<UInt8>?) {
    HTTP1ResponseWriter.writeHead(of: stream, bodyCount: body?.count)
    if let body, HTTP1ResponseWriter.hasBody(stream) { stream.outbound.append(copying: body) }
    requestService()
  }

  func startStreaming(_ stream: ServerStream) {
    HTTP1ResponseWriter.writeStreamingHead(of: stream)
    if !stream.http1.keepsAlive { stopReading() }
    requestService()
  }

  func write(_ stream: ServerStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !bytes.isEmpty, HTTP1ResponseWriter.hasBody(stream) else { return }
    HTTP1ResponseWriter.writeBody(bytes, of: stream)
    requestService()
  }

  func finish(_ stream: ServerStream) {
    HTTP1ResponseWriter.writeEnd(of: stream)
    requestService()
  }

  func reset(_ stream: ServerStream, code: UInt32) {
    stream.isAnswered = true
    closeAfter(stream)
  }

  func respondRaw(_ stream: ServerStream, _ bytes: [UInt8]) {
    stream.outbound.append(contentsOf: bytes)
    closeAfter(stream)
  }

  private func closeAfter(_ stream: ServerStream) {
    stream.http1.keepsAlive = false
    stopReading()
    requestService()
  }
}
