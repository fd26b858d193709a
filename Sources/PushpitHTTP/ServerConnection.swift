package import PushpitCrypto
package import PushpitHTTPTypes

/// Who moves a connection's bytes.
package protocol ServerConnectionTransport: AnyObject {
  /// There is output, or an end, that no call of the transport's own has brought about.
  func connectionNeedsService(_ connection: ServerConnection)
}

/// The server's side of one connection: bytes in, bytes out, no socket.
///
/// The first bytes decide what it speaks: a TLS hello, HTTP/2's preface, or else HTTP/1.1. Inside TLS
/// the negotiated protocol decides, and where none was negotiated, the first bytes again. The
/// transport's turn is `feed`, `takeOutput`, then a look at `ending` and `wantsInput`.
///
/// What every request asks has no run-time exclusivity checks: it is only read and assigned as a whole,
/// on the loop's thread.
package final class ServerConnection {
  /// What is known of the peer; grows as the connection gets on.
  package private(set) var facts: ConnectionFacts

  /// The handler's own state for this connection.
  @exclusivity(unchecked) package var context: AnyObject?

  /// How many complete requests came.
  @exclusivity(unchecked) package private(set) var requestCount = 0

  /// The certificate that the peer showed in the TLS handshake, which may be anyone's; made anew at
  /// each call.
  package var peerCertificate: Certificate? { tls?.peerCertificate }

  /// The most streams that were open at a time.
  @exclusivity(unchecked) package private(set) var peakStreamCount = 0

  /// Streams that were refused because too many were open.
  package private(set) var refusedStreamCount = 0

  /// How the connection ended; nil while it lives.
  ///
  /// Output may remain to be taken once.
  @exclusivity(unchecked) package private(set) var ending: ConnectionEnding?

  /// Who is told of output that comes outside `feed`.
  package weak var transport: (any ServerConnectionTransport)?

  let options: ListenerOptions
  let resources: ServerResources
  @exclusivity(unchecked) var tls: TLSSession?
  @exclusivity(unchecked) var session: (any HTTPSession)?
  @exclusivity(unchecked) var progress = ConnectionEnding.Progress.accepted
  /// The cause once an end is decided on, while the last output is still to be taken.
  @exclusivity(unchecked) var plannedCause: ConnectionEnding.Cause?
  /// Whether a call of ours is on the stack, so that the session's requests for service wait.
  @exclusivity(unchecked) var isServing = false
  var timing: ConnectionTiming
  /// The frames that HTTP/2 is to end with as soon as it has begun.
  var lastFrames: [UInt8]?
  private var sniffed: [UInt8] = []
  private var streamLimit: Int?
  @exclusivity(unchecked) private(set) var hasHTTPBytes = false
  private var isCertificateSent = false
  private var isShuttingDown = false
  @exclusivity(unchecked) private var hasPeerEnded = false
  @exclusivity(unchecked) private var isStreaming = false
  let handler: any ServerHandler

  package init(
    facts: ConnectionFacts, options: ListenerOptions, handler: any ServerHandler,
    resources: ServerResources, now: Int64
  ) {
    self.facts = facts
    self.options = options
    self.handler = handler
    self.resources = resources
    timing = ConnectionTiming(now: now)
    handler.connectionOpened(self)
  }

  deinit {
    // The session and its streams know the connection without retaining it.
    session?.connectionEnded()
    session?.connection = nil
    session?.observer = nil
  }

  // MARK: Input

  /// Takes bytes from the peer and hands complete requests to the handler.
  package func feed(_ bytes: UnsafeBufferPointer<UInt8>, now: Int64) {
    guard ending == nil, plannedCause == nil else { return }
    isServing = true
    defer { isServing = false }
    timing.lastActivity = now
    let count = requestCount
    handler.bytesArrived(on: self)
    if tls != nil {
      feedCiphertext(bytes)
    } else if session != nil {
      feedPlaintext(bytes)
    } else {
      sniff(bytes)
    }
    serveRequests()
    noteHead(now: now, hasNewRequests: requestCount > count)
  }

  /// The peer will send no more.
  ///
  /// Requests that wait for a whole answer still get it; streaming answers have lost their reader.
  package func peerEnded() {
    guard ending == nil else { return }
    hasPeerEnded = true
    if isStreaming || facts.httpProtocol != .http1 || !hasOpenStreams { end(.peerClosed) }
  }

  /// The transport is gone; nothing can be sent any more.
  package func transportEnded(_ error: String?) {
    end(error.map { .socket($0) } ?? .peerClosed)
  }

  private var hasOpenStreams: Bool { (session?.openStreamCount ?? 0) > 0 }

  /// Decides what the connection speaks as soon as its first bytes leave one choice.
  private func sniff(_ bytes: UnsafeBufferPointer<UInt8>) {
    if sniffed.isEmpty, bytes.first == Self.tlsHandshakeByte, tls == nil {
      return startTLS(bytes)
    }
    sniffed.append(contentsOf: bytes)
    let isPreface = sniffed.starts(with: Self.prefaceStart)
    // `P` alone may become `POST` or `PRI`.
    if !isPreface, sniffed.count < Self.prefaceStart.count, Self.prefaceStart.starts(with: sniffed)
    {
      return
    }
    let first = sniffed
    sniffed = []
    startHTTP(isPreface ? .http2 : .http1)
    guard plannedCause == nil else { return }
    first.withUnsafeBufferPointer { feedPlaintext($0) }
  }

  /// The first byte of a TLS record that carries a handshake (RFC 8446 section 5.1).
  private static let tlsHandshakeByte: UInt8 = 0x16

  /// No HTTP/1.1 method begins so (RFC 9113 section 3.4).
  private static let prefaceStart = Array("PRI ".utf8)

  private func startHTTP(_ version: HTTPProtocol) {
    progress = max(progress, .handshakeDone)
    facts.httpProtocol = version
    var limits = options.session
    if let streamLimit { limits.initialStreamLimit = streamLimit }
    switch version {
    case .http1:
      session = HTTP1ServerSession(resources: resources.session, limits: limits)
    case .http2:
      do throws(ConnectionFailure) {
        session = try HTTP2ServerSession(resources: resources.session, limits: limits)
      } catch {
        return end(.http(error))
      }
    }
    session?.connection = self
    session?.observer = self
    sendLastFrames()
  }

  private func feedPlaintext(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let session else { return sniff(bytes) }
    hasHTTPBytes = true
    session.feed(bytes)
    peakStreamCount = max(peakStreamCount, session.openStreamCount)
    refusedStreamCount = session.refusedStreamCount
  }

  /// Hands complete requests to the handler; true when there were any.
  @discardableResult
  func serveRequests() -> Bool {
    guard let session else { return false }
    let count = requestCount
    while ending == nil, let stream = session.nextCompleted() {
      requestCount += 1
      progress = .requestSeen
      handler.requestCompleted(stream)
      if stream.producer != nil { isStreaming = true }
    }
    return requestCount > count
  }

  /// Counts a request that no more will come of as one that came.
  func noteStalledRequest() {
    requestCount += 1
    progress = .requestSeen
  }

  // MARK: TLS

  private func startTLS(_ bytes: UnsafeBufferPointer<UInt8>) {
    progress = .tlsHelloSeen
    guard let context = options.tls else { return end(.tlsOnClearPort) }
    do {
      tls = try TLSSession(context)
    } catch {
      return end(.resources("\(error)"))
    }
    feedCiphertext(bytes)
  }

  private func feedCiphertext(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let tls else { return }
    tls.receive(bytes) { decrypt(tls) }
  }

  private func decrypt(_ tls: TLSSession) {
    if progress < .handshakeDone, !advanceHandshake(tls) { return }
    while ending == nil, plannedCause == nil {
      switch tls.read(into: resources.plaintext) {
      case .bytes(let count):
        feedPlaintext(UnsafeBufferPointer(rebasing: resources.plaintext[..<count]))
        // Record by record, because what a request wrote is still in the processor's cache.
        serveRequests()
        if !tls.hasInput { return }
      case .needsMoreInput: return
      case .closed: return peerEnded()
      case .failed(let failure): return end(.tls(failure))
      }
    }
  }

  private func advanceHandshake(_ tls: TLSSession) -> Bool {
    let step = tls.handshake()
    facts.serverName = tls.serverName
    facts.offeredProtocols = tls.offeredProtocols
    switch step {
    case .needsMoreInput:
      // What there is to send in answer to a hello is our part of the handshake.
      if tls.pendingCiphertextCount > 0 { isCertificateSent = true }
      return false
    case .failed(let failure):
      end(.tls(failure))
      return false
    case .done:
      progress = .handshakeDone
      isCertificateSent = true
      facts.tlsVersion = tls.version
      facts.negotiatedProtocol = tls.negotiatedProtocol
      handler.handshakeCompleted(self)
      if let version = tls.negotiatedProtocol.flatMap(HTTPProtocol.init(rawValue:)) {
        startHTTP(version)
      }
      return true
    }
  }

  // MARK: Ending

  /// Changes what HTTP/2 advertises as the limit of concurrent streams.
  package func setStreamLimit(_ limit: Int) {
    streamLimit = limit
    session?.setStreamLimit(limit)
  }

  /// Takes no more requests and closes when those in progress are answered.
  package func shutDownGracefully() {
    guard ending == nil, plannedCause == nil else { return }
    guard hasOpenStreams else { return close(.serverStopped) }
    isShuttingDown = true
    sayFarewell(.serverStopped)
    sessionNeedsService()
  }

  /// Sends what is ready, an HTTP/2 GOAWAY included, and closes; unanswered requests get nothing.
  package func close() {
    close(.closedByHandler)
  }

  /// Decides on an end that lets the session say goodbye.
  func close(_ cause: ConnectionEnding.Cause) {
    guard ending == nil, plannedCause == nil else { return }
    plannedCause = cause
    sayFarewell(cause)
    sessionNeedsService()
  }

  /// Whether the session has nothing more to do, after its output was taken.
  func endIfDone() {
    guard ending == nil else { return }
    if let plannedCause { return end(plannedCause) }
    guard let session else { return }
    if let failure = session.failure, session.wantsClose { return end(.http(failure)) }
    if hasPeerEnded, !hasOpenStreams { return end(.peerClosed) }
    if session.wantsClose { end(isShuttingDown ? .serverStopped : .answered) }
  }

  /// Ends it here and now; what TLS has still to say stays to be taken.
  func end(_ cause: ConnectionEnding.Cause) {
    guard ending == nil else { return }
    let alert = tls?.alertReceived.flatMap { $0 == .closeNotify ? nil : $0 }
    let ending = ConnectionEnding(
      progress: progress, cause: cause, alertReceived: alert,
      isCertificateSent: isCertificateSent, hasHTTPBytes: hasHTTPBytes, refusal: session?.refusal)
    self.ending = ending
    if progress >= .handshakeDone { tls?.closeNotify() }
    session?.connectionEnded()
    handler.connectionClosed(self, ending)
    if !isServing { transport?.connectionNeedsService(self) }
  }
}

extension ServerConnection: HTTPSessionObserver {
  package func sessionNeedsService() {
    if !isServing { transport?.connectionNeedsService(self) }
  }
}
