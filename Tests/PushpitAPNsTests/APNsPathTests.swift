import PushpitHTTPTypes
import Testing

@testable import PushpitAPNs

@Suite struct APNsPathTests {
  @Test(arguments: [
    ("/3/device/abc", "abc", false), ("/3/device/", "", false), ("/3/device/?x=%20", "", false),
    ("/3/device/abc?x=%20", "abc", false), ("/3/device/a%3Ab?x=1", "a%3Ab", true),
    ("/3/device/a/b==", "a/b==", false),
  ])
  func `the token is what follows up to the query`(
    target: String, token: String, isEncoded: Bool
  ) throws {
    let head = RequestHead(method: "POST", target: target)
    guard case .device(let range, let isPercentEncoded) = APNsPath(head) else {
      Issue.record("not a device path")
      return
    }
    #expect(head.target[range].elementsEqual(token.utf8))
    #expect(isPercentEncoded == isEncoded)
  }

  @Test(arguments: [
    ("/4/broadcasts/apps/com.a.b-c", "broadcast com.a.b-c"),
    ("/4/broadcasts/apps/com.a?x=/channels", "broadcast com.a"),
    ("/1/apps/com.a/channels", "channels com.a"), ("/1/apps/com.a/channels?", "channels com.a"),
    ("/1/apps/com.a/all-channels", "allChannels com.a"),
    ("/4/broadcasts/apps/", "unknown"), ("/4/broadcasts/apps/a/b", "unknown"),
    ("/4/broadcasts/com.a", "unknown"), ("/1/apps//channels", "unknown"),
    ("/1/apps/channels", "unknown"), ("/1/apps/a/channels/", "unknown"),
    ("/1/apps/a/b/channels", "unknown"), ("/1/apps/a%2Eb/channels", "unknown"),
    ("/1/apps/a/all-channels/x", "unknown"), ("/1/apps/a b/channels", "unknown"),
  ])
  func `paths about channels have one free segment, the bundle ID`(target: String, path: String) {
    let head = RequestHead(method: "POST", target: target)
    func text(_ range: Range<Int>) -> String { String(decoding: head.target[range], as: UTF8.self) }
    let found =
      switch APNsPath(head) {
      case .broadcast(let app): "broadcast \(text(app))"
      case .channels(let app): "channels \(text(app))"
      case .allChannels(let app): "allChannels \(text(app))"
      case .device: "device"
      case .unknown: "unknown"
      }
    #expect(found == path)
  }

  @Test(arguments: [
    "", "/", "/3/device", "/3/Device/a", "/4/device/a", "3/device/a", "/3/devices/a",
  ])
  func `other paths are unknown`(target: String) {
    guard case .unknown = APNsPath(RequestHead(method: "POST", target: target)) else {
      Issue.record("taken for a device path")
      return
    }
  }
}
