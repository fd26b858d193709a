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
    "", "/", "/3/device", "/3/Device/a", "/4/device/a", "3/device/a", "/3/devices/a",
  ])
  func `other paths are unknown`(target: String) {
    guard case .unknown = APNsPath(RequestHead(method: "POST", target: target)) else {
      Issue.record("taken for a device path")
      return
    }
  }
}
