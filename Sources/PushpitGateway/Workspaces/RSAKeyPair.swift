internal import PushpitCrypto

/// An RSA key as bytes, so that it can be made on one thread and used on another.
struct RSAKeyPair: Sendable, Equatable {
  /// The private key in PEM.
  let pem: [UInt8]
  /// SubjectPublicKeyInfo in DER.
  let publicKey: [UInt8]

  /// Makes one of 2048 bits, as Google's are; it takes some hundred milliseconds.
  static func make() throws(CryptoError) -> RSAKeyPair {
    let key = try PrivateKey.generateRSA()
    return RSAKeyPair(pem: key.pem, publicKey: key.publicKey.spki)
  }
}
