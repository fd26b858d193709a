internal import PushpitCrypto
internal import PushpitHTTPTypes
internal import PushpitNetwork

/// One connection of a client, with its socket; for the loop's thread.
final class ClientConnection {
  /// What a connection tells its client.
  enum News: Sendable {
    /// Requests can be submitted.
    case ready(HTTPProtocol)
    /// Answers, or parts of them.
    case events([ClientEvent])
    /// The connection is gone; the events of unanswered requests came before.
    case ended(HTTPClientError)
  }

  /// Whose news goes nowhere after the connection has ended.
  private var report: (News) -> Void
  private let options: ClientOptions
  private let host: String
  private let resources = ServerResources()
  private var connector: TCPConnector?
  private var stream: TCPStream?
  private var tls: TLSSession?
  private var session: (any HTTPClientSession)?
  private var timer: Timer?
  private var failure: HTTPClientError?
  private var hasEnded = false

  /// Starts to connect.
  init(
    _ loop: EventLoop, host: String, port: Int, options: ClientOptions,
    report: @escaping (News) -> Void
  ) {
    self.options = options
    self.host = host
    self.report = report
    connector = TCPConnector(
      loop, host: host, port: port, timeLimit: options.connectTimeLimit, delegate: self)
  }

  /// Why the connection ended; nil while it lives.
  private(set) var ending: HTTPClientError?

  /// `TLSv1.3`, or nil in clear text.
  var tlsVersion: String? { tls?.version }

  /// Sends a request, at once or when the server allows it.
  func submit(_ head: RequestHead, body: [UInt8]) -> Int64? {
    guard let session, !hasEnded else { return nil }
    let id = session.submit(head, body: body)
    flush()
    return id
  }

  /// Gives up a request.
  func cancel(_ id: Int64) {
    guard let session, !hasEnded else { return }
    session.cancel(id)
    flush()
    deliverEvents()
  }

  /// Ends the connection; unanswered requests fail.
  func close() {
    if let connector {
      self.connector = nil
      connector.cancel()
      return end(.closed)
    }
    tls?.closeNotify()
    flush()
    end(.closed)
  }

  private func end(_ error: HTTPClientError) {
    guard !hasEnded else { return }
    hasEnded = true
    timer?.cancel()
    timer = nil
    ending = error
    session?.connectionEnded()
    deliverEvents()
    stream?.closeAfterWriting()
    let report = report
    self.report = { _ in }
    report(.ended(error))
  }

  // MARK: Setting up

  private func startTLS(_ settings: ClientOptions.TLS) {
    do throws(CryptoError) {
      var identity: (certificates: [UInt8], key: PrivateKey)?
      if let pems = settings.identity {
        identity = (pems.certificates, try PrivateKey(pem: pems.key))
      }
      let context = try TLSContext(
        client: settings.authorities, alpn: settings.protocols, verify: settings.verifies,
        trustsSystem: settings.trustsSystem, identity: identity)
      tls = try TLSSession(context, serverName: settings.serverName ?? host)
      advanceHandshake()
      flush()
    } catch {
      end(.setup(error))
    }
  }

  private func advanceHandshake() {
    guard let tls else { return }
    switch tls.handshake() {
    case .needsMoreInput: return
    case .failed(let failure):
      flush()
      end(.tls(failure))
    case .done:
      let version = tls.negotiatedProtocol.flatMap(HTTPProtocol.init(rawValue:))
      startHTTP(version ?? options.assumedProtocol)
    }
  }

  private func startHTTP(_ version: HTTPProtocol) {
    timer?.cancel()
    timer = nil
    do throws(ConnectionFailure) {
      session =
        switch version {
        case .http1: HTTP1ClientSession()
        case .http2: try HTTP2ClientSession()
        }
    } catch {
      return end(.http(error))
    }
    report(.ready(version))
    flush()
  }

  // MARK: Bytes

  private func flush() {
    guard let stream else { return }
    if let session {
      repeat {
        resources.output.removeAll(keepingCapacity: true)
        session.takeOutput(into: &resources.output, limit: ServerResources.gatherLimit)
        resources.output.withUnsafeBufferPointer { bytes in
          if tls == nil { stream.write(bytes) } else { _ = tls?.write(bytes) }
        }
      } while !resources.output.isEmpty
    }
    guard let tls, tls.pendingCiphertextCount > 0 else { return }
    tls.withPendingCiphertext { stream.write($0) }
    tls.clearPendingCiphertext()
  }

  private func deliverEvents() {
    guard let events = session?.takeEvents(), !events.isEmpty else { return }
    report(.events(events))
  }

  private func receiveCiphertext(_ bytes: UnsafeBufferPointer<UInt8>, _ tls: TLSSession) {
    tls.receive(bytes)
    if session == nil { advanceHandshake() }
    while let session, !hasEnded {
      switch tls.read(into: resources.plaintext) {
      case .bytes(let count):
        session.feed(UnsafeBufferPointer(rebasing: resources.plaintext[..<count]))
      case .needsMoreInput: return
      case .closed:
        failure = .closed
        return
      case .failed(let error):
        failure = .tls(error)
        return
      }
    }
  }
}

extension ClientConnection: TCPConnectorDelegate {
  func connectorConnected(_ connector: TCPConnector, _ stream: TCPStream) {
    self.connector = nil
    self.stream = stream
    stream.delegate = self
    stream.startReading()
    guard let settings = options.tls else { return startHTTP(options.assumedProtocol) }
    timer = Timer(stream.loop, after: options.connectTimeLimit) { [weak self] in
      self?.end(.timedOut)
    }
    startTLS(settings)
  }

  func connectorFailed(_ connector: TCPConnector, _ error: NetworkError) {
    self.connector = nil
    end(.network(error))
  }
}

extension ClientConnection: TCPStreamDelegate {
  func streamReceived(_ stream: TCPStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !hasEnded else { return }
    if let tls { receiveCiphertext(bytes, tls) } else { session?.feed(bytes) }
    flush()
    deliverEvents()
    guard !hasEnded else { return }
    if let failure { return end(failure) }
    if let failure = session?.failure { return end(.http(failure)) }
    if session?.wantsClose ?? false { end(.closed) }
  }

  func streamEnded(_ stream: TCPStream) { end(.closed) }

  func streamDrained(_ stream: TCPStream) {}

  func streamClosed(_ stream: TCPStream, _ error: NetworkError?) {
    end(error.map { .network($0) } ?? .closed)
    self.stream = nil
  }
}
