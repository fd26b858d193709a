/// The shapes of tokens, told apart by their bytes alone.
///
/// Well-formed (product.md's policy, from observed tokens): APNs, hexadecimal digits of an even
/// length from 64 to 200 (64 for apps, 160 and more for Live Activities; Apple: "don't make
/// assumptions about device token size"); FCM, `[A-Za-z0-9_-]{11,}:[A-Za-z0-9_-]{100,}` (142 to 163
/// characters observed); a Firebase installation ID, 22 characters of base64url.
package enum TokenShape {
  /// The shortest and the longest APNs device token in hexadecimal digits.
  package static let apnsLengths = 64...200

  /// The kind that these bytes look like, where `%3A` counts as the colon it encodes.
  package static func kind(of token: some Collection<UInt8>) -> TokenKind {
    withBytes(of: token) { token in
      if isAPNs(bytes: token) { return .apns }
      if isFCM(bytes: token) { return .fcm }
      if token.count == 22, base64URLCount(token, from: 0) == 22 { return .fid }
      return .malformed
    }
  }

  /// Whether these are hexadecimal digits, of either case, of an APNs token's length.
  package static func isAPNs(_ token: some Collection<UInt8>) -> Bool {
    withBytes(of: token, isAPNs(bytes:))
  }

  /// Whether these bytes have the form of an FCM registration token.
  package static func isFCM(_ token: some Collection<UInt8>) -> Bool {
    withBytes(of: token, isFCM(bytes:))
  }

  // The work is done on plain buffers: generic code is not specialized across modules, and took
  // 7 us for a registration token.
  private static func withBytes<Result>(
    of token: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = token.withContiguousStorageIfAvailable(body) { return result }
    return Array(token).withUnsafeBufferPointer(body)
  }

  private static func isAPNs(bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard apnsLengths.contains(bytes.count), bytes.count.isMultiple(of: 2) else { return false }
    for byte in bytes {
      guard byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 else { return false }
    }
    return true
  }

  private static func isFCM(bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = base64URLCount(bytes, from: 0)
    guard index >= 11, index < bytes.count else { return false }
    if bytes[index] == UInt8(ascii: ":") {
      index += 1
    } else if index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"),
      bytes[index + 1] == UInt8(ascii: "3"), bytes[index + 2] | 0x20 == UInt8(ascii: "a")
    {
      index += 3
    } else {
      return false
    }
    let restCount = bytes.count - index
    return restCount >= 100 && base64URLCount(bytes, from: index) == restCount
  }

  /// How many characters of base64url follow one another.
  private static func base64URLCount(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      guard
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
      else { break }
      index += 1
    }
    return index - start
  }
}
