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
    let rest = UnsafeBufferPointer(rebasing: target[start...])
    let mark = firstIndex(in: rest, of: UInt8(ascii: "%"), or: UInt8(ascii: "?"))
    guard let mark else { return .device(start..<target.count, isPercentEncoded: false) }
    let end = rest[mark...].firstIndex(of: UInt8(ascii: "?")) ?? rest.count
    return .device(
      start..<(start + end), isPercentEncoded: rest[mark] == UInt8(ascii: "%"))
  }
}
