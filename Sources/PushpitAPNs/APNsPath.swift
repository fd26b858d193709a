internal import PushpitHTTPTypes

/// What a request's path asks for.
enum APNsPath {
  /// `/3/device/` and what follows it in the target, up to the query.
  ///
  /// A slash in what follows is taken as part of the token: tokens in base64 have some.
  case device(Range<Int>, isPercentEncoded: Bool)
  /// `/4/broadcasts/apps/<bundle ID>`, and where the bundle ID lies in the target.
  case broadcast(app: Range<Int>)
  /// `/1/apps/<bundle ID>/channels`.
  case channels(app: Range<Int>)
  /// `/1/apps/<bundle ID>/all-channels`.
  case allChannels(app: Range<Int>)
  /// None of the paths of APNs.
  case unknown

  init(_ head: RequestHead) {
    self = head.target.withUnsafeBufferPointer { Self.read($0) }
  }

  private static func read(_ target: UnsafeBufferPointer<UInt8>) -> APNsPath {
    let prefix: StaticString = "/3/device/"
    let start = prefix.utf8CodeUnitCount
    guard target.count >= start,
      UnsafeBufferPointer(rebasing: target[..<start]).isEqual(prefix)
    else { return readBroadcast(target) }
    let rest = UnsafeBufferPointer(rebasing: target[start...])
    let mark = rest.firstIndex(of: UInt8(ascii: "%"), or: UInt8(ascii: "?"))
    guard let mark else { return .device(start..<target.count, isPercentEncoded: false) }
    let end = rest[mark...].firstIndex(of: UInt8(ascii: "?")) ?? rest.count
    return .device(
      start..<(start + end), isPercentEncoded: rest[mark] == UInt8(ascii: "%"))
  }

  /// The paths about channels, in which exactly one segment, the bundle ID, is free.
  private static func readBroadcast(_ target: UnsafeBufferPointer<UInt8>) -> APNsPath {
    let path = UnsafeBufferPointer(rebasing: target.prefix { $0 != UInt8(ascii: "?") })
    if let app = app(in: path, between: "/4/broadcasts/apps/", and: "") {
      return .broadcast(app: app)
    }
    if let app = app(in: path, between: "/1/apps/", and: "/channels") {
      return .channels(app: app)
    }
    if let app = app(in: path, between: "/1/apps/", and: "/all-channels") {
      return .allChannels(app: app)
    }
    return .unknown
  }

  private static func app(
    in path: UnsafeBufferPointer<UInt8>, between prefix: StaticString, and suffix: StaticString
  ) -> Range<Int>? {
    let start = prefix.utf8CodeUnitCount
    let end = path.count - suffix.utf8CodeUnitCount
    guard start < end, UnsafeBufferPointer(rebasing: path[..<start]).isEqual(prefix),
      UnsafeBufferPointer(rebasing: path[end...]).isEqual(suffix)
    else { return nil }
    let isBundleID = path[start..<end].allSatisfy(APNsTopic.isTopicCharacter)
    return isBundleID && end - start <= APNsTopic.limit ? start..<end : nil
  }
}
