import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Tokens of other kinds, Live Activities and lint, as a sender and a test see them.
@Suite(.timeLimit(.minutes(5))) struct LiveActivityEndToEndTests {
  /// Sends a Live Activity's push and returns the status.
  private func send(
    _ gateway: TestGateway, _ token: String, _ members: KeyValuePairs<String, JSONValue>
  ) async throws -> Int {
    var aps = JSONObject(members)
    aps["timestamp"] = .int(SystemTime().now.seconds)
    let client = try await gateway.connect()
    let head = RequestHead(
      method: "POST", target: "/3/device/\(token)", authority: gateway.authority,
      fields: [
        "authorization": "bearer \(try gateway.providerToken())",
        "apns-topic": "\(TestGateway.topic).push-type.liveactivity",
        "apns-push-type": "liveactivity",
      ])
    let body = JSONValue.object(JSONObject(["aps": .object(aps)])).serialized()
    let answer = try await client.request(head, body: body)
    await client.close()
    return answer.head.status
  }

  @Test func `a push starts an activity, whose token a test reads, updates and ends`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice([
        "platform": "ios", "online": true, "tokens": ["pushToStart": true],
      ])
      let path = "/api/v1/devices/\(device.id)"
      let feed = try await gateway.follow("/api/v1/events?kind=device")
      let made = try await gateway.call("GET", path).json
      let starter = try #require(made.pointer("/tokens/pushToStart")?.stringValue)
      #expect(
        try await send(
          gateway, starter,
          [
            "event": "start", "content-state": ["score": 0], "attributes-type": "Game",
            "attributes": [:], "alert": ["title": "Kick-off"],
          ]) == 200)
      let started = try await gateway.call("GET", path).json
      let token = try #require(started.pointer("/activities/0/token")?.stringValue)
      #expect(token.count == 160)
      let event = try await feed.next()
      #expect(event?.data.pointer("/device/activities/0/token") == .string(token))
      await feed.close()
      for (event, state) in [("update", "active"), ("end", "ended")] as [(JSONValue, JSONValue)] {
        let status = try await send(
          gateway, token, ["event": event, "content-state": ["score": 1]])
        #expect(status == 200)
        let after = try await gateway.call("GET", path).json
        #expect(after.pointer("/activities/0/state") == state)
        #expect(after.pointer("/activities/0/contentState/score") == 1)
      }
      #expect(
        try await send(gateway, token, ["event": "update", "content-state": [:]]) == 200,
        "observed: dead tokens of Live Activities keep being answered with 200")
      let last = try await gateway.lastEnvelope()
      #expect(last.pointer("/deliveries/0/state") == "dropped")
      #expect(last["warnings"] == [])
    }
  }

  @Test func `lint is in the envelope, in the list by its code, and in the event`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let feed = try await gateway.follow("/api/v1/events?kind=envelope")
      let client = try await gateway.connect()
      var head = gateway.apnsHead(device.apns, authorization: try gateway.providerToken())
      head.fields.append("apns-priority", "10")
      let body = Array(#"{"aps":{"alert":"Hi","badge":"1"}}"#.utf8)
      #expect(try await client.request(head, body: body).head.status == 200)
      await client.close()
      let warning = try await gateway.lastEnvelope().pointer("/warnings/0")
      #expect(warning?["code"] == "lint-key-type")
      #expect(warning?["pointer"] == "/aps/badge")
      let event = try await feed.next()
      #expect(event?.data.pointer("/envelope/warnings/0/code") == "lint-key-type")
      await feed.close()
      #expect(try await gateway.envelopes("warning=lint-key-type").count == 1)
      #expect(try await gateway.envelopes("warning=lint-key-misspelt").isEmpty)
    }
  }

  @Test func `an expired token is 410 ExpiredToken with milliseconds`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let before = SystemTime().now
      let action = "/api/v1/devices/\(device.id)/expire-token"
      #expect(try await gateway.call("POST", action).status == 200)
      let answer = try await gateway.push(device.apns)
      #expect(answer.head.status == 410)
      let body = try JSONReader.parse(answer.body)
      #expect(body["reason"] == "ExpiredToken")
      #expect(try #require(body["timestamp"]?.intValue) >= before.milliseconds)
    }
  }
}
