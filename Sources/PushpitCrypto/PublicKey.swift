internal import COpenSSL

/// A public key, to check signatures with.
package final class PublicKey {
  /// What a key can check.
  package enum Kind: Equatable, Sendable {
    case p256
    case rsa(bits: Int)
    case other
  }

  /// Owned; freed with the wrapper.
  let key: OpaquePointer
  /// What it can check.
  package let kind: Kind

  /// Takes over a key that the caller owns.
  init(owning key: OpaquePointer) {
    self.key = key
    kind = Self.kind(of: key)
  }

  /// Reads SubjectPublicKeyInfo in DER.
  package convenience init(spki: [UInt8]) throws(CryptoError) {
    OpenSSLErrors.clear()
    let (key, isWhole) = spki.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      let key = d2i_PUBKEY(nil, &next, bytes.count)
      return (key, next == bytes.baseAddress.map { $0 + bytes.count })
    }
    guard let key else { throw CryptoError(draining: "read the public key") }
    self.init(owning: key)
    guard isWhole else {
      throw CryptoError(operation: "read the public key", reasons: ["bytes follow the key"])
    }
  }

  /// Reads SubjectPublicKeyInfo in PEM.
  package convenience init(pem: [UInt8]) throws(CryptoError) {
    let bio = try MemoryBIO(pem, operation: "read the public key")
    OpenSSLErrors.clear()
    guard let key = PEM_read_bio_PUBKEY(bio.bio, nil, nil, nil) else {
      throw CryptoError(draining: "read the public key")
    }
    self.init(owning: key)
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// SubjectPublicKeyInfo in DER.
  package var spki: [UInt8] {
    let count = Int(i2d_PUBKEY(key, nil))
    precondition(count > 0, "a key that OpenSSL made or read can be written")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var next = buffer.baseAddress
      initialized = Int(i2d_PUBKEY(key, &next))
    }
  }

  /// SubjectPublicKeyInfo in PEM.
  package var pem: [UInt8] {
    guard let bio = try? MemoryBIO(operation: "write a public key"),
      PEM_write_bio_PUBKEY(bio.bio, key) == 1
    else { preconditionFailure("a key that OpenSSL made or read can be written") }
    return bio.takeBytes()
  }

  /// Whether an ES256 signature is good; false also when this is not a P-256 key.
  ///
  /// Takes 64 raw bytes, which RFC 7518 asks for, and DER, which APNs accepts too (Apple's
  /// command-line recipe produces it). DER of 64 bytes would need two numbers of 29 bytes: such
  /// a signature has a chance of 2^-44 and is taken for a raw one.
  package func isValidES256(
    message: some Collection<UInt8>, signature: some Collection<UInt8>
  ) -> Bool {
    guard kind == .p256 else { return false }
    let bytes = [UInt8](signature)
    return isValid(
      message: message, signature: bytes.count == 64 ? ECDSASignature.der(raw: bytes) : bytes)
  }

  /// Whether an RS256 signature is good; false also when this is not an RSA key.
  package func isValidRS256(
    message: some Collection<UInt8>, signature: some Collection<UInt8>
  ) -> Bool {
    guard case .rsa = kind else { return false }
    return isValid(message: message, signature: [UInt8](signature))
  }

  /// Fresh contexts cost nothing that can be measured beside the 80 us of a check.
  private func isValid(message: some Collection<UInt8>, signature: [UInt8]) -> Bool {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
    let isValid = withContiguousBytes(message) { message in
      EVP_DigestVerify(
        context, signature, signature.count, message.baseAddress, message.count) == 1
    }
    // A bad signature leaves errors that the next reader of the queue must not see.
    if !isValid { OpenSSLErrors.clear() }
    return isValid
  }

  private static func kind(of key: OpaquePointer) -> Kind {
    if EVP_PKEY_is_a(key, "RSA") == 1 { return .rsa(bits: Int(EVP_PKEY_get_bits(key))) }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return .other }
    var name = [CChar](repeating: 0, count: 32)
    guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return .other }
    return OBJ_txt2nid(name) == NID_X9_62_prime256v1 ? .p256 : .other
  }
}
