internal import PushpitAPNs
internal import PushpitJSON

/// What Apple ends a connection with: a GOAWAY frame whose debug data is JSON with a reason.
///
/// NO_ERROR, last stream 0, `{"reason":"BadCertificateEnvironment"}` without blanks or newline
/// (captures of 2016, 2017 and 2018: buford issue 76, apns2 issues 93 and 117).
enum AppleGoAway {
  /// The whole frame.
  static func bytes(_ reason: APNsReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("reason", reason.rawValue)
    writer.endObject()
    let count = 8 + writer.bytes.count
    let head: [UInt8] = [0, UInt8(count >> 8), UInt8(count & 0xFF), 7, 0, 0, 0, 0, 0]
    let lastStream: [UInt8] = [0, 0, 0, 0]
    let noError: [UInt8] = [0, 0, 0, 0]
    return head + lastStream + noError + writer.bytes
  }
}
