internal import COpenSSL

/// The hash function SHA-256.
package enum SHA256 {
  /// The 32 bytes of the hash.
  package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    withContiguousBytes(bytes) { input in
      [UInt8](unsafeUninitializedCapacity: 32) { output, initialized in
        let done = EVP_Digest(
          input.baseAddress, input.count, output.baseAddress, nil, EVP_sha256(), nil)
        precondition(done == 1, "OpenSSL has no SHA-256")
        initialized = 32
      }
    }
  }

  /// The hash in 64 lower-case hexadecimal digits.
  package static func hex(_ bytes: some Collection<UInt8>) -> String {
    hexadecimal(digest(bytes))
  }
}

/// Lower-case hexadecimal digits of bytes.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Calls with the bytes in one piece, copied only when they are not so already.
func withContiguousBytes<Result>(
  _ bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  if let result = bytes.withContiguousStorageIfAvailable(body) { return result }
  return [UInt8](bytes).withUnsafeBufferPointer(body)
}
