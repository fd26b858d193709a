import PushpitTesting
import XCTest

final class XCTestTests: XCTestCase {
  func testAMessageReachesAnAndroidPhone() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      let push = try await phone.expectPush(within: .seconds(2))
      XCTAssertEqual(push.title, "Hello")
    }
  }
}
