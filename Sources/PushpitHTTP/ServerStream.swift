package import PushpitHTTPTypes

/// What a stream needs of the session it belongs to.
protocol StreamOwner: AnyObject {
  /// Sends `stream.response` and the whole body; with nil no body, whose length nobody knows.
  func respond(_ stream: ServerStream, body: UnsafeBufferPointer<UInt8>?)
  /// Sends `stream.response`; the body follows by `write`.
  func startStreaming(_ stream: ServerStream)
  /// Queues body bytes of a streaming answer.
  func write(_ stream: ServerStream, _ bytes: UnsafeBufferPointer<UInt8>)
  /// Ends a streaming answer.
  func finish(_ stream: ServerStream)
  /// Ends the stream without an answer, or in the middle of one.
  func reset(_ stream: ServerStream, code: UInt32)
  /// Sends bytes as they are in place of an answer, then closes.
  func respondRaw(_ stream: ServerStream, _ bytes: [UInt8])
}

/// One request being received or answered on a connection.
///
/// Streams are pooled: a session reuses one only when nobody else holds it, so a handler that answers
/// later may keep it and check `isOpen`. Calls on a stream that has ended do nothing.
///
/// The properties have no run-time exclusivity checks, which cost a fifth of a request (measured).
/// Proof that none is needed: all accesses happen on the loop's thread, only code of this module
/// writes, and it calls nothing outside the property's own methods during an access. The one that a
/// handler writes, `response`, it passes to code that gets values and no stream.
package final class ServerStream {
  /// The HTTP/2 stream identifier; in HTTP/1.1 requests count 1, 2, 3.
  @exclusivity(unchecked) package internal(set) var id: Int64 = 0

  /// The request's head; complete before the handler sees the stream.
  @exclusivity(unchecked) package internal(set) var head = RequestHead()

  /// The request's body, or its beginning when `isBodyCut`.
  @exclusivity(unchecked) package internal(set) var body: [UInt8] = []

  /// Whether the body was longer than the listener's limit.
  @exclusivity(unchecked) package internal(set) var isBodyCut = false

  /// Scratch for the handler: `reset(status:)`, append fields, then respond.
  @exclusivity(unchecked) package var response = ResponseHead()

  /// The connection the request came on; nil once that has ended.
  ///
  /// Unretained and never dangling: a connection that is released ends its session first, and that
  /// detaches every stream. A weak reference would also make each retain of its object dearer.
  package internal(set) var connection: ServerConnection? {
    get { unretainedConnection?.takeUnretainedValue() }
    set { unretainedConnection = newValue.map { Unmanaged.passUnretained($0) } }
  }
  @exclusivity(unchecked) var unretainedConnection: Unmanaged<ServerConnection>?

  /// Whether an answer can still be given or continued.
  package var isOpen: Bool { owner != nil && !isFinished }

  /// The session, while it holds the stream.
  ///
  /// Unretained and never dangling: a session detaches each stream before it lets go of it, and all
  /// of them before it is released itself.
  @exclusivity(unchecked) unowned(unsafe) var owner: (any StreamOwner)?
  /// The producer of a streaming answer until it is told to stop.
  @exclusivity(unchecked) var producer: (any ResponseProducer)?
  /// Bytes of the answer that were not sent yet, from `outboundStart` on.
  @exclusivity(unchecked) var outbound: [UInt8] = []
  @exclusivity(unchecked) var outboundStart = 0
  /// The head was handed to the session.
  @exclusivity(unchecked) var isAnswered = false
  /// Nothing more will be written by the handler.
  @exclusivity(unchecked) var isFinished = false
  /// What only one of the two protocols needs.
  @exclusivity(unchecked) var http2 = HTTP2StreamState()
  @exclusivity(unchecked) var http1 = HTTP1StreamState()

  init() {}

  /// Sends `response` and this body, and ends the stream.
  ///
  /// HTTP/2 sends one HEADERS frame with END_STREAM when the body is empty, else HEADERS and DATA.
  package func respond(body: UnsafeBufferPointer<UInt8>) {
    guard let owner, !isFinished, !isAnswered else { return }
    isAnswered = true
    isFinished = true
    owner.respond(self, body: body)
    if producer != nil { stopProducer() }
  }

  /// Sends `response` and this body, and ends the stream.
  package func respond(body: [UInt8] = []) {
    body.withUnsafeBufferPointer { respond(body: $0) }
  }

  /// Sends `response` and lets the producer write the body.
  ///
  /// The producer is stopped exactly once, when the stream ends in whatever way, `finish()` included.
  package func respondStreaming(_ producer: any ResponseProducer) {
    guard isOpen, !isAnswered else { return producer.stop() }
    isAnswered = true
    guard !isHeadRequest else {
      isFinished = true
      owner?.respond(self, body: nil)
      return producer.stop()
    }
    self.producer = producer
    owner?.startStreaming(self)
    // The connection may have ended in sending the head.
    if self.producer != nil { producer.start(self) }
  }

  /// Keeps the stream for a whole answer that is given later by `respond(body:)`.
  ///
  /// The producer, which is not started, is stopped exactly once, when the stream ends: answered or not.
  package func respondLater(_ producer: any ResponseProducer) {
    guard isOpen, !isAnswered else { return producer.stop() }
    self.producer = producer
  }

  /// Sends these bytes in place of an HTTP/1.1 answer and closes the connection after them.
  package func respondRaw(_ bytes: [UInt8]) {
    guard isOpen, !isAnswered else { return }
    isAnswered = true
    isFinished = true
    owner?.respondRaw(self, bytes)
  }

  /// Ends the stream with RST_STREAM, or in HTTP/1.1 by closing the connection.
  package func reset(code: UInt32) {
    guard isOpen else { return }
    isFinished = true
    owner?.reset(self, code: code)
    stopProducer()
  }
}

// What handlers of other modules use on their hot path: they would check for exclusivity at each
// property that they reach by themselves, and count all references in the head up and down.
extension ServerStream {
  /// The handler's own state for the connection; nil once that has ended.
  ///
  /// Without the connection itself, whose references cost three times as much to count, because
  /// there are weak ones to it.
  package var context: AnyObject? {
    unretainedConnection?._withUnsafeGuaranteedRef { $0.context }
  }

  /// Moves head and body out in exchange for empty ones, and back before the answer.
  ///
  /// - Returns: Whether the body is cut.
  @discardableResult
  package func exchangeRequest(
    _ otherHead: inout RequestHead, _ otherBody: inout [UInt8]
  ) -> Bool {
    swap(&head, &otherHead)
    swap(&body, &otherBody)
    return isBodyCut
  }

  /// What `id` is.
  package var identifier: Int64 { id }

  /// Takes an answer's head that was written elsewhere, in exchange for one to write the next in.
  package func exchangeResponse(_ other: inout ResponseHead) { swap(&response, &other) }
}

extension ServerStream: ResponseSink {
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    guard isOpen, isAnswered, let owner else { return false }
    bytes.withUnsafeBufferPointer { owner.write(self, $0) }
    return true
  }

  package var bufferedByteCount: Int { outbound.count - outboundStart }

  package func finish() {
    guard isOpen, isAnswered else { return }
    isFinished = true
    owner?.finish(self)
    stopProducer()
  }
}

extension ServerStream {
  /// Whether the answer must have no body.
  var isHeadRequest: Bool { head.method.isEqual("HEAD") }

  /// Tells the producer that the stream has ended, once.
  func stopProducer() {
    guard let producer else { return }
    self.producer = nil
    producer.stop()
  }

  /// Takes its session and connection away, and tells nobody.
  ///
  /// To be done to all of a session's streams before the first `detach()` of an end: what a producer
  /// does in `stop()` may reach other streams, and these must not reach a session that is going.
  func disown() {
    owner = nil
    connection = nil
  }

  /// Cuts the stream off its session; what is still held elsewhere does nothing from now on.
  func detach() {
    disown()
    isFinished = true
    stopProducer()
  }

  /// Makes it as new and keeps the memory, unless that has grown beyond what most requests need.
  func prepareForReuse() {
    head.removeAll()
    response.reset(status: 200)
    body.removeAll(keepingCapacity: body.capacity <= Self.keptCapacityLimit)
    if outbound.capacity > 0 {
      outbound.removeAll(keepingCapacity: outbound.capacity <= Self.keptCapacityLimit)
    }
    outboundStart = 0
    isBodyCut = false
    isAnswered = false
    isFinished = false
    http2 = HTTP2StreamState()
    http1 = HTTP1StreamState()
  }

  /// A pooled stream keeps at most this much for a body.
  private static let keptCapacityLimit = 16 * 1024

  /// Takes up to `limit` outbound bytes into a caller's buffer and forgets them.
  func takeOutbound(limit: Int, into buffer: inout [UInt8]) {
    let count = min(limit, bufferedByteCount)
    guard count > 0 else { return }
    buffer.append(contentsOf: outbound[outboundStart..<outboundStart + count])
    dropOutbound(count)
  }

  /// Forgets the first outbound bytes, which were sent.
  func dropOutbound(_ count: Int) {
    outboundStart += count
    if outboundStart == outbound.count {
      outbound.removeAll(keepingCapacity: true)
      outboundStart = 0
    } else if outboundStart > Self.keptCapacityLimit, outboundStart > outbound.count / 2 {
      outbound.removeFirst(outboundStart)
      outboundStart = 0
    }
  }
}
