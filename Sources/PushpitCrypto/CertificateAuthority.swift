internal import COpenSSL

/// A certificate authority of a state folder: a certificate that signs itself, and its key.
package struct CertificateAuthority {
  /// How long an authority is valid: 10 years.
  package static let validity: Duration = .seconds(3650 * 86_400)
  /// How long a server certificate is valid: the most that Apple's platforms take is 398 days.
  package static let serverValidity: Duration = .seconds(397 * 86_400)
  /// How long a client certificate is valid: a year, and a month to renew it in.
  package static let providerValidity: Duration = .seconds(395 * 86_400)
  /// How far validity begins in the past, for machines whose clock is late.
  private static let clockSkew: Int64 = 3600

  package let certificate: Certificate
  package let key: PrivateKey

  package init(certificate: Certificate, key: PrivateKey) {
    self.certificate = certificate
    self.key = key
  }

  /// Makes the authority of server certificates, good for the permitted names only.
  ///
  /// So a stolen key cannot be used against anything else that trusts it.
  /// - Parameters:
  ///   - names: What it may issue certificates for, beside every loopback address of IPv4.
  ///   - now: Seconds since 1970.
  /// - Returns: The authority, with a key of its own.
  /// - Throws: When OpenSSL fails.
  package static func makeServerAuthority(
    permitting names: [CertificateName], now: Int64
  ) throws(CryptoError) -> CertificateAuthority {
    let constraints = NameConstraints(permitting: names)
    return try make(
      "Pushpit CA", now: now, constraints: [(NID_name_constraints, constraints.configuration)])
  }

  /// Makes the authority of client certificates, which only the gateway trusts; `now` is in
  /// seconds since 1970.
  package static func makeProviderAuthority(now: Int64) throws(CryptoError) -> CertificateAuthority
  {
    try make("Pushpit provider CA", now: now, constraints: [])
  }

  private static func make(
    _ name: String, now: Int64, constraints: [(Int32, String)]
  ) throws(CryptoError) -> CertificateAuthority {
    let key = try PrivateKey.generateP256()
    // Several of them may be in one trust store: the digits tell them apart.
    let draft = CertificateDraft(
      commonName: "\(name) \(hexadecimal(SecureRandom.bytes(4)))",
      validity: range(from: now, validity),
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
        (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"),
      ] + constraints)
    let certificate = try draft.sign(key: key.publicKey, issuer: nil, issuerKey: key)
    return CertificateAuthority(certificate: certificate, key: key)
  }

  /// Makes a P-256 key and a server certificate for it; `now` is in seconds since 1970.
  package func issueServer(
    names: [CertificateName], now: Int64
  ) throws(CryptoError) -> (certificate: Certificate, key: PrivateKey) {
    let key = try PrivateKey.generateP256()
    return (try issueServer(names: names, for: key.publicKey, now: now), key)
  }

  /// Makes a server certificate.
  ///
  /// - Parameters:
  ///   - names: At least one; all must be among the permitted ones.
  ///   - serverKey: The server's key, which the certificate is for.
  ///   - now: Seconds since 1970.
  /// - Returns: The certificate.
  /// - Throws: When OpenSSL fails.
  package func issueServer(
    names: [CertificateName], for serverKey: PublicKey, now: Int64
  ) throws(CryptoError) -> Certificate {
    let alternatives = names.map { name in
      switch name {
      case .dns(let host): "DNS:\(host)"
      case .ip: "IP:\(name)"
      }
    }
    let draft = CertificateDraft(
      commonName: "Pushpit gateway",
      validity: Self.range(from: now, Self.serverValidity),
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"),
        (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"),
        (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid:always"),
        (NID_subject_alt_name, alternatives.joined(separator: ",")),
      ])
    return try draft.sign(key: serverKey, issuer: certificate, issuerKey: key)
  }

  /// Makes a client certificate that push providers authenticate with, and its key.
  ///
  /// The key is RSA, as those of Apple's certificates are: some libraries read no other.
  /// - Parameters:
  ///   - contents: What it says of pushes.
  ///   - now: Seconds since 1970.
  ///   - validity: How long it is valid from now on.
  /// - Returns: The certificate and its key.
  /// - Throws: When OpenSSL fails.
  package func issuePush(
    _ contents: PushCertificate, now: Int64, validity: Duration = Self.providerValidity
  ) throws(CryptoError) -> (certificate: Certificate, key: PrivateKey) {
    let providerKey = try PrivateKey.generateRSA()
    let draft = CertificateDraft(
      commonName: contents.commonName, userID: contents.userID,
      validity: Self.range(from: now, validity),
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"),
        (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "clientAuth"),
        (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid:always"),
      ],
      foreignExtensions: contents.extensions)
    let certificate = try draft.sign(
      key: providerKey.publicKey, issuer: certificate, issuerKey: key)
    return (certificate, providerKey)
  }

  private static func range(from now: Int64, _ duration: Duration) -> Range<Int64> {
    let start = now - clockSkew
    return start..<start + duration.components.seconds
  }
}
