@testable import PushpitCrypto

/// A server and a client session whose bytes are carried in memory.
struct TLSTestPair {
  static let names = ["localhost", "127.0.0.1", "api.push.apple.com", "fcm.googleapis.com"]
  static let now: Int64 = 1_790_000_000

  let server: TLSSession
  let client: TLSSession
  /// PEM of the authority that issued the server's certificate.
  let authority: [UInt8]

  init(
    alpn: [String] = ["h2", "http/1.1"], serverName: String? = "localhost", verify: Bool = false,
    requestClientCertificate: Bool = true, sendsClientCertificate: Bool = false,
    trustsAuthority: Bool = true
  ) throws {
    let (authority, certificate, key) = try Self.identity()
    let trusted =
      trustsAuthority
      ? authority.certificate.pem
      : try CertificateAuthority.makeProviderAuthority(now: Self.now).certificate.pem
    let serverContext = try TLSContext(
      server: certificate.pem, key: key, requestClientCertificate: requestClientCertificate)
    let clientContext = try TLSContext(
      client: trusted, alpn: alpn, verify: verify,
      identity: sendsClientCertificate ? (certificate.pem, key) : nil)
    server = try TLSSession(serverContext)
    client = try TLSSession(clientContext, serverName: serverName)
    self.authority = authority.certificate.pem
  }

  /// An authority that is valid now by the system's clock, which OpenSSL judges by.
  static func identity() throws -> (CertificateAuthority, Certificate, PrivateKey) {
    let names = names.compactMap { CertificateName($0) }
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: now)
    let (certificate, key) = try authority.issueServer(names: names, now: now)
    return (authority, certificate, key)
  }

  /// Carries what is pending both ways.
  func carry() {
    Self.carry(from: client, to: server)
    Self.carry(from: server, to: client)
  }

  static func carry(from: TLSSession, to: TLSSession) {
    from.withPendingCiphertext { to.receive($0) }
    from.clearPendingCiphertext()
  }

  /// Steps both handshakes until neither goes on.
  func handshake() -> (server: TLSStep, client: TLSStep) {
    var steps = (server: TLSStep.needsMoreInput, client: TLSStep.needsMoreInput)
    for _ in 0..<4 {
      steps.client = client.handshake()
      Self.carry(from: client, to: server)
      steps.server = server.handshake()
      Self.carry(from: server, to: client)
    }
    return steps
  }
}

extension TLSSession {
  /// Writes all bytes.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { write($0) }
  }

  /// Takes bytes as if from the peer.
  func take(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { receive($0) }
  }

  /// Reads until there is nothing more.
  func readAll() -> (bytes: [UInt8], ending: TLSRead) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 5000)
    while true {
      switch buffer.withUnsafeMutableBufferPointer({ read(into: $0) }) {
      case .bytes(let count): bytes += buffer.prefix(count)
      case let ending: return (bytes, ending)
      }
    }
  }
}
