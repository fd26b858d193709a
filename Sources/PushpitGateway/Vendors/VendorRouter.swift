package import PushpitHTTPTypes
package import PushpitModel

/// Whose endpoint a request is for, by host and then by path.
package enum Vendor: Sendable, Equatable {
  case apple
  case google
}

/// Tells Apple's requests from Google's, and one APNs environment from the other.
///
/// Where the host is a vendor's it decides; else the paths `/1/`, `/3/` and `/4/` and any request
/// with `apns-` fields are Apple's, and everything else is Google's.
package enum VendorRouter {
  /// Whose request this is.
  package static func vendor(of head: RequestHead) -> Vendor {
    if let vendor = head.authority.withUnsafeBufferPointer(vendor(ofAuthority:)) { return vendor }
    let target = head.target
    if target.count >= 3, target[0] == UInt8(ascii: "/"), target[2] == UInt8(ascii: "/") {
      switch target[1] {
      case UInt8(ascii: "1"), UInt8(ascii: "3"), UInt8(ascii: "4"): return .apple
      default: break
      }
    }
    return hasAPNsField(head.fields) ? .apple : .google
  }

  /// The APNs environment: that of the host, else of the server name, else of the port or default.
  package static func environment(
    of head: RequestHead, serverName: String?, fallback: APNsEnvironment
  ) -> APNsEnvironment {
    let known = head.authority.withUnsafeBufferPointer { environment(ofAppleHost: hostName($0)) }
    if let known { return known }
    guard let serverName else { return fallback }
    return Array(serverName.utf8).withUnsafeBufferPointer { environment(ofAppleHost: $0) }
      ?? fallback
  }

  /// Whose host a server name is; nil when it is no vendor's.
  static func vendor(ofHost name: String) -> Vendor? {
    Array(name.utf8).withUnsafeBufferPointer(vendor(ofAuthority:))
  }

  private static func vendor(ofAuthority authority: UnsafeBufferPointer<UInt8>) -> Vendor? {
    let host = hostName(authority)
    if hasSuffix(host, ".push.apple.com") { return .apple }
    let isGoogle =
      hasSuffix(host, ".googleapis.com") || hasSuffix(host, ".google.com")
      || hasSuffix(host, ".google.internal")
    return isGoogle ? .google : nil
  }

  /// Sandbox names have it in them; `api.development` is an alias of `api.sandbox` (same addresses,
  /// seen in June 2026).
  private static func environment(ofAppleHost host: UnsafeBufferPointer<UInt8>)
    -> APNsEnvironment?
  {
    guard hasSuffix(host, ".push.apple.com") else { return nil }
    return hasSuffix(host, ".sandbox.push.apple.com")
      || hasSuffix(host, ".development.push.apple.com") ? .sandbox : .production
  }

  /// The host of `host:port`, without the port.
  private static func hostName(
    _ authority: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard authority.first != UInt8(ascii: "[") else { return authority }
    return UnsafeBufferPointer(rebasing: authority.prefix { $0 != UInt8(ascii: ":") })
  }

  private static func hasAPNsField(_ fields: FieldList) -> Bool {
    fields.bytes.withUnsafeBufferPointer { bytes in
      fields.entries.withUnsafeBufferPointer { entries in
        entries.contains { $0.nameCount > 5 && hasPrefix(bytes, at: Int($0.start), "apns-") }
      }
    }
  }

  private static func hasPrefix(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ prefix: StaticString
  ) -> Bool {
    for index in 0..<prefix.utf8CodeUnitCount
    where bytes[start + index] != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether a name ends with a lower-case literal, compared without case.
  private static func hasSuffix(
    _ text: UnsafeBufferPointer<UInt8>, _ suffix: StaticString
  ) -> Bool {
    let start = text.count - suffix.utf8CodeUnitCount
    guard start >= 0 else { return false }
    for index in 0..<suffix.utf8CodeUnitCount {
      let byte = text[start + index]
      guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == suffix.utf8Start[index] else {
        return false
      }
    }
    return true
  }
}
