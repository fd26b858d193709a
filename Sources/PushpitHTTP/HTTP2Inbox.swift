internal import CNghttp2
import PushpitHTTPTypes

/// What a stream holds for HTTP/2 only.
struct HTTP2StreamState {
  var rules = RequestRules()
  /// Where the stream is in the inbox's table.
  var index = 0
  /// Size of the header list as RFC 9113 section 6.5.2 counts it.
  var headListSize = 0
  /// DATA bytes received, kept or not.
  var receivedCount: Int64 = 0
  /// The head is complete, so that a further header block is a trailer section.
  var isHeadComplete = false
  /// The head was longer than the limit; 431 is the answer and the rest is swallowed.
  var isHeadTooLong = false
  /// The stream is being reset by us; what still comes is swallowed.
  var isRefused = false
  /// nghttp2 waits for `nghttp2_session_resume_data`.
  var isDeferred = false

  /// Takes one field of the head or of a trailer section.
  ///
  /// All that is done for a field is done in here, in one access to the stream: it is the hottest
  /// path of the session.
  mutating func receiveField(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, headLimit: Int,
    into head: inout RequestHead
  ) {
    guard !isHeadComplete else { return rules.receiveTrailer(name: name, value: value) }
    headListSize += name.count + value.count + 32
    guard headListSize <= headLimit else {
      isHeadTooLong = true
      return
    }
    rules.receive(name: name, value: value, into: &head)
  }
}

/// What nghttp2's callbacks of one server session record; the session acts on it afterwards.
///
/// The callbacks reach it through `user_data`. It holds every open stream, because nghttp2 keeps
/// unretained references to them. Its properties have no run-time exclusivity checks: all accesses
/// happen on the loop's thread, and none calls anything but the property's own methods.
final class HTTP2Inbox {
  let resources: SessionResources
  let limits: SessionLimits
  /// The stream whose header block is being read, which `openStreams` holds.
  ///
  /// Header blocks do not interleave (RFC 9113 section 4.3), so its fields need no look-up.
  @exclusivity(unchecked) private var readingStream: Unmanaged<ServerStream>?
  /// Every stream that nghttp2 has not closed; owned, let go of in `forgetClosed` and `forgetAll`.
  ///
  /// Unmanaged, because an array of references counts them up and down when it moves one.
  @exclusivity(unchecked) private(set) var openStreams: [Unmanaged<ServerStream>] = []
  /// Streams that nghttp2 did not close yet; counts down at once, while the table waits.
  @exclusivity(unchecked) private(set) var openCount = 0
  /// Complete requests that the handler has not seen, from `completedStart` on.
  @exclusivity(unchecked) private var completed: [ServerStream?] = []
  @exclusivity(unchecked) private var completedStart = 0
  /// Streams that were refused because too many were open.
  private(set) var refusedStreamCount = 0
  /// Streams to reset, with the code.
  @exclusivity(unchecked) var refused: [(stream: ServerStream, code: UInt32)] = []
  /// What was wrong with the last request that no handler saw.
  @exclusivity(unchecked) private(set) var refusal: RequestFault?
  /// Streams whose head is too long.
  @exclusivity(unchecked) var tooLong: [ServerStream] = []
  /// Streams that nghttp2 has closed, which `openStreams` still holds.
  @exclusivity(unchecked) private var closed: [Unmanaged<ServerStream>] = []
  @exclusivity(unchecked) var streamLimit: HTTP2StreamLimit
  /// Resets of unanswered streams minus streams that ended well, from 0 up.
  @exclusivity(unchecked) private(set) var resetBalance = 0
  @exclusivity(unchecked) private(set) var isInHeaderBlock = false
  @exclusivity(unchecked) private(set) var hasReceivedFrame = false
  /// Answer bytes that wait in streams.
  @exclusivity(unchecked) var bufferedByteCount = 0
  @exclusivity(unchecked) private var bufferedBodyCount = 0

  init(resources: SessionResources, limits: SessionLimits) {
    self.resources = resources
    self.limits = limits
    streamLimit = HTTP2StreamLimit(cap: limits.streamCap)
  }

  /// A new stream, whose header block begins, or nil when one more is too many.
  func openStream(_ id: Int32) -> Unmanaged<ServerStream>? {
    readingStream = nil
    guard openCount < streamLimit.enforced else {
      refusedStreamCount += 1
      return nil
    }
    isInHeaderBlock = true
    let stream = resources.takeStream()
    stream.id = Int64(id)
    stream.http2.index = openStreams.count
    let retained = Unmanaged.passRetained(stream)
    readingStream = retained
    openStreams.append(retained)
    openCount += 1
    return retained
  }

  /// The trailer section of an open stream begins.
  func beginTrailers(_ stream: ServerStream) { readingStream = .passUnretained(stream) }

  /// One field of the header block that is being read.
  func receiveField(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    readingStream?._withUnsafeGuaranteedRef {
      $0.http2.receiveField(name: name, value: value, headLimit: limits.headLimit, into: &$0.head)
    }
  }

  /// A header block is complete.
  func endHeaders(_ stream: ServerStream, isLast: Bool) {
    readingStream = nil
    isInHeaderBlock = false
    hasReceivedFrame = true
    guard !stream.http2.isRefused else { return }
    if stream.http2.isHeadComplete {
      stream.http2.rules.trailersEnded(isLast: isLast)
    } else {
      stream.http2.isHeadComplete = true
      if stream.http2.isHeadTooLong {
        tooLong.append(stream)
        refusal = .headTooLong
      } else {
        stream.http2.rules.headEnded(&stream.head)
      }
    }
    refuseIfMalformed(stream)
    if isLast { endRequest(stream) }
  }

  /// Some bytes of a body.
  func receiveData(_ stream: ServerStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !stream.http2.isRefused, !stream.http2.isHeadTooLong, !stream.isAnswered else { return }
    stream.http2.receivedCount += Int64(bytes.count)
    let kept = min(bytes.count, limits.bodyLimit - stream.body.count)
    if kept < bytes.count { stream.isBodyCut = true }
    guard kept > 0 else { return }
    guard bufferedBodyCount + kept <= limits.connectionBodyLimit else {
      return refuse(stream, UInt32(NGHTTP2_ENHANCE_YOUR_CALM.rawValue))
    }
    bufferedBodyCount += kept
    stream.body.append(copying: UnsafeBufferPointer(rebasing: bytes[..<kept]))
  }

  /// END_STREAM came.
  func endRequest(_ stream: ServerStream) {
    guard !stream.http2.isRefused, !stream.http2.isHeadTooLong else { return }
    stream.http2.rules.bodyEnded(count: stream.http2.receivedCount)
    refuseIfMalformed(stream)
    guard !stream.http2.isRefused else { return }
    completed.append(stream)
  }

  /// nghttp2 forgets the stream now.
  func closeStream(_ stream: ServerStream, code: UInt32) {
    openCount -= 1
    let unretained = Unmanaged.passUnretained(stream)
    closed.append(unretained)
    // What may still come of its header block goes nowhere.
    if readingStream?.toOpaque() == unretained.toOpaque() { readingStream = nil }
    if stream.isAnswered {
      resetBalance = max(0, resetBalance - 1)
    } else if code != 0, !stream.isFinished {
      resetBalance += 1
    }
    stream.isFinished = true
  }

  /// A SETTINGS frame came.
  func receiveSettings(_ isAcknowledgement: Bool) {
    hasReceivedFrame = true
    if isAcknowledgement { streamLimit.acknowledge() }
  }

  private func refuseIfMalformed(_ stream: ServerStream) {
    guard let fault = stream.http2.rules.fault else { return }
    refusal = fault
    refuse(stream, UInt32(NGHTTP2_PROTOCOL_ERROR.rawValue))
  }

  private func refuse(_ stream: ServerStream, _ code: UInt32) {
    guard !stream.http2.isRefused else { return }
    stream.http2.isRefused = true
    stream.isFinished = true
    refused.append((stream, code))
  }
}

extension HTTP2Inbox {
  /// The next complete request whose stream is still open.
  func nextCompleted() -> ServerStream? {
    while completedStart < completed.count {
      let stream = completed[completedStart].take()
      completedStart += 1
      if completedStart == completed.count {
        completed.removeAll(keepingCapacity: true)
        completedStart = 0
      }
      if let stream, !stream.isFinished { return stream }
    }
    return nil
  }

  /// Takes the streams that nghttp2 has closed out of the table and gives them to the pool.
  func forgetClosed() {
    while let unretained = closed.popLast() {
      let index = unretained._withUnsafeGuaranteedRef { $0.http2.index }
      openStreams.swapAt(index, openStreams.count - 1)
      openStreams[index]._withUnsafeGuaranteedRef { $0.http2.index = index }
      // The table's reference is the last one now, unless a handler keeps the stream.
      var stream = openStreams.popLast()?.takeRetainedValue()
      bufferedByteCount -= stream?.bufferedByteCount ?? 0
      bufferedBodyCount -= stream?.body.count ?? 0
      resources.recycle(&stream)
    }
  }

  /// Lets go of every stream, because the connection has ended.
  func forgetAll() {
    completed.removeAll()
    completedStart = 0
    refused.removeAll()
    tooLong.removeAll()
    closed.removeAll()
    bufferedByteCount = 0
    openCount = 0
    for stream in openStreams { stream._withUnsafeGuaranteedRef { $0.disown() } }
    while !openStreams.isEmpty {
      var stream = openStreams.popLast()?.takeRetainedValue()
      resources.recycle(&stream)
    }
  }
}
