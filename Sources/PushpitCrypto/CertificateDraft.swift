internal import COpenSSL

/// A certificate in the making: version 3, a random serial number of 16 bytes.
struct CertificateDraft {
  /// The common name.
  let commonName: String
  /// The user ID, which comes before it; the organisation, the last part, is always `Pushpit`.
  var userID: String?
  /// Validity in seconds since 1970.
  let validity: Range<Int64>
  /// Extensions by number with their values in OpenSSL's configuration syntax, in order.
  let extensions: [(Int32, String)]
  /// Extensions that OpenSSL does not know, by object identifier with their values in DER; none is
  /// critical.
  var foreignExtensions: [(oid: String, value: [UInt8])] = []

  /// Signs the draft with the key of an authority; without an issuer it signs itself.
  func sign(
    key: PublicKey, issuer: Certificate?, issuerKey: PrivateKey
  ) throws(CryptoError) -> Certificate {
    OpenSSLErrors.clear()
    let failure = "make the certificate \(commonName)"
    guard let raw = X509_new() else { throw CryptoError(draining: failure) }
    let result = Certificate(owning: raw)
    let name = subject()
    defer { X509_NAME_free(name) }
    guard X509_set_version(raw, 2) == 1, setSerialNumber(raw),
      ASN1_TIME_set(X509_getm_notBefore(raw), time_t(validity.lowerBound)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(raw), time_t(validity.upperBound)) != nil,
      X509_set_pubkey(raw, key.key) == 1, X509_set_subject_name(raw, name) == 1,
      X509_set_issuer_name(raw, issuer.map { X509_get_subject_name($0.certificate) } ?? name) == 1
    else { throw CryptoError(draining: failure) }
    for (kind, value) in extensions {
      guard add(kind, value, to: raw, issuer: issuer?.certificate ?? raw) else {
        throw CryptoError(draining: failure)
      }
    }
    for (oid, value) in foreignExtensions {
      guard Self.add(oid, value, to: raw) else { throw CryptoError(draining: failure) }
    }
    guard X509_sign(raw, issuerKey.key, EVP_sha256()) > 0 else {
      throw CryptoError(draining: failure)
    }
    return result
  }

  private func subject() -> OpaquePointer? {
    let name = X509_NAME_new()
    let parts =
      if let userID {
        [("UID", userID), ("CN", commonName), ("O", "Pushpit")]
      } else {
        [("O", "Pushpit"), ("CN", commonName)]
      }
    // With MBSTRING_UTF8 OpenSSL would refuse a common name of more than 64 characters, which bundle
    // IDs make and Apple issues.
    for (key, value) in parts {
      X509_NAME_add_entry_by_txt(name, key, V_ASN1_UTF8STRING, value, -1, -1, 0)
    }
    return name
  }

  private func setSerialNumber(_ certificate: OpaquePointer) -> Bool {
    var bytes = SecureRandom.bytes(16)
    // Positive, and the same length always (RFC 5280 section 4.1.2.2).
    bytes[0] = bytes[0] & 0x7F | 0x40
    let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
    defer { BN_free(number) }
    return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
  }

  private func add(
    _ kind: Int32, _ value: String, to certificate: OpaquePointer, issuer: OpaquePointer
  ) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    guard let made = X509V3_EXT_nconf_nid(nil, &context, kind, value) else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(certificate, made, -1) == 1
  }

  private static func add(
    _ oid: String, _ value: [UInt8], to certificate: OpaquePointer
  ) -> Bool {
    let object = OBJ_txt2obj(oid, 1)
    defer { ASN1_OBJECT_free(object) }
    let octets = ASN1_OCTET_STRING_new()
    defer { ASN1_OCTET_STRING_free(octets) }
    guard ASN1_OCTET_STRING_set(octets, value, Int32(value.count)) == 1,
      let made = X509_EXTENSION_create_by_OBJ(nil, object, 0, octets)
    else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(certificate, made, -1) == 1
  }
}
