internal import COpenSSL

/// A certificate and its private key in one file with a password (RFC 7292): `.p12`, `.pfx`.
package enum PKCS12 {
  /// Writes a file that old and new libraries read.
  ///
  /// Triple DES and SHA-1, as Apple's Keychain Access wrote them: Go's `x/crypto/pkcs12`, which
  /// sideshow/apns2 uses, older Java and macOS's own import know nothing newer. Only the certificate
  /// and the key are in it, because that package wants exactly two entries.
  package static func write(
    _ certificate: Certificate, key: PrivateKey, name: String, password: String
  ) throws(CryptoError) -> [UInt8] {
    let operation = "write a PKCS#12 file"
    OpenSSLErrors.clear()
    let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
    // Without a MAC at first (-1): OpenSSL's own would be SHA-256.
    let file = PKCS12_create(
      password, name, key.key, certificate.certificate, nil, cipher, cipher, iterationCount, -1, 0)
    defer { PKCS12_free(file) }
    guard file != nil,
      PKCS12_set_mac(file, password, -1, nil, 0, iterationCount, EVP_sha1()) == 1
    else { throw CryptoError(draining: operation) }
    let bio = try MemoryBIO(operation: operation)
    guard i2d_PKCS12_bio(bio.bio, file) == 1 else { throw CryptoError(draining: operation) }
    return bio.takeBytes()
  }

  private static let iterationCount: Int32 = 2048

  /// The certificate of a file: the one that belongs to its private key, else its first.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - password: Nil and the empty one are both tried when it is empty.
  /// - Returns: The certificate, or nil when the password is wrong.
  /// - Throws: When it is no such file, or encrypted in a way that OpenSSL does not know.
  package static func certificate(
    in bytes: [UInt8], password: String
  ) throws(CryptoError) -> Certificate? {
    let operation = "read the PKCS#12 file"
    let library = try LegacyLibrary()
    // What is read with its context needs it until it is freed.
    defer { withExtendedLifetime(library) {} }
    let bio = try MemoryBIO(bytes, operation: operation)
    OpenSSLErrors.clear()
    var file = PKCS12_init_ex(NID_pkcs7_data, library.context, nil)
    defer { PKCS12_free(file) }
    guard d2i_PKCS12_bio(bio.bio, &file) != nil else { throw CryptoError(draining: operation) }
    guard
      PKCS12_verify_mac(file, password, -1) == 1
        || password.isEmpty && PKCS12_verify_mac(file, nil, 0) == 1
    else {
      OpenSSLErrors.clear()
      return nil
    }
    var key: OpaquePointer?
    var certificate: OpaquePointer?
    var others: OpaquePointer?
    defer {
      EVP_PKEY_free(key)
      OPENSSL_sk_pop_free(others) { X509_free(OpaquePointer($0)) }
    }
    guard PKCS12_parse(file, password, &key, &certificate, &others) == 1 else {
      throw CryptoError(draining: operation)
    }
    if let certificate { return try copy(Certificate(owning: certificate)) }
    guard let first = OPENSSL_sk_value(others, 0) else {
      throw CryptoError(operation: operation, reasons: ["it has no certificate"])
    }
    X509_up_ref(OpaquePointer(first))
    return try copy(Certificate(owning: OpaquePointer(first)))
  }

  /// A certificate that does not need the library it was read with.
  private static func copy(_ certificate: Certificate) throws(CryptoError) -> Certificate {
    try Certificate(der: certificate.der)
  }
}

/// OpenSSL with the algorithms that it took out of its default set, for files that are read only.
///
/// Keychain Access encrypts certificates with 40 bits of RC2. A library context of its own keeps that
/// away from everything else.
private final class LegacyLibrary {
  /// Owned; freed with the wrapper, and so after what was read with it.
  let context: OpaquePointer
  /// Owned, as the context's; the legacy one is nil where it is not installed.
  private let providers: [OpaquePointer]

  init() throws(CryptoError) {
    OpenSSLErrors.clear()
    guard let context = OSSL_LIB_CTX_new() else { throw CryptoError(draining: "start OpenSSL") }
    self.context = context
    providers = (["default", "legacy"] as [String]).compactMap { OSSL_PROVIDER_load(context, $0) }
    OpenSSLErrors.clear()
  }

  deinit {
    for provider in providers { OSSL_PROVIDER_unload(provider) }
    OSSL_LIB_CTX_free(context)
  }
}
