import PushpitHTTPTypes

/// Reads one HTTP/1.1 request after another out of the peer's bytes, strictly by RFC 9112.
///
/// Nothing that two readers could understand differently passes: no folded lines, no bare line
/// feeds, no space before a colon, never both `content-length` and `transfer-encoding`.
struct HTTP1RequestParser {
  /// How far a step came.
  enum Outcome: Equatable {
    /// All input was read, or the rest is less than a line.
    case needsMore
    /// The head is complete and a body follows.
    case head
    /// The request is complete.
    case complete
    /// It cannot be read: answer this status and close.
    case failed(status: Int)
  }

  private enum State {
    case requestLine, fields
    case fixedBody(remaining: Int64)
    case chunkSize
    case chunkData(remaining: Int64)
    case chunkEnd, trailers
  }

  /// The longest line that gives a chunk's size, extensions included.
  static let chunkLineLimit = 1024
  /// How many empty lines may come before a request (RFC 9112 section 2.2 asks for one).
  static let emptyLineLimit = 4

  private let limits: SessionLimits
  private var state = State.requestLine
  /// Bytes of the head, or of the trailer section, read so far.
  private var sectionCount = 0
  /// How much of the input's beginning is known to hold no line feed.
  private var scannedCount = 0
  private var emptyLineCount = 0
  private var framing = HTTP1Framing()

  init(limits: SessionLimits) { self.limits = limits }

  /// Whether the head of the current request is not complete.
  var isInHead: Bool {
    switch state {
    case .requestLine, .fields: true
    case .fixedBody, .chunkSize, .chunkData, .chunkEnd, .trailers: false
    }
  }

  /// Whether the client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool { framing.expectsContinue }

  /// The length that the head announced; nil in chunks.
  var announcedCount: Int64? { framing.contentLength }

  /// Reads on in `input`, of which `consumed` bytes are done, until something is complete.
  mutating func advance(
    _ input: UnsafeBufferPointer<UInt8>, consumed: inout Int, into stream: ServerStream
  ) -> Outcome {
    while true {
      let rest = UnsafeBufferPointer(rebasing: input[consumed...])
      switch state {
      case .fixedBody(let remaining), .chunkData(let remaining):
        let count = Int(min(remaining, Int64(rest.count)))
        keep(UnsafeBufferPointer(rebasing: rest[..<count]), in: stream)
        consumed += count
        guard bodyAdvanced(remaining - Int64(count)) else { return .needsMore }
        if case .requestLine = state { return .complete }
      case .requestLine, .fields, .chunkSize, .chunkEnd, .trailers:
        guard let end = endOfLine(rest) else { return withoutLine(rest) }
        consumed += end + 1
        scannedCount = 0
        guard end > 0, rest[end - 1] == UInt8(ascii: "\r") else { return .failed(status: 400) }
        let line = UnsafeBufferPointer(rebasing: rest[..<(end - 1)])
        if let outcome = receive(line, stream) { return outcome }
      }
    }
  }
}

extension HTTP1RequestParser {
  /// The index of the next line feed.
  private mutating func endOfLine(_ rest: UnsafeBufferPointer<UInt8>) -> Int? {
    let index = rest.firstIndex(of: UInt8(ascii: "\n"), from: min(scannedCount, rest.count))
    if index == nil { scannedCount = rest.count }
    return index
  }

  /// What an unfinished line means: patience, or a limit that was passed.
  private func withoutLine(_ rest: UnsafeBufferPointer<UInt8>) -> Outcome {
    switch state {
    case .requestLine:
      // No need to wait for a line of something that is no text at all.
      guard FieldRules.hasNoControls(rest) || rest.last == UInt8(ascii: "\r") else {
        return .failed(status: 400)
      }
      return rest.count > limits.headLimit ? .failed(status: 414) : .needsMore
    case .fields, .trailers:
      return sectionCount + rest.count > limits.headLimit ? .failed(status: 431) : .needsMore
    case .chunkSize, .chunkEnd:
      return rest.count > Self.chunkLineLimit ? .failed(status: 400) : .needsMore
    case .fixedBody, .chunkData: return .needsMore
    }
  }

  /// Takes one line without its end; nil to read on.
  private mutating func receive(
    _ line: UnsafeBufferPointer<UInt8>, _ stream: ServerStream
  ) -> Outcome? {
    switch state {
    case .requestLine: receiveRequestLine(line, stream)
    case .fields: receiveFieldLine(line, stream)
    case .chunkSize: receiveChunkSize(line)
    case .chunkEnd: receiveChunkEnd(line)
    case .trailers: receiveTrailerLine(line)
    case .fixedBody, .chunkData: nil
    }
  }

  private mutating func receiveRequestLine(
    _ line: UnsafeBufferPointer<UInt8>, _ stream: ServerStream
  ) -> Outcome? {
    if line.isEmpty {
      emptyLineCount += 1
      return emptyLineCount > Self.emptyLineLimit ? .failed(status: 400) : nil
    }
    guard line.count <= limits.headLimit else { return .failed(status: 414) }
    framing = HTTP1Framing()
    if let status = framing.receiveRequestLine(line, into: &stream.head) {
      return .failed(status: status)
    }
    sectionCount = line.count
    state = .fields
    return nil
  }

  private mutating func receiveFieldLine(
    _ line: UnsafeBufferPointer<UInt8>, _ stream: ServerStream
  ) -> Outcome? {
    sectionCount += line.count + 2
    guard sectionCount <= limits.headLimit else { return .failed(status: 431) }
    guard line.isEmpty else {
      return framing.receiveField(line, into: &stream.head).map { .failed(status: $0) }
    }
    if let status = framing.headEnded(&stream.head) { return .failed(status: status) }
    stream.http1.isVersion10 = framing.isVersion10
    stream.http1.keepsAlive = framing.keepsAlive
    if framing.isChunked {
      state = .chunkSize
    } else if let count = framing.contentLength, count > 0 {
      state = .fixedBody(remaining: count)
    } else {
      requestEnded()
      return .complete
    }
    return .head
  }

  private mutating func receiveChunkSize(_ line: UnsafeBufferPointer<UInt8>) -> Outcome? {
    guard line.count <= Self.chunkLineLimit, let size = HTTP1Framing.chunkSize(line) else {
      return .failed(status: 400)
    }
    sectionCount = 0
    state = size == 0 ? .trailers : .chunkData(remaining: size)
    return nil
  }

  private mutating func receiveChunkEnd(_ line: UnsafeBufferPointer<UInt8>) -> Outcome? {
    guard line.isEmpty else { return .failed(status: 400) }
    state = .chunkSize
    return nil
  }

  private mutating func receiveTrailerLine(_ line: UnsafeBufferPointer<UInt8>) -> Outcome? {
    sectionCount += line.count + 2
    guard sectionCount <= limits.headLimit else { return .failed(status: 431) }
    guard line.isEmpty else {
      return HTTP1Framing.splitField(line) == nil ? .failed(status: 400) : nil
    }
    requestEnded()
    return .complete
  }

  /// Notes how much of a body or chunk is missing; false when it is more than nothing.
  private mutating func bodyAdvanced(_ remaining: Int64) -> Bool {
    switch state {
    case .fixedBody:
      state = .fixedBody(remaining: remaining)
      if remaining == 0 { requestEnded() }
    case .chunkData: state = remaining == 0 ? .chunkEnd : .chunkData(remaining: remaining)
    case .requestLine, .fields, .chunkSize, .chunkEnd, .trailers: break
    }
    return remaining == 0
  }

  private mutating func requestEnded() {
    state = .requestLine
    sectionCount = 0
    emptyLineCount = 0
  }

  /// Keeps body bytes up to the limit.
  private func keep(_ bytes: UnsafeBufferPointer<UInt8>, in stream: ServerStream) {
    let kept = min(bytes.count, limits.bodyLimit - stream.body.count)
    if kept < bytes.count { stream.isBodyCut = true }
    if kept > 0 { stream.body.append(copying: UnsafeBufferPointer(rebasing: bytes[..<kept])) }
  }
}
