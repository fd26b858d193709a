import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Broadcasts from the sender to the devices that follow a channel.
@Suite(.timeLimit(.minutes(5))) struct BroadcastEndToEndTests {
  static let manager = "api-manage-broadcast.sandbox.push.apple.com:2195"

  /// A sender of broadcasts on one connection.
  struct Sender {
    let gateway: TestGateway
    let client: HTTPClient
    let token: String

    init(_ gateway: TestGateway) async throws {
      self.gateway = gateway
      client = try await gateway.connect()
      token = try gateway.providerToken()
    }

    func request(
      _ method: String, _ target: String, host: String? = nil, channel: String? = nil,
      fields: KeyValuePairs<String, String> = [:], body: String = ""
    ) async throws -> Response {
      var head = RequestHead(
        method: method, target: target, authority: host ?? gateway.authority, fields: fields)
      head.fields.append("authorization", "bearer \(token)")
      if let channel { head.fields.append("apns-channel-id", channel) }
      return try await client.request(head, body: Array(body.utf8))
    }

    func makeChannel(policy: Int = 1, host: String? = nil) async throws -> String {
      let answer = try await request(
        "POST", "/1/apps/\(TestGateway.topic)/channels", host: host,
        body: #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
      #expect(answer.head.status == 201)
      #expect(answer.names == ["apns-request-id", "apns-channel-id"])
      #expect(answer.body.isEmpty)
      return try #require(answer.head.fields.text("apns-channel-id"))
    }

    func broadcast(_ channel: String, score: Int, expiration: String = "0") async throws -> Response
    {
      try await request(
        "POST", "/4/broadcasts/apps/\(TestGateway.topic)", channel: channel,
        fields: [
          "apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": expiration,
        ],
        body: #"{"aps":{"event":"update","timestamp":1,"content-state":{"score":\#(score)}}}"#)
    }
  }

  /// Makes devices that are online and follow a channel, on one connection to the console.
  private func makeDevices(
    _ count: Int, following channel: String, _ gateway: TestGateway
  ) async throws {
    let client = try await gateway.connectConsole()
    let body = JSONValue.object(
      JSONObject(["platform": "ios", "online": true, "channels": [.string(channel)]])
    ).serialized()
    for _ in 0..<count {
      let head = RequestHead(
        method: "POST", target: "/api/v1/devices",
        authority: "localhost:\(gateway.report.consolePort)", scheme: "http",
        fields: ["content-type": "application/json"])
      #expect(try await client.request(head, body: body).head.status == 201)
    }
    await client.close()
  }

  @Test func `a channel is made, listed, sent to 1,000 devices and deleted, then sent to in vain`()
    async throws
  {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let channel = try await sender.makeChannel(host: Self.manager)
      let list = "/1/apps/\(TestGateway.topic)/all-channels"
      #expect(
        try await sender.request("GET", list, host: Self.manager).text
          == #"{"channels":["\#(channel)"]}"#)
      try await makeDevices(999, following: channel, gateway)
      let last = try await gateway.makeDevice(["platform": "ios", "channels": [.string(channel)]])
      _ = try await gateway.makeDevice(["platform": "ios", "online": true])
      let feed = try await gateway.follow(last)

      let sent = try await sender.broadcast(channel, score: 1)
      #expect(sent.head.status == 200)
      #expect(sent.names == ["apns-request-id", "apns-unique-id"])
      #expect(sent.body.isEmpty)
      let push = try #require(try await feed.pushes(1).first)
      #expect(push.data["channel"]?.stringValue == channel)
      #expect(push.data.pointer("/payload/aps/content-state/score")?.intValue == 1)
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["channel"]?.stringValue == channel)
      #expect(envelope["app"]?.stringValue == TestGateway.topic)
      #expect(envelope["apnsID"]?.stringValue == sent.head.fields.text("apns-request-id"))
      let deliveries = envelope["deliveries"]?.arrayValue ?? []
      #expect(deliveries.count == 1_000)
      #expect(deliveries.allSatisfy { $0["state"]?.stringValue == "delivered" })
      #expect(deliveries.last?["device"]?.stringValue == last.id)

      let path = "/1/apps/\(TestGateway.topic)/channels"
      let deleted = try await sender.request("DELETE", path, host: Self.manager, channel: channel)
      #expect(deleted.head.status == 204)
      #expect(deleted.names == ["apns-request-id"])
      let again = try await sender.broadcast(channel, score: 2)
      #expect(again.head.status == 400)
      #expect(again.names == ["apns-request-id"])
      #expect(again.text == #"{"reason":"ChannelNotRegistered"}"#)
      let refused = try await gateway.lastEnvelope()
      #expect(refused.pointer("/diagnosis/code")?.stringValue == "channel-deleted")
      #expect(refused["deliveries"] == [])
      let second = try await sender.request("DELETE", path, host: Self.manager, channel: channel)
      #expect(second.text == #"{"reason":"BadPath"}"#)
      #expect(try await sender.request("GET", list).text == #"{"channels":[]}"#)
      await feed.close()
      await sender.client.close()
    }
  }

  @Test func `an offline device gets the newest message of a channel that stores`() async throws {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let stores = try await sender.makeChannel(policy: 1)
      let forgets = try await sender.makeChannel(policy: 0)
      let device = try await gateway.makeDevice()
      let change = try await gateway.call(
        "PATCH", "/api/v1/devices/\(device.id)",
        body: ["channels": [.string(stores), .string(forgets)]])
      #expect(change.json["channels"] == [.string(stores), .string(forgets)])
      for score in 1...2 {
        let later = String(SystemTime().now.seconds + 3600)
        #expect(
          try await sender.broadcast(stores, score: score, expiration: later).head.status == 200)
        #expect(try await sender.broadcast(forgets, score: score).head.status == 200)
      }
      let feed = try await gateway.follow(device)
      let push = try #require(try await feed.pushes(1).first)
      #expect(push.data["channel"]?.stringValue == stores)
      #expect(push.data.pointer("/payload/aps/content-state/score")?.intValue == 2)
      let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)")
      #expect(shown.json["inbox"]?.arrayValue?.count == 1)
      let states = try await gateway.envelopes("device=\(device.id)").map {
        $0.pointer("/deliveries/0/state")?.stringValue ?? ""
      }
      #expect(states == ["dropped", "dropped", "delivered", "dropped"])
      await feed.close()
      await sender.client.close()
    }
  }

  @Test func `the environments share no channels, by host and by port`() async throws {
    try await withGateway {
      $0.extraListeners = [.init(environment: .production, host: "127.0.0.1", port: 0)]
    } _: { gateway in
      let sender = try await Sender(gateway)
      let channel = try await sender.makeChannel(host: Self.manager)
      let path = "/1/apps/\(TestGateway.topic)/all-channels"
      let here = #"{"channels":["\#(channel)"]}"#
      for (host, list) in [
        (gateway.authority, here), (Self.manager, here),
        ("api-manage-broadcast.push.apple.com:2196", #"{"channels":[]}"#),
      ] {
        #expect(try await sender.request("GET", path, host: host).text == list)
      }
      let port = try #require(
        gateway.report.listeners.first { $0.environment == "production" }?.port)
      let production = try await gateway.connect(host: "127.0.0.1", port: port)
      let head = RequestHead(
        method: "GET", target: path, authority: "127.0.0.1:\(port)",
        fields: ["authorization": "bearer \(sender.token)"])
      #expect(
        String(decoding: try await production.request(head, body: []).body, as: UTF8.self)
          == #"{"channels":[]}"#)
      await production.close()
      await sender.client.close()
    }
  }

  @Test func `channels are managed in clear text over HTTP/1.1 too`() async throws {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let channel = try await sender.makeChannel()
      let client = try await gateway.connectClear(.http1)
      let head = RequestHead(
        method: "DELETE", target: "/1/apps/\(TestGateway.topic)/channels",
        authority: gateway.authority,
        fields: ["authorization": "bearer \(sender.token)", "apns-channel-id": "\(channel)"])
      let answer = try await client.request(head, body: [])
      #expect(answer.head.status == 204)
      await client.close()
      await sender.client.close()
    }
  }
}
