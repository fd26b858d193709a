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
    let host = hostName(head.authority)
    if hasSuffix(host, ".push.apple.com") { return .apple }
    if hasSuffix(host, ".googleapis.com") || hasSuffix(host, ".google.com")
      || hasSuffix(host, ".google.internal")
    {
      return .google
    }
    let target = head.target
    if target.count >= 3, target[0] == UInt8(ascii: "/"), target[2] == UInt8(ascii: "/") {
      switch target[1] {
      case UInt8(ascii: "1"), UInt8(ascii: "3"), UInt8(ascii: "4"): return .apple
      default: break
      }
    }
    return hasAPNsField(head.fields) ? .apple : .google
  }

  /// The APNs environment of the host, else that of the connection.
  package static func environment(
    of head: RequestHead, fallback: APNsEnvironment
  ) -> APNsEnvironment {
    environment(ofAppleHost: hostName(head.authority)) ?? fallback
  }

  /// The APNs environment of the server name, else that of the port or the default.
  package static func environment(
    ofServerName serverName: String?, fallback: APNsEnvironment
  ) -> APNsEnvironment {
    guard let serverName else { return fallback }
    return environment(ofAppleHost: ArraySlice(serverName.utf8)) ?? fallback
  }

  /// Sandbox names have it in them; `api.development` is an alias of `api.sandbox` (same addresses,
  /// seen in June 2026).
  private static func environment(ofAppleHost host: ArraySlice<UInt8>) -> APNsEnvironment? {
    guard hasSuffix(host, ".push.apple.com") else { return nil }
    return hasSuffix(host, ".sandbox.push.apple.com")
      || hasSuffix(host, ".development.push.apple.com") ? .sandbox : .production
  }

  /// The host of `host:port`, without the port.
  static func hostName(_ authority: [UInt8]) -> ArraySlice<UInt8> {
    guard authority.first != UInt8(ascii: "[") else { return authority[...] }
    return authority[..<(authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex)]
  }

  private static func hasAPNsField(_ fields: FieldList) -> Bool {
    fields.entries.contains { entry in
      entry.nameCount > 5 && fields.bytes[entry.name.prefix(5)].elementsEqual("apns-".utf8)
    }
  }

  private static func hasSuffix(_ text: ArraySlice<UInt8>, _ suffix: StaticString) -> Bool {
    text.count >= suffix.utf8CodeUnitCount && equals(text.suffix(suffix.utf8CodeUnitCount), suffix)
  }

  private static func equals(_ text: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
    guard text.count == literal.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in text {
      let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
      guard lower == literal.utf8Start[index] else { return false }
      index += 1
    }
    return true
  }
}
