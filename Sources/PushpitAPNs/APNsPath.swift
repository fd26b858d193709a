internal import PushpitHTTPTypes

/// What a request's path asks for.
enum APNsPath {
  /// `/3/device/` and what follows it in the target, up to the query.
  ///
  /// A slash in what follows is taken as part of the token: tokens in base64 have some.
  case device(Range<Int>)
  /// None of the paths of APNs.
  case unknown

  init(_ head: RequestHead) {
    self = head.target.withUnsafeBufferPointer { target in
      let prefix: StaticString = "/3/device/"
      let start = prefix.utf8CodeUnitCount
      guard target.count >= start,
        equalBytes(
          UnsafeBufferPointer(rebasing: target[..<start]),
          UnsafeBufferPointer(start: prefix.utf8Start, count: start))
      else { return .unknown }
      return .device(start..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.count))
    }
  }
}
