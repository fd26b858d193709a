import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitNetwork

/// A server with its own loop, certificates and port, for one test.
actor TestServer {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// PEM of the authority that issued the server's certificate.
  nonisolated let authority: [UInt8]
  private(set) var port = 0
  private(set) var endings: [ConnectionEnding] = []
  private(set) var endedFacts: [ConnectionFacts] = []
  private(set) var openedCount = 0
  private(set) var isStopping = false

  private let server: HTTPServer
  private var handler: TestHandler?
  private var waiters:
    [(isReady: (TestServer) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  private init(loop: EventLoop, authority: [UInt8]) {
    self.loop = loop
    self.authority = authority
    server = HTTPServer(loop: loop)
  }

  /// Starts a server that speaks TLS and clear text on both loopback addresses.
  static func start(
    isClearOnly: Bool = false, _ change: @Sendable (inout ListenerOptions) -> Void = { _ in }
  ) async throws -> TestServer {
    let loop = try EventLoop()
    let names: [CertificateName] = ["localhost", "127.0.0.1", "::1"].compactMap { .init($0) }
    let now = loop.realTime / 1000
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: now)
    let server = TestServer(loop: loop, authority: authority.certificate.pem)
    let issued = try authority.issueServer(names: names, now: now)
    let (pem, key) = (issued.certificate.pem, issued.key.pem)
    try await server.listen(pem, key, isClearOnly, change)
    return server
  }

  private func listen(
    _ certificate: [UInt8], _ key: [UInt8], _ isClearOnly: Bool,
    _ change: @Sendable (inout ListenerOptions) -> Void
  ) throws {
    var options = ListenerOptions()
    if !isClearOnly {
      options.tls = try TLSContext(server: certificate, key: PrivateKey(pem: key))
    }
    change(&options)
    let handler = TestHandler(self)
    self.handler = handler
    port = try server.listen(
      hosts: ["127.0.0.1", "::1"], port: 0, options: options, handler: handler)
  }

  /// Closes everything that the test left open.
  func close() async {
    await loop.stop()
  }

  var statistics: HTTPServer.Statistics { server.statistics }

  /// Stops the server and returns when its last connection has closed.
  func stop(grace: Duration) async {
    isStopping = true
    wake()
    await server.stop(grace: grace)
  }

  /// Answers the requests for `/later` that wait.
  func answerLater() { handler?.answerHeld() }

  /// Closes the connections that the handler knows.
  func closeConnections() {
    for connection in handler?.connections ?? [] { connection.close() }
  }

  var producerStopCount: Int { handler?.producerStopCount ?? 0 }
  var heldCount: Int { handler?.held.count ?? 0 }
  var peakStreamCounts: [Int] { handler?.connections.map(\.peakStreamCount) ?? [] }

  // MARK: Waiting

  func noteOpened() {
    openedCount += 1
    wake()
  }

  func note(_ ending: ConnectionEnding, _ facts: ConnectionFacts) {
    endings.append(ending)
    endedFacts.append(facts)
    wake()
  }

  func wake() {
    let ready = waiters.filter { $0.isReady(self) }
    waiters.removeAll { $0.isReady(self) }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until something that is noted makes this true; the test's time limit is the deadline.
  func wait(until isReady: @escaping @Sendable (isolated TestServer) -> Bool) async {
    if isReady(self) { return }
    await withCheckedContinuation { continuation in
      waiters.append(({ $0.assumeIsolated { isReady($0) } }, continuation))
    }
  }

  /// Waits for this connection's end and returns it.
  func ending(_ index: Int = 0) async -> ConnectionEnding {
    await wait { $0.endings.count > index }
    return endings[index]
  }

  // MARK: Clients

  /// Connects by TLS, trusting the server's authority.
  nonisolated func connect(
    protocols: [String] = ["h2", "http/1.1"], assuming assumed: HTTPProtocol = .http2,
    host: String = "localhost", trusting: [UInt8]? = nil
  ) async throws -> HTTPClient {
    var tls = ClientOptions.TLS(authorities: trusting ?? authority)
    tls.protocols = protocols
    return try await HTTPClient.connect(
      to: host, port: await port, ClientOptions(tls: tls, assumedProtocol: assumed))
  }

  /// Connects in clear text.
  nonisolated func connectClear(_ version: HTTPProtocol) async throws -> HTTPClient {
    try await HTTPClient.connect(
      to: "127.0.0.1", port: await port, ClientOptions(assumedProtocol: version))
  }
}

/// Answers by path; see `requestCompleted`.
final class TestHandler: ServerHandler {
  private weak let server: TestServer?
  private(set) var held: [ServerStream] = []
  private(set) var connections: [ServerConnection] = []
  var producerStopCount = 0

  init(_ server: TestServer) { self.server = server }

  func connectionOpened(_ connection: ServerConnection) {
    connections.append(connection)
    server?.assumeIsolated { $0.noteOpened() }
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    connections.removeAll { $0 === connection }
    let facts = connection.facts
    server?.assumeIsolated { $0.note(ending, facts) }
  }

  func requestCompleted(_ stream: ServerStream) {
    stream.response.reset(status: 200)
    switch String(decoding: stream.head.path, as: UTF8.self) {
    case "/echo":
      stream.respond(body: stream.body)
    case "/later":
      held.append(stream)
      server?.assumeIsolated { $0.wake() }
    case "/big":
      stream.respond(body: [UInt8](repeating: 0x62, count: 8 << 20))
    case "/events":
      stream.respondStreaming(EventProducer(self))
    case "/flood":
      if let server { stream.respondStreaming(FloodProducer(self, server.loop)) }
    default:
      stream.respond(body: Array("hello".utf8))
    }
  }

  func answerHeld() {
    for stream in held { stream.respond(body: Array("later".utf8)) }
    held = []
  }

  func noteProducerStopped() {
    producerStopCount += 1
    server?.assumeIsolated { $0.wake() }
  }
}

/// Writes two pieces and leaves the answer open.
private final class EventProducer: ResponseProducer {
  private let handler: TestHandler

  init(_ handler: TestHandler) { self.handler = handler }

  func start(_ sink: any ResponseSink) {
    sink.write(Array("one\n".utf8))
    sink.write(Array("two\n".utf8))
  }

  func stop() { handler.noteProducerStopped() }
}

/// Writes without end and without regard to what its reader takes.
private final class FloodProducer: ResponseProducer {
  private let handler: TestHandler
  private let loop: EventLoop
  private var timer: Timer?

  init(_ handler: TestHandler, _ loop: EventLoop) {
    self.handler = handler
    self.loop = loop
  }

  func start(_ sink: any ResponseSink) {
    timer = Timer(loop, after: .zero, repeating: .milliseconds(1)) {
      sink.write([UInt8](repeating: 0x66, count: 256 * 1024))
    }
  }

  func stop() {
    timer?.cancel()
    handler.noteProducerStopped()
  }
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension ConnectionEnding {
  /// How far it came and why it ended, without the details that only explanations need.
  var outline: ConnectionEnding {
    ConnectionEnding(progress: progress, cause: cause, alertReceived: alertReceived)
  }
}
