import PushpitTesting
import Testing

/// A test's workspace at a gateway that runs already; here it runs in the same process.
@Suite(.timeLimit(.minutes(5))) struct RunningGatewayTests {
  @Test func `devices, pushes and expectations work as in a gateway of the test's own`()
    async throws
  {
    try await withGateway { own in
      try await withRunningGateway(console: own.consoleURL) { gateway in
        #expect(gateway.url == own.url && gateway.credentials != own.credentials)
        let phone = try await gateway.device(
          .ios, firebase: true, contract: "respondo", topics: ["news"])
        let payload = """
          {"aps": {"alert": {"title": "Ana", "body": "Hi"}},
           "respondo": {"type": "message", "conversation_id": "c1", "message_id": "m1",
                        "deep_link": "respondo://conversation/c1"}}
          """
        let answer = try await gateway.sender.send(
          APNsPush(to: phone.apnsToken, payload: payload))
        #expect(answer.isAccepted)
        let push = try await phone.expectPush(within: .seconds(60))
        #expect(push.title == "Ana" && push.body == "Hi" && push.state == .displayed)
        #expect(push.deepLink == "respondo://conversation/c1" && push.messageID == "m1")
        #expect(push.payload.contains("conversation_id") && !push.cause.isEmpty)
        try await phone.tap(push)
        let tapped = try await phone.inbox()
        #expect(tapped.map(\.state) == [.tapped])

        let android = try await gateway.device(.android)
        try await gateway.sender.send(
          FCMMessage(to: android.registrationToken, title: "Hello", data: ["a": "1"]))
        let message = try await android.expectPush(within: .seconds(60))
        #expect(message.title == "Hello" && message.data == ["a": "1"])

        let envelopes = await gateway.envelopes()
        #expect(envelopes.map(\.service) == [.apns, .oauth, .fcm])
        #expect(envelopes[0].deliveries.map(\.state) == [.delivered, .displayed, .tapped])
        #expect(envelopes[0].body == payload)
        #expect(await own.envelopes().isEmpty)
      }
    }
  }

  @Test func `a device's life, the clock and the settings are the workspace's`() async throws {
    try await withGateway { own in
      try await withRunningGateway(
        console: own.consoleURL, GatewayOptions(acceptsUnknownTokens: false)
      ) { gateway in
        let phone = try await gateway.device(.ios)
        let token = try await phone.apnsToken
        try await phone.goOffline()
        try await gateway.sender.send(APNsPush(to: token, title: "Later", body: ""))
        try await phone.expectNoPush()
        try await phone.goOnline()
        #expect(try await phone.expectPush(within: .seconds(60)).title == "Later")
        try await phone.uninstall()
        let gone = try await gateway.sender.send(APNsPush(to: token, title: "Gone", body: ""))
        #expect(gone.reason == "Unregistered")
        try await phone.reinstall()
        #expect(try await phone.apnsToken != token)
        let unknown = try await gateway.sender.send(
          APNsPush(to: String(repeating: "ab", count: 32), title: "Who", body: ""))
        #expect(unknown.reason == "BadDeviceToken")
        try await gateway.advanceClock(by: .seconds(61 * 60))
        let fresh = try await gateway.sender.send(
          APNsPush(to: phone.apnsToken, title: "Fresh", body: ""))
        #expect(fresh.isAccepted)
        await #expect(throws: TestGatewayError.self) { try await gateway.set("{\"none\": 1}") }
        await #expect(throws: TestGatewayError.self) { try await gateway.set("{") }
        try await gateway.set("{\"tokens\": \"open\"}")
        try await gateway.reset()
        #expect(await gateway.envelopes().isEmpty)
      }
    }
  }

  @Test func `the recording is asked for what came, in both kinds of gateways`() async throws {
    try await withGateway { own in
      try await withRunningGateway(console: own.consoleURL) { running in
        for gateway in [own, running] {
          let phone = try await gateway.device(.ios)
          try await gateway.sender.send(APNsPush(to: phone.apnsToken, title: "Ana", body: "Hi"))
          let met = try await gateway.expect(
            ["/aps/alert/title": "Ana", "status": 200, "topic": .glob("com.*")], count: 1,
            within: .milliseconds(10))
          #expect(met.map(\.isAccepted) == [true])
          do {
            try await gateway.expect(
              ["/aps/alert/title": .startsWith("Bo"), "outcome": .not("rejected")],
              within: .milliseconds(10))
            Issue.record("nothing of it was sent")
          } catch TestGatewayError.unmet(let unmet) {
            #expect(unmet.nearMisses.first?.envelope == met[0].id)
            let text = "\(TestGatewayError.unmet(unmet))"
            #expect(text.contains(#"/aps/alert/title: expected {"startsWith":"Bo"}, found "Ana""#))
          }
        }
      }
    }
  }

  @Test func `the workspace is removed with the test, whatever it throws`() async throws {
    struct Mistake: Error {}
    try await withGateway { own in
      var left: TestGateway?
      await #expect(throws: Mistake.self) {
        try await withRunningGateway(console: own.consoleURL) { gateway in
          left = gateway
          throw Mistake()
        }
      }
      let gateway = try #require(left)
      await #expect(throws: TestGatewayError.stopped) { try await gateway.reset() }
      #expect(await gateway.envelopes().isEmpty)
    }
  }

  @Test func `the files of the credentials are written for senders that read files`() async throws {
    try await withGateway { own in
      try await withRunningGateway(console: own.consoleURL) { gateway in
        let files = try await gateway.credentialFiles()
        #expect(files.apnsKey.hasSuffix("AuthKey_\(gateway.credentials.apnsKeyID).p8"))
        #expect(files.serviceAccount.hasPrefix(files.folder))
      }
    }
  }

  @Test func `who is not there is named`() async throws {
    for url in ["http://localhost:1", "https://localhost:8197", "localhost", "http://a:b"] {
      do {
        try await withRunningGateway(console: url) { _ in }
        Issue.record("\(url) answered")
      } catch TestGatewayError.start(let text) {
        #expect(text.contains(url))
      }
    }
  }
}
