import PushpitTesting
import Testing

/// What devices of a test do.
@Suite(.timeLimit(.minutes(5))) struct TestDeviceTests {
  private let message =
    #"{"aps":{"alert":{"title":"Ana","body":"Hi"}},"respondo":{"type":"message","#
    + #""conversation_id":"c1","message_id":"m1","deep_link":"respondo://conversation/c1"}}"#

  @Test func `a push has all that reached the app`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, contract: "respondo", name: "Ana's phone")
      #expect(phone.name == "Ana's phone" && phone.platform == .ios)
      #expect(phone.app == "com.example.app")
      try await gateway.sender.send(APNsPush(to: phone.apnsToken, payload: message))
      let push = try await phone.expectPush()
      #expect(push.title == "Ana" && push.body == "Hi" && push.service == .apns)
      #expect(push.payload == message && push.payloadBytes == Array(message.utf8))
      #expect(push.data.keys.sorted() == ["respondo"])
      #expect(push.state == .displayed && push.cause == "shown on the screen")
      #expect(push.contract == "respondo" && push.messageID == "m1" && push.deliveryID == nil)
      #expect(push.deepLink == "respondo://conversation/c1")
      #expect(await gateway.envelopes().map(\.id) == [push.envelope])
    }
  }

  @Test func `pushes come in order, and each expectation gets the next`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      for title in ["one", "two"] {
        try await gateway.sender.send(
          FCMMessage(to: phone.registrationToken, title: title, data: ["key": title]))
      }
      #expect(try await phone.expectPush().data == ["key": "one"])
      #expect(try await phone.expectPush().title == "two")
      try await phone.expectNoPush()
      #expect(try await phone.inbox().map(\.title) == ["one", "two"])
    }
  }

  @Test func `an expectation waits for a push that is sent later`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.web)
      async let push = phone.expectPush(within: .seconds(30))
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, body: "later"))
      #expect(try await push.body == "later")
    }
  }

  @Test func `a push that should not have come is told of`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      try await gateway.sender.send(APNsPush(to: phone.apnsToken, title: "Hello", body: ""))
      let error = try #require(
        await #expect(throws: TestGatewayError.self) { try await phone.expectNoPush() })
      #expect("\(error)" == "a push reached the device: envelope e1, title 'Hello', displayed")
    }
  }

  @Test func `a tap opens the conversation, and what comes for it is suppressed`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, contract: "respondo")
      let push = try await APNsPush(to: phone.apnsToken, payload: message)
      try await gateway.sender.send(push)
      try await phone.tap()
      #expect(try await phone.inbox().map(\.state) == [.tapped])
      var next = push
      next.payload = message.replacing("m1", with: "m2")
      try await gateway.sender.send(next)
      try await phone.expectPush()
      #expect(try await phone.expectPush().state == .suppressed)
      try await gateway.sender.send(next)
      #expect(try await phone.expectPush().state == .duplicate)
      try await phone.close()
      next.payload = message.replacing("m1", with: "m3")
      try await gateway.sender.send(next)
      let shown = try await phone.expectPush()
      #expect(shown.state == .displayed)
      try await phone.dismiss(shown)
      #expect(try await phone.inbox().map(\.state).last == .dismissed)
      try await phone.open(conversation: "c1")
      next.payload = message.replacing("m1", with: "m4")
      try await gateway.sender.send(next)
      #expect(try await phone.expectPush().state == .suppressed)
    }
  }

  @Test func `nothing can be tapped on an empty screen`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      for act in [phone.tap, phone.dismiss] {
        await #expect(
          throws: TestGatewayError.device("the device shows no push that could be tapped")
        ) {
          try await act(nil)
        }
      }
    }
  }

  @Test func `a device gets what was stored when it comes online or has power`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      try await phone.goOffline()
      let push = try await FCMMessage(to: phone.registrationToken, title: "Hello")
      try await gateway.sender.send(push)
      try await phone.expectNoPush()
      try await phone.goOnline()
      #expect(try await phone.expectPush().title == "Hello")
      try await phone.setPowerSaving(isOn: true)
      try await gateway.sender.send(
        FCMMessage(
          message: #"{"token":"\#(phone.registrationToken)","data":{"a":"b"}}"#))
      try await phone.expectNoPush()
      try await phone.setPowerSaving(isOn: false)
      #expect(try await phone.expectPush().data == ["a": "b"])
    }
  }

  @Test func `what expires while a device is offline never comes`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      try await phone.goOffline()
      try await gateway.sender.send(
        FCMMessage(
          message: #"{"token":"\#(phone.registrationToken)","android":{"ttl":"60s"},"data":{}}"#))
      try await gateway.advanceClock(by: .seconds(61))
      try await phone.goOnline()
      try await phone.expectNoPush()
      #expect(await gateway.envelopes().last?.deliveries.last?.state == .expired)
    }
  }

  @Test func `a phone whose owner forbids notifications shows none`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      try await phone.setNotifications(isAllowed: false)
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      #expect(try await phone.expectPush().state == .suppressed)
      try await phone.setNotifications(isAllowed: true)
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      #expect(try await phone.expectPush().state == .displayed)
    }
  }

  @Test func `tokens change and die with the app`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, firebase: true)
      func answer(_ token: String) async throws -> String? {
        try await gateway.sender.send(APNsPush(to: token, title: "Hello", body: "")).reason
      }
      let first = try await phone.apnsToken
      #expect(try await !phone.registrationToken.isEmpty)
      try await phone.rotateToken()
      let second = try await phone.apnsToken
      #expect(second != first)
      #expect(try await answer(first) == "Unregistered")
      try await phone.uninstall()
      #expect(try await answer(second) == "Unregistered")
      try await phone.reinstall()
      let third = try await phone.apnsToken
      #expect(third != second)
      #expect(try await answer(third) == nil)
      try await phone.logOut()
      #expect(try await answer(third) == nil)
      #expect(await gateway.envelopes().last?.warnings.map(\.code) == ["sent-after-clear"])
    }
  }

  @Test func `an app waits for its token, and has none of the other vendor`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, tokenDelay: .seconds(3600))
      await #expect(throws: TestGatewayError.self) { try await phone.apnsToken }
      try await gateway.advanceClock(by: .seconds(3601))
      #expect(try await phone.apnsToken.count == 64)
      await #expect(throws: TestGatewayError.device("the device has no token fcm")) {
        try await phone.registrationToken
      }
    }
  }

  @Test func `a device that cannot be is refused with the reason`() async throws {
    try await withGateway { gateway in
      await #expect(throws: TestGatewayError.self) { try await gateway.device(.ios, app: "a b") }
      let browser = try await gateway.device(.web)
      await #expect(throws: TestGatewayError.self) { try await browser.setPowerSaving(isOn: true) }
    }
  }
}
