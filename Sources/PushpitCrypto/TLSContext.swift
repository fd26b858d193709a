internal import COpenSSL

/// Settings shared by the TLS sessions of a listener, or of a client.
///
/// TLS 1.2 and 1.3; no resumption of any kind: a session costs memory, and a server that asks
/// for certificates would have to judge them again.
package final class TLSContext {
  /// Which side of a session this is.
  enum Role {
    case server
    case client
  }

  /// Owned; freed with the wrapper.
  let context: OpaquePointer
  /// How sessions exchange bytes with their queues.
  ///
  /// Owned; freed with the wrapper, and so after the sessions, which retain it.
  let transport: OpaquePointer
  let role: Role
  /// Whether a client session checks the server's certificate and name.
  let verifies: Bool

  private init(role: Role, verifies: Bool) throws(CryptoError) {
    OpenSSLErrors.clear()
    guard let context = SSL_CTX_new(role == .server ? TLS_server_method() : TLS_client_method())
    else { throw CryptoError(draining: "make a TLS context") }
    guard let transport = TLSTransport.makeMethod() else {
      SSL_CTX_free(context)
      throw CryptoError(draining: "make a TLS context")
    }
    self.context = context
    self.transport = transport
    self.role = role
    self.verifies = verifies
    _ = shim_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
    shim_SSL_CTX_set_mode(
      context,
      Int(
        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
          | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    // The option alone leaves the stateful tickets of TLS 1.3, the number alone those of TLS 1.2.
    SSL_CTX_set_options(context, shim_SSL_OP_NO_RENEGOTIATION() | shim_SSL_OP_NO_TICKET())
    SSL_CTX_set_num_tickets(context, 0)
    shim_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
    SSL_CTX_set_info_callback(context, noteAlert)
  }

  /// Makes the context of a server.
  ///
  /// - Parameters:
  ///   - certificates: PEM of the server's certificate and, after it, of its issuers.
  ///   - key: The private key of the first certificate.
  ///   - requestClientCertificate: Whether clients are asked for a certificate, as Apple always
  ///     does (observed in TLS 1.2 and 1.3); any certificate or none is taken.
  /// - Throws: When a certificate is damaged or the key is not its own.
  package convenience init(
    server certificates: [UInt8], key: PrivateKey, requestClientCertificate: Bool = true
  ) throws(CryptoError) {
    try self.init(role: .server, verifies: false)
    try use(certificates, key: key)
    // A TLS 1.2 client may offer a session; without an id this would be an error when we ask
    // for certificates.
    let id = Array("pushpit".utf8)
    SSL_CTX_set_session_id_context(context, id, UInt32(id.count))
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    if requestClientCertificate { SSL_CTX_set_verify(context, SSL_VERIFY_PEER, { _, _ in 1 }) }
  }

  /// Makes the context of a client.
  ///
  /// - Parameters:
  ///   - authorities: PEM of the certificates to trust; nil to trust nothing or, without
  ///     verification, everything.
  ///   - protocols: ALPN names in order of preference; none when empty.
  ///   - verify: Whether the server's certificate and name are checked.
  ///   - trustsSystem: Whether the authorities of OpenSSL's own folder, or of `SSL_CERT_FILE` and
  ///     `SSL_CERT_DIR`, are trusted too.
  ///   - identity: PEM of a client certificate, and its key.
  /// - Throws: When a certificate is damaged or the key is not its own.
  package convenience init(
    client authorities: [UInt8]?, alpn protocols: [String], verify: Bool = true,
    trustsSystem: Bool = false, identity: (certificates: [UInt8], key: PrivateKey)? = nil
  ) throws(CryptoError) {
    try self.init(role: .client, verifies: verify)
    SSL_CTX_set_verify(context, verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    // A system without any is no error: the other authorities are still there.
    if trustsSystem { SSL_CTX_set_default_verify_paths(context) }
    if let authorities {
      for authority in try Certificate.chain(pem: authorities) {
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.certificate)
      }
    }
    let wire = ApplicationProtocols.wire(protocols)
    // Unlike its siblings it returns 0 for success.
    if !wire.isEmpty, SSL_CTX_set_alpn_protos(context, wire, UInt32(wire.count)) != 0 {
      throw CryptoError(draining: "offer ALPN names")
    }
    if let identity { try use(identity.certificates, key: identity.key) }
  }

  deinit {
    SSL_CTX_free(context)
    BIO_meth_free(transport)
  }

  private func use(_ certificates: [UInt8], key: PrivateKey) throws(CryptoError) {
    let chain = try Certificate.chain(pem: certificates)
    OpenSSLErrors.clear()
    guard SSL_CTX_use_certificate(context, chain[0].certificate) == 1,
      chain.dropFirst().allSatisfy({
        shim_SSL_CTX_add1_chain_cert(context, $0.certificate) == 1
      }),
      SSL_CTX_use_PrivateKey(context, key.key) == 1
    else { throw CryptoError(draining: "use the certificate and its key") }
  }
}

/// Chooses a protocol among those that the client offers, and notes them all.
private func selectProtocol(
  ssl: OpaquePointer?, selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  selectedCount: UnsafeMutablePointer<UInt8>?, offered: UnsafePointer<UInt8>?,
  offeredCount: UInt32, argument: UnsafeMutableRawPointer?
) -> Int32 {
  let wire = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
  TLSSessionFacts.of(ssl)?.offeredProtocols = [UInt8](wire)
  let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  guard let range = ApplicationProtocols.selection(from: wire, serverName: name)
  else { return SSL_TLSEXT_ERR_NOACK }
  selected?.pointee = offered.map { $0 + range.lowerBound }
  selectedCount?.pointee = UInt8(range.count)
  return SSL_TLSEXT_ERR_OK
}

/// Notes the alerts of a session.
private func noteAlert(ssl: OpaquePointer?, event: Int32, value: Int32) {
  guard event & SSL_CB_ALERT != 0, let facts = TLSSessionFacts.of(ssl) else { return }
  let alert = TLSAlert(number: UInt8(truncatingIfNeeded: value))
  if event & SSL_CB_READ != 0 { facts.alertReceived = alert } else { facts.alertSent = alert }
}
