internal import COpenSSL

/// A private key: P-256 or RSA.
package final class PrivateKey {
  /// Owned; freed with the wrapper.
  let key: OpaquePointer
  /// Its public half.
  package let publicKey: PublicKey

  /// Takes over a key that the caller owns.
  private init(owning key: OpaquePointer) {
    self.key = key
    EVP_PKEY_up_ref(key)
    publicKey = PublicKey(owning: key)
  }

  /// Reads a private key in PEM: PKCS#8, or the older forms of one kind; not an encrypted one.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    let operation = "read the private key"
    let bio = try MemoryBIO(pem, operation: operation)
    OpenSSLErrors.clear()
    // Without a callback OpenSSL would ask on the terminal for the password of an encrypted key.
    guard let key = PEM_read_bio_PrivateKey(bio.bio, nil, { _, _, _, _ in -1 }, nil) else {
      throw CryptoError(draining: operation)
    }
    self.init(owning: key)
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// Makes a P-256 key.
  package static func generateP256() throws(CryptoError) -> PrivateKey {
    try generate(EVP_PKEY_EC, "make a P-256 key") { EVP_PKEY_CTX_set_group_name($0, "P-256") }
  }

  /// Makes an RSA key; about 0.1 s for 2,048 bits.
  package static func generateRSA(bits: Int = 2048) throws(CryptoError) -> PrivateKey {
    try generate(EVP_PKEY_RSA, "make an RSA key of \(bits) bits") {
      EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits))
    }
  }

  private static func generate(
    _ kind: Int32, _ operation: String, configure: (OpaquePointer?) -> Int32
  ) throws(CryptoError) -> PrivateKey {
    OpenSSLErrors.clear()
    let context = EVP_PKEY_CTX_new_id(kind, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, configure(context) == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw CryptoError(draining: operation) }
    return PrivateKey(owning: key)
  }

  /// PKCS#8 in PEM, not encrypted.
  package var pem: [UInt8] {
    guard let bio = try? MemoryBIO(operation: "write a private key"),
      PEM_write_bio_PKCS8PrivateKey(bio.bio, key, nil, nil, 0, nil, nil) == 1
    else { preconditionFailure("a key that OpenSSL made or read can be written") }
    return bio.takeBytes()
  }

  /// Signs with ECDSA on P-256 and SHA-256; the key must be a P-256 key.
  ///
  /// - Returns: r and s in 64 bytes (RFC 7518 section 3.4).
  package func signES256(_ message: some Collection<UInt8>) -> [UInt8] {
    precondition(publicKey.kind == .p256, "ES256 needs a P-256 key")
    guard let raw = ECDSASignature.raw(der: sign(message)) else {
      preconditionFailure("OpenSSL writes P-256 signatures in DER")
    }
    return raw
  }

  /// Signs as `signES256`, but returns the signature in DER, as many providers send it.
  package func signES256DER(_ message: some Collection<UInt8>) -> [UInt8] {
    precondition(publicKey.kind == .p256, "ES256 needs a P-256 key")
    return sign(message)
  }

  /// Signs with RSASSA-PKCS1-v1_5 and SHA-256; the key must be an RSA key.
  package func signRS256(_ message: some Collection<UInt8>) -> [UInt8] {
    guard case .rsa = publicKey.kind else { preconditionFailure("RS256 needs an RSA key") }
    return sign(message)
  }

  private func sign(_ message: some Collection<UInt8>) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var count = Int(EVP_PKEY_get_size(key))
    let signature = withContiguousBytes(message) { message in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        let done =
          EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
          && EVP_DigestSign(
            context, buffer.baseAddress, &count, message.baseAddress, message.count) == 1
        initialized = done ? count : 0
      }
    }
    precondition(!signature.isEmpty, "a key that OpenSSL made or read can sign")
    return signature
  }
}
