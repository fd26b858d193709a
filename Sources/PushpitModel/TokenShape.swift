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
    if isAPNs(token) { return .apns }
    if isFCM(token) { return .fcm }
    if token.count == 22, token.allSatisfy(isBase64URL) { return .fid }
    return .malformed
  }

  /// Whether these are hexadecimal digits, of either case, of an APNs token's length.
  package static func isAPNs(_ token: some Collection<UInt8>) -> Bool {
    apnsLengths.contains(token.count) && token.count.isMultiple(of: 2)
      && token.allSatisfy { hexDigits[Int($0)] }
  }

  /// Whether these bytes have the form of an FCM registration token.
  package static func isFCM(_ token: some Collection<UInt8>) -> Bool {
    guard let colon = token.firstIndex(where: { !isBase64URL($0) }),
      token.distance(from: token.startIndex, to: colon) >= 11
    else { return false }
    var rest = token[colon...]
    if rest.first == UInt8(ascii: ":") {
      rest = rest.dropFirst()
    } else if rest.prefix(3).elementsEqual("%3A".utf8) || rest.prefix(3).elementsEqual("%3a".utf8) {
      rest = rest.dropFirst(3)
    } else {
      return false
    }
    return rest.count >= 100 && rest.allSatisfy(isBase64URL)
  }

  private static let hexDigits: [Bool] = (0..<256).map { byte in
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
