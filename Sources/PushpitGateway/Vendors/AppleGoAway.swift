internal import PushpitAPNs
internal import PushpitHTTP
internal import PushpitJSON
internal import PushpitModel

/// The GOAWAY by which APNs ends a connection for a reason.
///
/// NO_ERROR with the debug data `{"reason":"X"}`, compact and without newline (captured 2016, 2017 and
/// 2018; Apple: "includes JSON data with a `reason` key"). The captures are of refused certificates,
/// where the last stream is 0; of `IdleTimeout` and `Shutdown` there are none, and the same form with
/// the last stream that was worked on is assumed, because anything less would make clients send again
/// what was accepted.
enum AppleGoAway {
  /// The whole frame, and where the setting is `two` a second one without the reason.
  static func bytes(
    _ reason: APNsReason, lastStreamID: UInt32 = 0, count: APNsSettings.GoAways = .one
  ) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("reason", reason.rawValue)
    writer.endObject()
    let first = GoAwayFrame(lastStreamID: lastStreamID, debugData: writer.bytes).bytes
    return switch count {
    case .one: first
    case .two: first + GoAwayFrame(lastStreamID: lastStreamID).bytes
    }
  }
}
