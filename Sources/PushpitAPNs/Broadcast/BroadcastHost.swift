import PushpitHTTPTypes

/// What Apple's host of a request is for.
enum BroadcastHost {
  /// `api-manage-broadcast`, with or without `.sandbox`: channels are managed there and nowhere else
  /// (Apple: Sending channel management requests to APNs).
  case management
  /// Another host of APNs, where pushes and broadcasts are sent.
  ///
  /// Broadcasts work at `api.sandbox.push.apple.com` too (field report, May 2026).
  case push
  /// No host of Apple's: the path alone decides.
  case other

  init(_ authority: [UInt8]) {
    self = authority.withUnsafeBufferPointer { authority in
      let host = UnsafeBufferPointer(rebasing: authority.prefix { $0 != UInt8(ascii: ":") })
      guard Self.ends(host, with: ".push.apple.com") else { return .other }
      let name = UnsafeBufferPointer(rebasing: host.prefix { $0 != UInt8(ascii: ".") })
      return name.isEqualIgnoringCase("api-manage-broadcast") ? .management : .push
    }
  }

  /// Whether an authority may be the management host's, by the one character that `api.push...`,
  /// `localhost` and `127.0.0.1` do not have there: asked for each push.
  @inline(__always)
  static func mayBeManagement(_ authority: [UInt8]) -> Bool {
    authority.count > 20 && authority[4] | 0x20 == UInt8(ascii: "m")
  }

  private static func ends(
    _ host: UnsafeBufferPointer<UInt8>, with suffix: StaticString
  ) -> Bool {
    let count = suffix.utf8CodeUnitCount
    return host.count >= count
      && UnsafeBufferPointer(rebasing: host.suffix(count)).isEqualIgnoringCase(suffix)
  }
}
