internal import COpenSSL

/// An X.509 certificate.
package final class Certificate {
  /// Owned; freed with the wrapper.
  let certificate: OpaquePointer

  /// Takes over a certificate that the caller owns.
  init(owning certificate: OpaquePointer) {
    self.certificate = certificate
  }

  /// Reads the first certificate of a PEM text.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    let bio = try MemoryBIO(pem, operation: "read the certificate")
    OpenSSLErrors.clear()
    guard let certificate = PEM_read_bio_X509(bio.bio, nil, nil, nil) else {
      throw CryptoError(draining: "read the certificate")
    }
    self.init(owning: certificate)
  }

  deinit {
    X509_free(certificate)
  }

  /// Reads every certificate of a PEM text; at least one.
  package static func chain(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
    let bio = try MemoryBIO(pem, operation: "read the certificates")
    OpenSSLErrors.clear()
    var chain: [Certificate] = []
    while let certificate = PEM_read_bio_X509(bio.bio, nil, nil, nil) {
      chain.append(Certificate(owning: certificate))
    }
    // The end of the text is "no start line"; anything else is a damaged certificate.
    let errors = OpenSSLErrors.drain()
    guard !chain.isEmpty, errors.allSatisfy({ $0.reason == PEM_R_NO_START_LINE }) else {
      throw CryptoError(operation: "read the certificates", reasons: errors.map(\.text))
    }
    return chain
  }

  /// The certificate in PEM.
  package var pem: [UInt8] {
    guard let bio = try? MemoryBIO(operation: "write a certificate"),
      PEM_write_bio_X509(bio.bio, certificate) == 1
    else { preconditionFailure("a certificate that OpenSSL made or read can be written") }
    return bio.takeBytes()
  }

  /// When it starts to be valid, in seconds since 1970.
  package var notBefore: Int64 { Self.seconds(X509_get0_notBefore(certificate)) }

  /// When it stops being valid, in seconds since 1970.
  package var notAfter: Int64 { Self.seconds(X509_get0_notAfter(certificate)) }

  /// Its public key; nil when OpenSSL does not know the kind.
  package var publicKey: PublicKey? {
    guard let key = X509_get_pubkey(certificate) else {
      OpenSSLErrors.clear()
      return nil
    }
    return PublicKey(owning: key)
  }

  /// The subject alternative names that are host names or addresses, in their order.
  package var names: [CertificateName] {
    guard let data = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return []
    }
    let names = OpaquePointer(data)
    defer { GENERAL_NAMES_free(names) }
    return (0..<OPENSSL_sk_num(names)).compactMap { index in
      OPENSSL_sk_value(names, index).flatMap {
        Self.name($0.assumingMemoryBound(to: GENERAL_NAME.self))
      }
    }
  }

  /// The host names among the subject alternative names.
  package var dnsNames: [String] {
    names.compactMap { if case .dns(let name) = $0 { name } else { nil } }
  }

  /// The addresses among the subject alternative names, as text.
  package var ipAddresses: [String] {
    names.compactMap { if case .ip = $0 { $0.description } else { nil } }
  }

  /// Whether it is the certificate of an authority (basicConstraints and keyUsage say so).
  package var isAuthority: Bool { X509_check_ca(certificate) == 1 }

  /// The names it may issue certificates for; nil when it is not constrained.
  package var nameConstraints: NameConstraints? {
    guard let data = X509_get_ext_d2i(certificate, NID_name_constraints, nil, nil) else {
      return nil
    }
    let constraints = data.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
    defer { NAME_CONSTRAINTS_free(constraints) }
    var hostNames: [String] = []
    var ranges: [NameConstraints.AddressRange] = []
    let subtrees = constraints.pointee.permittedSubtrees
    for index in 0..<max(0, OPENSSL_sk_num(subtrees)) {
      guard let item = OPENSSL_sk_value(subtrees, index),
        let base = item.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base
      else { continue }
      switch Self.value(base) {
      case (GEN_DNS, let bytes): hostNames.append(String(decoding: bytes, as: UTF8.self))
      case (GEN_IPADD, let bytes) where bytes.count == 8 || bytes.count == 32:
        let (address, mask) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2))
        ranges.append(.init(address: [UInt8](address), mask: [UInt8](mask)))
      default: continue
      }
    }
    return NameConstraints(hostNames: hostNames, addressRanges: ranges)
  }

  /// Whether an authority's key signed it and its names say so too.
  package func isIssued(by authority: Certificate) -> Bool {
    defer { OpenSSLErrors.clear() }
    return X509_check_issued(authority.certificate, certificate) == X509_V_OK
      && X509_verify(certificate, X509_get0_pubkey(authority.certificate)) == 1
  }

  /// Whether a private key is this certificate's.
  package func isOwned(by key: PrivateKey) -> Bool {
    defer { OpenSSLErrors.clear() }
    return X509_check_private_key(certificate, key.key) == 1
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
    let epoch = ASN1_TIME_set(nil, 0)
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
    return Int64(days) * 86_400 + Int64(seconds)
  }

  private static func name(_ general: UnsafePointer<GENERAL_NAME>) -> CertificateName? {
    switch value(general) {
    case (GEN_DNS, let bytes): .dns(String(decoding: bytes, as: UTF8.self).lowercased())
    case (GEN_IPADD, let bytes): .ip(bytes)
    default: nil
    }
  }

  /// The kind of a general name, and its bytes when it is a host name or an address.
  private static func value(_ general: UnsafePointer<GENERAL_NAME>) -> (Int32, [UInt8]) {
    var kind: Int32 = 0
    guard let value = GENERAL_NAME_get0_value(general, &kind), kind == GEN_DNS || kind == GEN_IPADD
    else { return (kind, []) }
    return (kind, bytes(of: value.assumingMemoryBound(to: ASN1_STRING.self)))
  }
}
