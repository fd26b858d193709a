import PushpitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct MessageTests {
  @Test func aMessageIsShownAndOpensItsConversation() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios, app: "com.example.app", contract: "respondo")
      // Your own server would send this, to gateway.url.
      let answer = try await gateway.sender.send(
        APNsPush(
          to: phone.apnsToken, topic: phone.app,
          payload: """
            {"aps": {"alert": {"title": "Ana", "body": "See you at eight"}},
             "respondo": {"type": "message", "conversation_id": "c1", "message_id": "m1",
                          "deep_link": "respondo://conversation/c1"}}
            """))
      #expect(answer.isAccepted)

      let push = try await phone.expectPush(within: .seconds(2))
      #expect(push.title == "Ana" && push.body == "See you at eight")
      #expect(push.state == .displayed && push.deepLink == "respondo://conversation/c1")
      try await phone.tap(push)
      #expect(try await phone.inbox().first?.state == .tapped)
    }
  }
}
