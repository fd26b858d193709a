internal import COpenSSL

/// A BIO in memory, to read PEM from bytes or to write it to bytes.
final class MemoryBIO {
  /// Owned; freed with the wrapper.
  let bio: OpaquePointer

  /// An empty one to write to.
  init(operation: String) throws(CryptoError) {
    OpenSSLErrors.clear()
    guard let bio = BIO_new(BIO_s_mem()) else { throw CryptoError(draining: operation) }
    self.bio = bio
  }

  /// One that holds a copy of bytes, to read from.
  convenience init(_ bytes: [UInt8], operation: String) throws(CryptoError) {
    try self.init(operation: operation)
    let count = bytes.withUnsafeBytes { BIO_write(bio, $0.baseAddress, Int32($0.count)) }
    guard count == bytes.count else { throw CryptoError(draining: operation) }
  }

  deinit {
    BIO_free(bio)
  }

  /// Takes everything written so far.
  func takeBytes() -> [UInt8] {
    let count = BIO_ctrl_pending(bio)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(count))))
    }
  }
}
