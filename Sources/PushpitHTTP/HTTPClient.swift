package import PushpitHTTPTypes
package import PushpitNetwork

/// An HTTP/1.1 or HTTP/2 client with one connection, for commands and tests.
///
/// Any number of requests may be in flight; over HTTP/1.1 they take turns. Requests that the server
/// has not allowed yet wait for it.
package actor HTTPClient {
  /// The loop whose thread runs the client.
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// What is spoken on the connection.
  package private(set) var httpProtocol: HTTPProtocol?

  /// `TLSv1.3`, or nil in clear text.
  package var tlsVersion: String? { connection?.tlsVersion }

  private let options: ClientOptions
  private var connection: ClientConnection?
  private var opening: CheckedContinuation<Result<Void, HTTPClientError>, Never>?
  private var exchanges: [Int64: ClientExchange] = [:]

  private init(loop: EventLoop, options: ClientOptions) {
    self.loop = loop
    self.options = options
  }

  isolated deinit { connection?.close() }

  /// Connects, on a loop of its own where none is given.
  package static func connect(
    to host: String, port: Int, _ options: ClientOptions = ClientOptions(),
    loop: EventLoop? = nil
  ) async throws(HTTPClientError) -> HTTPClient {
    let chosen: EventLoop
    do throws(NetworkError) {
      chosen = if let loop { loop } else { try EventLoop() }
    } catch {
      throw .network(error)
    }
    let client = HTTPClient(loop: chosen, options: options)
    try await client.open(host, port).get()
    return client
  }

  private func open(_ host: String, _ port: Int) async -> Result<Void, HTTPClientError> {
    await withCheckedContinuation { continuation in
      opening = continuation
      connection = ClientConnection(loop, host: host, port: port, options: options) {
        [weak self] news in
        self?.assumeIsolated { $0.take(news) }
      }
    }
  }

  /// Sends a request and waits for the whole answer.
  package func request(
    _ head: RequestHead, body: [UInt8] = [], timeLimit: Duration = .seconds(30)
  ) async throws(HTTPClientError) -> Response {
    let exchange = ClientExchange(bodyLimit: options.bodyLimit)
    try submit(exchange, head, body: body, timeLimit: timeLimit)
    return try await result(of: exchange).get()
  }

  /// Sends a request and waits for the answer's head; the body follows piece by piece.
  ///
  /// Ending the loop over the pieces early gives up the stream.
  package func stream(
    _ head: RequestHead, body: [UInt8] = [], timeLimit: Duration = .seconds(30)
  ) async throws(HTTPClientError) -> StreamingResponse {
    let (pieces, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(ClientExchange.pieceLimit))
    let exchange = ClientExchange(bodyLimit: options.bodyLimit, pieces: continuation)
    try submit(exchange, head, body: body, timeLimit: timeLimit)
    continuation.onTermination = { [weak self, id = exchange.id] _ in
      Task { await self?.giveUp(id, .cancelled) }
    }
    return StreamingResponse(head: try await result(of: exchange).get().head, pieces: pieces)
  }

  private func result(of exchange: ClientExchange) async -> Result<Response, HTTPClientError> {
    await withTaskCancellationHandler {
      await wait(for: exchange)
    } onCancel: { [id = exchange.id] in
      Task { await self.giveUp(id, .cancelled) }
    }
  }

  // A method of the actor, so that it runs on the loop: the operation of a cancellation handler does
  // not (Swift 6.3.1, seen by a precondition), and an answer that came meanwhile was lost.
  private func wait(for exchange: ClientExchange) async -> Result<Response, HTTPClientError> {
    await withCheckedContinuation { continuation in
      loop.preconditionIsolated()
      exchange.resume(continuation)
    }
  }

  /// Closes the connection; requests in flight fail.
  package func close() {
    connection?.close()
  }

  private func submit(
    _ exchange: ClientExchange, _ head: RequestHead, body: [UInt8], timeLimit: Duration
  ) throws(HTTPClientError) {
    guard let connection, let id = connection.submit(head, body: body) else {
      throw connection?.ending ?? .closed
    }
    exchange.id = id
    exchange.timer = Timer(loop, after: timeLimit) { [weak self] in
      self?.assumeIsolated { $0.giveUp(id, .timedOut) }
    }
    exchanges[id] = exchange
  }

  private func giveUp(_ id: Int64, _ error: HTTPClientError) {
    guard let exchange = exchanges.removeValue(forKey: id) else { return }
    exchange.fail(error)
    connection?.cancel(id)
  }

  // MARK: News

  private func take(_ news: ClientConnection.News) {
    switch news {
    case .ready(let version):
      httpProtocol = version
      resumeOpening(.success(()))
    case .events(let events):
      for event in events { take(event) }
    case .ended(let error):
      resumeOpening(.failure(error))
      let unanswered = exchanges.values
      exchanges = [:]
      for exchange in unanswered { exchange.fail(error) }
    }
  }

  private func take(_ event: ClientEvent) {
    switch event {
    case .head(let id, let head, let isLast):
      exchanges[id]?.take(head)
      if isLast { finish(id) }
    case .body(let id, let bytes, let isLast):
      if exchanges[id]?.take(bytes) == false { return giveUp(id, .bodyTooLarge) }
      if isLast { finish(id) }
    case .reset(let id, let code):
      exchanges.removeValue(forKey: id)?.fail(connection?.ending ?? .reset(code: code))
    case .goAway, .streamLimit:
      break
    }
  }

  private func finish(_ id: Int64) {
    exchanges.removeValue(forKey: id)?.finish()
  }

  private func resumeOpening(_ result: Result<Void, HTTPClientError>) {
    opening?.resume(returning: result)
    opening = nil
  }
}

/// An answer whose body comes piece by piece.
package struct StreamingResponse: Sendable {
  /// The answer's head.
  package let head: ResponseHead
  /// The body's pieces as they come; it throws `HTTPClientError` when the stream breaks off.
  package let pieces: AsyncThrowingStream<[UInt8], any Error>
}
