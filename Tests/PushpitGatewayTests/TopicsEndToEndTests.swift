import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Topics and device groups, from the sender's subscription to the devices.
@Suite(.timeLimit(.minutes(5))) struct TopicsEndToEndTests {
  /// A sender on one connection.
  struct Sender {
    let gateway: TestGateway
    let client: HTTPClient
    let bearer: String

    init(_ gateway: TestGateway) async throws {
      self.gateway = gateway
      client = try await gateway.connect()
      bearer = try await gateway.accessToken(client)
    }

    func request(
      _ method: String, _ target: String, host: String? = nil, body: JSONValue? = nil
    ) async throws -> Response {
      let number = gateway.folder.defaults.serviceAccount.projectNumber
      let head = RequestHead(
        method: method, target: target, authority: host ?? gateway.authority,
        fields: [
          "authorization": "Bearer \(bearer)", "access_token_auth": "true",
          "content-type": "application/json", "project_id": "\(number)",
        ])
      return try await client.request(head, body: body?.serialized() ?? [])
    }

    /// Subscribes or unsubscribes tokens by the Instance ID API, at its own host.
    func batch(_ verb: String, _ tokens: [String], topic: String) async throws {
      let answer = try await request(
        "POST", "/iid/v1:\(verb)", host: "iid.googleapis.com",
        body: [
          "to": .string("/topics/" + topic),
          "registration_tokens": .array(tokens.map { .string($0) }),
        ])
      #expect(answer.head.status == 200)
      let results = try JSONReader.parse(answer.body)["results"]?.arrayValue
      #expect(results == Array(repeating: [:], count: tokens.count))
    }

    func send(_ message: JSONValue) async throws {
      #expect(try await gateway.send(message, client, bearer: bearer).status == 200)
    }
  }

  /// Makes online devices on one connection to the console; returns their ids and tokens.
  private func makeDevices(
    _ count: Int, _ gateway: TestGateway, topics: [String] = []
  ) async throws -> [TestDevice] {
    let client = try await gateway.connectConsole()
    let body = JSONValue.object(
      JSONObject([
        "platform": "android", "online": true, "topics": .array(topics.map { .string($0) }),
      ])
    ).serialized()
    var devices: [TestDevice] = []
    for _ in 0..<count {
      let head = RequestHead(
        method: "POST", target: "/api/v1/devices",
        authority: "localhost:\(gateway.report.consolePort)", scheme: "http",
        fields: ["content-type": "application/json"])
      let answer = try await client.request(head, body: body)
      #expect(answer.head.status == 201)
      let json = try JSONReader.parse(answer.body)
      devices.append(
        TestDevice(
          id: try #require(json["id"]?.stringValue), apns: "",
          fcm: try #require(json.pointer("/tokens/fcm")?.stringValue)))
    }
    await client.close()
    return devices
  }

  /// The devices that the newest envelope was delivered to, in order.
  private func reached(_ gateway: TestGateway) async throws -> [String] {
    let deliveries = try await gateway.lastEnvelope()["deliveries"]?.arrayValue ?? []
    #expect(
      deliveries.allSatisfy { ["delivered", "displayed"].contains($0["state"]?.stringValue) })
    return deliveries.compactMap { $0["device"]?.stringValue }
  }

  @Test func `a message reaches the 1,000 devices of a topic, and none that is not subscribed`()
    async throws
  {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let devices = try await makeDevices(1_000, gateway)
      let others = try await makeDevices(10, gateway)
      try await sender.batch("batchAdd", devices.map(\.fcm), topic: "news")
      try await sender.batch("batchAdd", others.map(\.fcm), topic: "other")
      try await sender.send(["topic": "news", "notification": ["title": "Hello"]])
      #expect(try await reached(gateway) == devices.map(\.id))
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["topic"]?.stringValue == "news")

      let leaving = Array(devices.prefix(400))
      try await sender.batch("batchRemove", leaving.map(\.fcm), topic: "news")
      try await sender.send(["topic": "news", "data": ["n": "2"]])
      #expect(try await reached(gateway) == devices.dropFirst(400).map(\.id))
      let left = try await gateway.call("GET", "/api/v1/devices/\(leaving[0].id)")
      #expect(left.json["topics"] == [])
      #expect(left.json["inbox"]?.arrayValue?.count == 1)
      let other = try await gateway.call("GET", "/api/v1/devices/\(others[0].id)")
      #expect(other.json["topics"] == ["other"])
      #expect(other.json["inbox"] == [])
      let calls = try await gateway.envelopes("service=iid")
      #expect(calls.count == 3)
      #expect(calls.allSatisfy { $0["outcome"]?.stringValue == "accepted" })
      await sender.client.close()
    }
  }

  /// Google: parentheses first, then left to right.
  @Test func `a condition over three topics reaches exactly those that it is true for`()
    async throws
  {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      var ids: [[String]: [String]] = [:]
      let sets = [[], ["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"], ["a", "b", "c"]]
      for set in sets { ids[set] = try await makeDevices(3, gateway, topics: set).map(\.id) }
      for (condition, chosen) in [
        ("'a' in topics && ('b' in topics || 'c' in topics)", [4, 5, 7]),
        ("'a' in topics || 'b' in topics && 'c' in topics", [5, 6, 7]),
        ("!('a' in topics) && !('b' in topics) && !('c' in topics)", [0]),
        ("'a' in topics && !('a' in topics)", []),
      ] {
        try await sender.send(["condition": .string(condition), "data": ["k": "v"]])
        let expected = chosen.flatMap { ids[sets[$0]] ?? [] }
        #expect(try await reached(gateway) == expected, "\(condition)")
      }
      await sender.client.close()
    }
  }

  @Test func `the FCM API and the app itself subscribe to the same topics, of every platform`()
    async throws
  {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let android = try await gateway.makeDevice(["platform": "android"])
      let web = try await gateway.makeDevice(["platform": "web", "topics": ["news"]])
      let phone = try await gateway.makeDevice(["platform": "ios", "firebase": true])
      let project = gateway.folder.defaults.serviceAccount.projectID
      func path(_ device: TestDevice) -> String {
        "/v1/projects/\(project)/registrations/\(PercentCoding.encode(device.fcm))/topicSubscriptions"
      }
      let made = try await sender.request(
        "POST", path(android) + "?topic_name=news", host: "fcm.googleapis.com", body: [:])
      #expect(made.head.status == 200)
      let changed = try await gateway.call(
        "PATCH", "/api/v1/devices/\(phone.id)", body: ["topics": ["news"]])
      #expect(changed.json["topics"] == ["news"])
      for device in [web, phone] {
        #expect(try await sender.request("GET", path(device) + "/news").head.status == 200)
      }
      try await sender.send([
        "topic": "news", "apns": ["payload": ["aps": ["alert": ["title": "On iOS"]]]],
        "android": ["notification": ["title": "On Android"]],
        "webpush": ["notification": ["title": "On the web"]],
      ])
      for (device, pointer, title) in [
        (android, "/title", "On Android"), (web, "/title", "On the web"),
        (phone, "/title", "On iOS"),
      ] {
        let feed = try await gateway.follow(device)
        let push = try #require(try await feed.pushes(1).first)
        #expect(push.data.pointer(pointer)?.stringValue == title)
        await feed.close()
      }
      _ = try await gateway.call("POST", "/api/v1/devices/\(web.id)/uninstall")
      let gone = try await sender.request("GET", path(web) + "/news")
      #expect(gone.head.status == 404)
      let code = try await gateway.lastEnvelope().pointer("/diagnosis/code")?.stringValue
      #expect(code == "token-unregistered-since")
      await sender.client.close()
    }
  }

  @Test func `a message to a device group reaches its members until they leave`() async throws {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let devices = try await makeDevices(3, gateway)
      let made = try await sender.request(
        "POST", "/fcm/notification",
        body: [
          "operation": "create", "notification_key_name": "anna",
          "registration_ids": .array(devices.prefix(2).map { .string($0.fcm) }),
        ])
      let key = try #require(try JSONReader.parse(made.body)["notification_key"]?.stringValue)
      let shown = try await sender.request("GET", "/fcm/notification?notification_key_name=anna")
      #expect(shown.text == made.text)
      try await sender.send(["token": .string(key), "data": ["k": "v"]])
      #expect(try await reached(gateway) == devices.prefix(2).map(\.id))
      _ = try await gateway.call("DELETE", "/api/v1/devices/\(devices[0].id)")
      try await sender.send(["token": .string(key), "data": ["k": "v"]])
      #expect(try await reached(gateway) == [devices[1].id])
      _ = try await gateway.call("POST", "/api/v1/devices/\(devices[1].id)/uninstall")
      let refused = try await gateway.send(
        ["token": .string(key)], sender.client, bearer: sender.bearer)
      #expect(refused.status == 400)
      await sender.client.close()
    }
  }

  @Test func `an iPhone that had only an APNs token is reached by the token it was given`()
    async throws
  {
    try await withGateway { gateway in
      let sender = try await Sender(gateway)
      let phone = try await gateway.makeDevice()
      let answer = try await sender.request(
        "POST", "/iid/v1:batchImport",
        body: [
          "application": .string(TestGateway.topic), "sandbox": true,
          "apns_tokens": [.string(phone.apns)],
        ])
      let token = try #require(
        try JSONReader.parse(answer.body).pointer("/results/0/registration_token")?.stringValue)
      let shown = try await gateway.call("GET", "/api/v1/devices/\(phone.id)")
      #expect(shown.json.pointer("/tokens/fcm")?.stringValue == token)
      try await sender.batch("batchAdd", [token], topic: "news")
      let feed = try await gateway.follow(phone)
      try await sender.send(["topic": "news", "notification": ["title": "Hello"]])
      #expect(try await feed.titles(1) == ["Hello"])
      await feed.close()
      await sender.client.close()
    }
  }
}
