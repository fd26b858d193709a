import PushpitTesting
import Testing

/// The sender of a test's gateway.
@Suite(.timeLimit(.minutes(5))) struct TestSenderTests {
  @Test func `APNs answers an ID, a reason and a host's own environment`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, environment: .production)
      var push = try await APNsPush(to: phone.apnsToken, title: "Hello", body: "World")
      push.environment = .production
      push.priority = 10
      push.collapseID = "news"
      push.expiration = 0
      let good = try await gateway.sender.send(push)
      #expect(good.isAccepted && good.apnsID?.count == 36 && good.reason == nil)
      push.environment = .sandbox
      let bad = try await gateway.sender.send(push)
      #expect(bad.status == 400 && bad.reason == "BadDeviceToken")
      #expect(await gateway.envelopes().last?.diagnosis?.code == "production-token-at-sandbox")
    }
  }

  @Test func `FCM answers a name and an error code`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      let message = try await FCMMessage(to: phone.registrationToken, title: "Hello", body: "World")
      let good = try await gateway.sender.send(message)
      #expect(good.isAccepted && good.messageName?.hasPrefix("projects/pushpit-local/") == true)
      try await phone.uninstall()
      let bad = try await gateway.sender.send(message)
      #expect(bad.status == 404 && bad.reason == "UNREGISTERED" && bad.body.contains("error"))
      var foreign = message
      foreign.projectID = "other"
      #expect(try await gateway.sender.send(foreign).isAccepted == false)
    }
  }

  @Test func `tokens of the sender follow the gateway's clock`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, firebase: true)
      for _ in 1...3 {
        #expect(
          try await gateway.sender.send(
            APNsPush(to: phone.apnsToken, title: "Hello", body: "")
          ).isAccepted)
        #expect(
          try await gateway.sender.send(
            FCMMessage(to: phone.registrationToken, title: "Hello")
          ).isAccepted)
        try await gateway.advanceClock(by: .seconds(2 * 3600))
      }
    }
  }

  @Test func `a clock does not leave the calendar`() async throws {
    try await withGateway { gateway in
      await #expect(throws: TestGatewayError.self) {
        try await gateway.advanceClock(by: .seconds(1 << 40))
      }
    }
  }
}
