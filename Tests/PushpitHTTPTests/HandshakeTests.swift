import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import Testing

/// Notes what is known when the handshake is done, and ends the connection then if it is to.
private final class HandshakeHandler: ServerHandler {
  var lastFrame: [UInt8]?
  var streamLimit: Int?
  private(set) var subjects: [String?] = []
  private(set) var protocols: [HTTPProtocol?] = []
  private(set) var endings: [ConnectionEnding] = []

  func handshakeCompleted(_ connection: ServerConnection) {
    subjects.append(connection.peerCertificate?.subject)
    protocols.append(connection.facts.httpProtocol)
    if let streamLimit { connection.setStreamLimit(streamLimit) }
    if let lastFrame { connection.close(sending: lastFrame) }
  }

  func requestCompleted(_ stream: ServerStream) {
    stream.response.reset(status: 200)
    stream.respond()
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    endings.append(ending)
  }
}

/// What a handler may do between TLS and HTTP.
@Suite struct HandshakeTests {
  private static let now: Int64 = 1_790_000_000

  private let handler = HandshakeHandler()
  private let connection: ServerConnection
  private let goAway = Frame(type: Frame.goAway, payload: [UInt8](repeating: 0, count: 8)).bytes

  init() throws {
    let names = ["localhost"].compactMap { CertificateName($0) }
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let (certificate, key) = try authority.issueServer(names: names, now: Self.now)
    connection = ServerConnection(
      facts: ConnectionFacts(id: 1, peer: "127.0.0.1:1", listener: 0),
      options: ListenerOptions(tls: try TLSContext(server: certificate.pem, key: key)),
      handler: handler, resources: ServerResources(), now: 0)
  }

  private func client(
    _ protocols: [String], identity: (certificates: [UInt8], key: PrivateKey)? = nil
  ) throws -> TLSSession {
    let context = try TLSContext(client: nil, alpn: protocols, verify: false, identity: identity)
    return try TLSSession(context, serverName: "localhost")
  }

  /// Carries ciphertext both ways, and returns what the client could read.
  private func carry(_ client: TLSSession) -> [UInt8] {
    client.withPendingCiphertext { connection.feed($0, now: 0) }
    client.clearPendingCiphertext()
    while connection.takeOutput(room: 1 << 20, { client.receive($0) }) {}
    guard client.handshake() == .done else { return [] }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while case .bytes(let count) = buffer.withUnsafeMutableBufferPointer({ client.read(into: $0) })
    {
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Does the handshake and sends these bytes behind it.
  private func received(_ client: TLSSession, sending bytes: [UInt8]) -> [UInt8] {
    _ = client.handshake()
    var received: [UInt8] = []
    for _ in 0..<3 { received += carry(client) }
    _ = bytes.withUnsafeBufferPointer { client.write($0) }
    return received + carry(client)
  }

  @Test func `the handler is told of the handshake once, before HTTP has begun`() throws {
    _ = received(try client(["h2"]), sending: Frame.preface + Frame(type: Frame.settings).bytes)
    #expect(handler.protocols == [nil] && handler.subjects == [nil])
    #expect(connection.facts.httpProtocol == .http2)
  }

  @Test func `the certificate of the peer is known then`() throws {
    let (certificate, key) = try CertificateAuthority.makeProviderAuthority(now: Self.now)
      .issuePush(.universal("a.b"), now: Self.now)
    _ = received(try client(["h2"], identity: (certificate.pem, key)), sending: [])
    #expect(handler.subjects == [certificate.subject])
  }

  @Test func `a stream limit set then is in the first SETTINGS`() throws {
    handler.streamLimit = 1000
    let bytes = received(try client(["h2"]), sending: [])
    #expect(bytes.prefix(9).dropFirst(3).first == Frame.settings)
    #expect(Array(bytes).contains([0, 3, 0, 0, 3, 0xE8]))
  }

  @Test func `a last frame comes right after SETTINGS, and nothing after it`() throws {
    handler.lastFrame = goAway
    let bytes = received(try client(["h2"]), sending: Frame.preface)
    #expect(bytes.dropFirst(3).first == Frame.settings)
    #expect(Array(bytes.dropFirst(9 + Int(bytes.dropFirst(2).first ?? 0))) == goAway)
    #expect(handler.endings.map(\.cause) == [.closedByHandler])
  }

  @Test func `without ALPN the last frame waits for HTTP/2's first bytes`() throws {
    handler.lastFrame = goAway
    let client = try client([])
    #expect(received(client, sending: []).isEmpty)
    #expect(handler.endings.isEmpty)
    _ = Frame.preface.withUnsafeBufferPointer { client.write($0) }
    let bytes = carry(client)
    #expect(Array(bytes.suffix(goAway.count)) == goAway)
    #expect(handler.endings.map(\.cause) == [.closedByHandler])
  }

  @Test func `HTTP/1.1 has no such frame, and goes on`() throws {
    handler.lastFrame = goAway
    let bytes = received(
      try client(["http/1.1"]), sending: Array("GET / HTTP/1.1\r\nhost: a\r\n\r\n".utf8))
    #expect(bytes.starts(with: Array("HTTP/1.1 200 ".utf8)))
    #expect(handler.endings.isEmpty)
  }
}
