import PushpitTesting
import Testing

/// What a failing expectation says.
@Suite(.timeLimit(.minutes(5))) struct MissingPushTests {
  /// The text of the failure of an expectation that does not wait.
  private func failure(of device: TestDevice) async throws -> String {
    let error = try #require(
      await #expect(throws: TestGatewayError.self) { try await device.expectPush(within: .zero) })
    return "\(error)"
  }

  @Test func `a registration token at APNs is named with its fix`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, firebase: true)
      try await gateway.sender.send(
        APNsPush(to: phone.registrationToken, title: "Hello", body: ""))
      let text = try await failure(of: phone)
      #expect(text.contains("e1 to apns was refused: 400 BadDeviceToken"))
      #expect(text.contains("fcm-token-at-apns") && text.contains("getAPNSToken()"))
    }
  }

  @Test func `nothing was sent`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, name: "phone")
      let text = try await failure(of: phone)
      #expect(text.hasPrefix("no push reached ios device 'phone' (\(phone.id)) within 0.0 seconds"))
      #expect(text.hasSuffix("nothing was sent to the gateway"))
    }
  }

  @Test func `a push is stored, for another device, or for none`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      let other = try await gateway.device(.android)
      try await phone.goOffline()
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      try await gateway.sender.send(FCMMessage(to: other.registrationToken, title: "Hello"))
      try await gateway.sender.send(
        APNsPush(to: String(repeating: "ab", count: 32), title: "Hello", body: ""))
      let text = try await failure(of: phone)
      #expect(text.contains("to fcm was accepted; here stored: "))
      #expect(text.contains("to fcm was accepted, for another device, \(other.id): displayed"))
      #expect(text.contains("to apns was accepted, for a token of no device"))
      #expect(!text.contains("oauth"))
    }
  }

  @Test func `an earlier expectation returned the push`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      try await gateway.sender.send(APNsPush(to: phone.apnsToken, title: "Hello", body: ""))
      try await phone.expectPush()
      let text = try await failure(of: phone)
      #expect(
        text.hasSuffix("here displayed: shown on the screen (an earlier expectation returned it)"))
    }
  }

  @Test func `only the newest envelopes are told of`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      for _ in 0...MissingPush.envelopeLimit {
        try await gateway.sender.send(APNsPush(to: "none", title: "Hello", body: ""))
      }
      let error = try #require(
        await #expect(throws: TestGatewayError.self) { try await phone.expectPush(within: .zero) })
      guard case .noPush(let missing) = error else {
        Issue.record("another error: \(error)")
        return
      }
      #expect(missing.envelopes.map(\.id) == ["e2", "e3", "e4", "e5", "e6"])
    }
  }
}
