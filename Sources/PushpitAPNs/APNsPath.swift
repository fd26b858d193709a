internal import PushpitHTTPTypes

/// What a request's path asks for.
enum APNsPath {
  /// `/3/device/` and what follows it in the target, up to the query.
  ///
  /// A slash in what follows is taken as part of the token: tokens in base64 have some.
  case device(Range<Int>, isPercentEncoded: Bool)
  /// None of the paths of APNs.
  case unknown

  init(_ head: RequestHead) {
    self = head.target.withUnsafeBufferPointer { Self.read($0) }
  }

  private static func read(_ target: UnsafeBufferPointer<UInt8>) -> APNsPath {
    let prefix: StaticString = "/3/device/"
    let start = prefix.utf8CodeUnitCount
    guard target.count >= start,
      equalBytes(UnsafeBufferPointer(rebasing: target[..<start]), prefix)
    else { return .unknown }
    var isEncoded = false
    var end = start
    while end < target.count, target[end] != UInt8(ascii: "?") {
      if target[end] == UInt8(ascii: "%") { isEncoded = true }
      end += 1
    }
    return .device(start..<end, isPercentEncoded: isEncoded)
  }
}
