internal import COpenSSL

/// What a step of the handshake came to.
package enum TLSStep: Equatable, Sendable {
  case done
  case needsMoreInput
  case failed(TLSFailure)
}

/// What reading plain text came to.
package enum TLSRead: Equatable, Sendable {
  case bytes(Int)
  case needsMoreInput
  /// The peer said that it sends nothing more.
  case closed
  case failed(TLSFailure)
}

/// One TLS connection without I/O: ciphertext goes in and comes out through memory.
package final class TLSSession {
  /// Owned; freed with the wrapper.
  private let ssl: OpaquePointer
  /// Owns what the callbacks of OpenSSL's context reach.
  private let context: TLSContext
  /// Reached by the session's BIO.
  private let transport = TLSTransport()
  /// Reached by the session's callbacks.
  private let facts = TLSSessionFacts()
  private var firstFailure: TLSFailure?

  /// Starts a session; the context decides whether it is a server's or a client's.
  ///
  /// A client's server name is the name or address of the server: sent to it when it is a name,
  /// and checked when the context verifies. It throws when it is neither, or OpenSSL fails.
  package init(_ context: TLSContext, serverName: String? = nil) throws(CryptoError) {
    OpenSSLErrors.clear()
    guard let ssl = SSL_new(context.context) else { throw CryptoError(draining: "start TLS") }
    guard let bio = transport.makeBIO(context.transport) else {
      SSL_free(ssl)
      throw CryptoError(draining: "start TLS")
    }
    self.ssl = ssl
    self.context = context
    SSL_set_bio(ssl, bio, bio)  // The SSL owns the one reference to it.
    _ = shim_SSL_set_app_data(ssl, Unmanaged.passUnretained(facts).toOpaque())
    switch context.role {
    case .server: SSL_set_accept_state(ssl)
    case .client:
      SSL_set_connect_state(ssl)
      if let serverName { try expect(serverName) }
    }
  }

  deinit {
    SSL_free(ssl)
  }

  private func expect(_ serverName: String) throws(CryptoError) {
    let isSet: Bool
    switch CertificateName(serverName) {
    case .ip(let address):
      isSet = X509_VERIFY_PARAM_set1_ip(SSL_get0_param(ssl), address, address.count) == 1
    case .dns(let name):
      isSet = shim_SSL_set_tlsext_host_name(ssl, name) == 1 && SSL_set1_host(ssl, name) == 1
    case nil:
      throw CryptoError(
        operation: "start TLS", reasons: ["'\(serverName)' is no host name or address"])
    }
    guard isSet else { throw CryptoError(draining: "start TLS") }
  }

  /// Takes ciphertext from the peer; it is looked at by the next handshake or read.
  package func receive(_ ciphertext: UnsafeBufferPointer<UInt8>) {
    transport.receive(ciphertext)
  }

  /// Takes ciphertext for the handshake and the reads of `body`, and copies only what they leave.
  package func receive<Result>(
    _ ciphertext: UnsafeBufferPointer<UInt8>, _ body: () -> Result
  ) -> Result {
    transport.receive(ciphertext, body)
  }

  /// Goes on with the handshake as far as the input allows.
  ///
  /// Also a failed step may leave ciphertext to send: the alert that tells the peer.
  package func handshake() -> TLSStep {
    OpenSSLErrors.clear()
    let result = SSL_do_handshake(ssl)
    if result == 1 { return .done }
    return SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ ? .needsMoreInput : .failed(failure())
  }

  /// Reads plain text; to be repeated until it needs more input.
  package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> TLSRead {
    OpenSSLErrors.clear()
    var count = 0
    let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
    if result == 1 { return .bytes(count) }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .needsMoreInput
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: return .failed(failure())
    }
  }

  /// Whether a read could bring anything: some ciphertext, or part of it, waits.
  ///
  /// To ask is cheaper than a read that needs more input, which would end each request of HTTP/1.1.
  package var hasInput: Bool { transport.hasInbound || SSL_has_pending(ssl) == 1 }

  /// Encrypts plain text; the ciphertext is pending afterwards.
  ///
  /// - Returns: false when the session cannot send any more.
  package func write(_ plaintext: UnsafeBufferPointer<UInt8>) -> Bool {
    OpenSSLErrors.clear()
    var written = 0
    while written < plaintext.count {
      var count = 0
      let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(plaintext)[written...])
      guard SSL_write_ex(ssl, rest.baseAddress, rest.count, &count) == 1 else {
        OpenSSLErrors.clear()
        return false
      }
      written += count
    }
    return true
  }

  /// Tells the peer that nothing more will be sent; without effect when it was told already.
  package func closeNotify() {
    OpenSSLErrors.clear()
    if SSL_is_init_finished(ssl) == 1 { SSL_shutdown(ssl) }
    OpenSSLErrors.clear()
  }

  /// Bytes of ciphertext to be sent.
  package var pendingCiphertextCount: Int { transport.outbound.count }

  /// Calls with the ciphertext to be sent, which stays pending until it is cleared.
  package func withPendingCiphertext<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    // A reference of its own: what the call brings about may add ciphertext.
    let pending = transport.outbound
    return pending.withUnsafeBufferPointer(body)
  }

  /// Forgets the ciphertext to be sent, and gives its memory back when it is much.
  package func clearPendingCiphertext() {
    transport.clearOutbound()
  }

  /// Bytes of memory that the queues of ciphertext hold.
  var heldByteCount: Int { transport.heldByteCount }

  /// The ALPN name that was agreed on.
  package var negotiatedProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &count)
    guard let name else { return nil }
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
  }

  /// The ALPN names that the client of a server session offered, in its order.
  package var offeredProtocols: [String] { ApplicationProtocols.names(facts.offeredProtocols) }

  /// The server name that the client named (SNI).
  package var serverName: String? {
    SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  }

  /// The version agreed on: `TLSv1.3`, `TLSv1.2`.
  package var version: String { String(cString: SSL_get_version(ssl)) }

  /// The last alert that the peer sent, `close_notify` included.
  package var alertReceived: TLSAlert? { facts.alertReceived }

  /// The certificate that the peer sent; of a client it may be anyone's.
  package var peerCertificate: Certificate? {
    SSL_get1_peer_certificate(ssl).map { Certificate(owning: $0) }
  }

  /// The first failure: OpenSSL gives its reasons only once.
  private func failure() -> TLSFailure {
    if let firstFailure { return firstFailure }
    let failure = TLSFailure(drainingWith: facts, verification: SSL_get_verify_result(ssl))
    firstFailure = failure
    return failure
  }
}

/// What the callbacks of a session note down.
final class TLSSessionFacts {
  /// ALPN names in their wire form.
  var offeredProtocols: [UInt8] = []
  var alertReceived: TLSAlert?
  var alertSent: TLSAlert?

  /// The facts of the session that OpenSSL calls about; the session retains them.
  static func of(_ ssl: OpaquePointer?) -> TLSSessionFacts? {
    shim_SSL_get_app_data(ssl).map {
      Unmanaged<TLSSessionFacts>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
