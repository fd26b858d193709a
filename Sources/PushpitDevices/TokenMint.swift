internal import PushpitModel

/// Makes tokens of the shapes that devices have.
enum TokenMint {
  private static let base64URL: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  /// Lengths of registration tokens observed on browsers (142) and Android (to 163).
  static let fcmLengths = 142...163

  /// Lower-case hexadecimal digits, as many as a device token of this kind has.
  static func apns(_ random: RandomSource, _ kind: DeviceTokenKind = .app) -> [UInt8] {
    Array(random.hex(kind.mintedLength).utf8)
  }

  /// A registration token: a Firebase installation ID, a colon and `APA91b...`.
  static func fcm(_ random: RandomSource) -> [UInt8] {
    let spread = UInt64(fcmLengths.upperBound - fcmLengths.lowerBound + 1)
    let length = fcmLengths.lowerBound + Int(random.next() % spread)
    let head = random.text(22, of: base64URL) + ":APA91b"
    return Array(head.utf8) + Array(random.text(length - head.utf8.count, of: base64URL).utf8)
  }

  /// A given APNs token as the registry has it.
  static func canonicalAPNs(_ token: String) -> [UInt8] {
    token.utf8.map { (0x41...0x46).contains($0) ? $0 + 0x20 : $0 }
  }

  /// A given registration token as the registry has it: a colon, not its percent-encoding.
  static func canonicalFCM(_ token: String) -> [UInt8] {
    guard let percent = token.utf8.firstIndex(of: UInt8(ascii: "%")) else {
      return Array(token.utf8)
    }
    return Array(token.utf8[..<percent]) + [UInt8(ascii: ":")]
      + Array(token.utf8[percent...].dropFirst(3))
  }
}
