import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// FCM to an iOS app with Firebase: by way of the gateway's own APNs to the same device.
@Suite(.timeLimit(.minutes(5))) struct RelayEndToEndTests {
  /// A sender with an access token, and an iPhone with Firebase that is online.
  private struct Scene {
    let gateway: TestGateway
    let client: HTTPClient
    let bearer: String
    let phone: TestDevice
    let tokens: JSONValue

    init(_ gateway: TestGateway, _ members: KeyValuePairs<String, JSONValue> = [:]) async throws {
      self.gateway = gateway
      client = try await gateway.connect()
      bearer = try await gateway.accessToken(client)
      var specification = JSONObject(["platform": "ios", "firebase": true, "online": true])
      for (key, value) in members { specification[key] = value }
      phone = try await gateway.makeDevice(.object(specification))
      tokens =
        try await gateway.call("GET", "/api/v1/devices/\(phone.id)").json["tokens"] ?? .null
    }

    func send(_ members: KeyValuePairs<String, JSONValue>) async throws -> (
      status: Int, json: JSONValue
    ) {
      var message = JSONObject(["token": .string(phone.fcm)])
      for (key, value) in members { message[key] = value }
      return try await gateway.send(.object(message), client, bearer: bearer)
    }

    /// What the device shows now.
    func device() async throws -> JSONValue {
      try await gateway.call("GET", "/api/v1/devices/\(phone.id)").json
    }

    func setOnline(_ isOnline: Bool) async throws {
      let answer = try await gateway.call(
        "PATCH", "/api/v1/devices/\(phone.id)", body: ["online": .bool(isOnline)])
      #expect(answer.status == 200)
    }

    func act(_ action: String, _ body: JSONValue? = nil) async throws {
      let answer = try await gateway.call(
        "POST", "/api/v1/devices/\(phone.id)/\(action)", body: body)
      #expect(answer.status == 200)
    }

    func set(_ settings: JSONValue) async throws {
      let answer = try await gateway.call(
        "PATCH", "/api/v1/workspaces/default",
        body: .object(JSONObject(["settings": settings])))
      #expect(answer.status == 200)
    }

    /// The code of the newest envelope's diagnosis.
    func code() async throws -> String? {
      try await gateway.lastEnvelope().pointer("/diagnosis/code")?.stringValue
    }
  }

  @Test func `a message reaches the device, as a delivery of its envelope`() async throws {
    try await withGateway { gateway in
      let scene = try await Scene(gateway)
      let sent = try await scene.send([
        "notification": ["title": "Hello", "body": "World"], "data": ["k": "v"],
      ])
      #expect(sent.status == 200)
      let device = try await scene.device()
      #expect(device.pointer("/inbox/0/title") == "Hello")
      #expect(device.pointer("/inbox/0/body") == "World")
      #expect(device.pointer("/inbox/0/data/k") == "v")
      #expect(device.pointer("/inbox/0/service") == "fcm")
      let envelopes = try await gateway.envelopes("service=fcm")
      #expect(envelopes.count == 1)
      #expect(try await gateway.envelopes("service=apns").isEmpty)
      #expect(envelopes[0]["environment"] == "sandbox")
      #expect(envelopes[0].pointer("/deliveries/0/device")?.stringValue == scene.phone.id)
      #expect(envelopes[0].pointer("/deliveries/0/state") == "displayed")
      #expect(device.pointer("/inbox/0/envelope") == envelopes[0]["id"])
      await scene.client.close()
    }
  }

  @Test func `a device of the configuration file can have Firebase`()
    async throws
  {
    let token = "cAPs7kQ9R0m:APA91b" + String(repeating: "x", count: 134)
    try await withGateway {
      $0.declaredDevices = [
        ["platform": "ios", "firebase": true, "tokens": ["fcm": .string(token)], "online": true]
      ]
    } _: { gateway in
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      let message: JSONValue = ["token": .string(token), "notification": ["title": "Hello"]]
      #expect(try await gateway.send(message, client, bearer: bearer).status == 200)
      let devices = try await gateway.call("GET", "/api/v1/devices").json
      #expect(devices.pointer("/items/0/inbox/0/title") == "Hello")
      await client.close()
    }
  }

  @Test func `one device takes pushes of both vendors, stored by APNs' rule`() async throws {
    try await withGateway { gateway in
      let scene = try await Scene(gateway, ["online": false])
      #expect(try await scene.send(["notification": ["title": "By FCM"]]).status == 200)
      #expect(try await gateway.push(scene.phone.apns, title: "By APNs").head.status == 200)
      try await scene.setOnline(true)
      let inbox = try await scene.device()["inbox"]?.arrayValue ?? []
      #expect(inbox.map { $0["title"] } == ["By APNs"])
      let never: JSONValue = ["headers": ["apns-expiration": "0"]]
      try await scene.setOnline(false)
      _ = try await scene.send(["notification": ["title": "Never"], "apns": never])
      let last = try await gateway.lastEnvelope()
      #expect(last.pointer("/deliveries/0/state") == "dropped")
      #expect(
        last.pointer("/deliveries/0/cause") == "the device is offline and apns-expiration is 0")
      await scene.client.close()
    }
  }

  @Test func `APNs' refusals are told by FCM and explained`() async throws {
    try await withGateway { gateway in
      let scene = try await Scene(gateway)
      let wrong = try await scene.send([
        "data": ["k": "v"], "apns": ["headers": ["apns-topic": "com.example.other"]],
      ])
      #expect(wrong.status == 400)
      #expect(wrong.json.pointer("/error/details/1/reason") == "DeviceTokenNotForTopic")
      #expect(try await scene.code() == "token-of-other-topic")
      try await scene.act("expire-token", ["token": "apns"])
      let dead = try await scene.send(["data": ["k": "v"]])
      #expect(dead.status == 404)
      #expect(dead.json.pointer("/error/details/0/errorCode") == "UNREGISTERED")
      #expect(dead.json.pointer("/error/details/1/statusCode") == 410)
      #expect(try await scene.code() == "token-expired-since")
      try await scene.act("rotate-token", ["token": "apns"])
      #expect(try await scene.send(["data": ["k": "v"]]).status == 200)
      try await scene.act("uninstall")
      let gone = try await scene.send(["data": ["k": "v"]])
      #expect(gone.json.pointer("/error/details/1/reason") == "Unregistered")
      #expect(try await scene.code() == "token-unregistered-since")
      await scene.client.close()
    }
  }

  @Test func `for the uninstall delay both vendors accept, and the push is dropped`() async throws {
    try await withGateway { gateway in
      let scene = try await Scene(gateway)
      try await scene.set(["uninstallDelay": "10m"])
      try await scene.act("uninstall")
      #expect(try await scene.send(["data": ["k": "v"]]).status == 200)
      #expect(try await gateway.lastEnvelope().pointer("/deliveries/0/state") == "dropped")
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "10m"])
      let bearer = try await gateway.accessToken(scene.client)
      let late = try await gateway.send(
        ["token": .string(scene.phone.fcm)], scene.client, bearer: bearer)
      #expect(late.status == 404)
      await scene.client.close()
    }
  }

  @Test func `the project's APNs key is the workspace's, none, or one of another environment`()
    async throws
  {
    try await withGateway { gateway in
      let scene = try await Scene(gateway)
      try await scene.set(["fcmAPNsKey": "none"])
      let refused = try await scene.send(["data": ["k": "v"]])
      #expect(refused.status == 401)
      #expect(refused.json.pointer("/error/details/0/errorCode") == "THIRD_PARTY_AUTH_ERROR")
      #expect(refused.json.pointer("/error/details/1/reason") == "InvalidProviderToken")
      #expect(try await scene.code() == "fcm-apns-key-missing")
      let key = String(decoding: try PrivateKey.generateP256().publicKey.pem, as: UTF8.self)
      let imported = try await gateway.call(
        "POST", "/api/v1/workspaces/default/credentials",
        body: [
          "kind": "apnsKey", "keyID": "ABCDE12345", "teamID": "TEAMID1234",
          "environments": ["production"], "publicKey": .string(key),
        ])
      #expect(imported.status == 201)
      try await scene.set(["fcmAPNsKey": "ABCDE12345"])
      let other = try await scene.send(["data": ["k": "v"]])
      #expect(other.json.pointer("/error/details/1/reason") == "BadEnvironmentKeyInToken")
      #expect(try await scene.code() == "fcm-apns-key-of-other-environment")
      try await scene.set(["fcmAPNsKey": "any"])
      #expect(try await scene.send(["data": ["k": "v"]]).status == 200)
      await scene.client.close()
    }
  }

  @Test func `a topic reaches iPhones by APNs too, and is dropped where that refuses`() async throws
  {
    try await withGateway { gateway in
      let scene = try await Scene(gateway, ["topics": ["news"]])
      let message: JSONValue = ["topic": "news", "notification": ["title": "News"]]
      _ = try await gateway.send(message, scene.client, bearer: scene.bearer)
      #expect(try await scene.device().pointer("/inbox/0/title") == "News")
      try await scene.set(["fcmAPNsKey": "none"])
      let sent = try await gateway.send(message, scene.client, bearer: scene.bearer)
      #expect(sent.status == 200)
      let delivery = try await gateway.lastEnvelope().pointer("/deliveries/0")
      #expect(delivery?["state"] == "dropped")
      #expect(delivery?["cause"]?.stringValue?.contains("403 InvalidProviderToken") == true)
      await scene.client.close()
    }
  }

  @Test func `a Live Activity is started, updated and, by a dead token, refused`() async throws {
    try await withGateway { gateway in
      let scene = try await Scene(gateway, ["tokens": ["pushToStart": true]])
      let starter = try #require(scene.tokens["pushToStart"]?.stringValue)
      func push(_ token: String, _ members: KeyValuePairs<String, JSONValue>) async throws -> (
        status: Int, json: JSONValue
      ) {
        var aps = JSONObject(members)
        aps["timestamp"] = .int(SystemTime().now.seconds)
        return try await scene.send([
          "apns": ["live_activity_token": .string(token), "payload": ["aps": .object(aps)]]
        ])
      }
      let started = try await push(
        starter,
        [
          "event": "start", "content-state": ["score": 0], "attributes-type": "Game",
          "attributes": [:], "alert": ["title": "Kick-off"],
        ])
      #expect(started.status == 200)
      let update = try #require(
        try await scene.device().pointer("/activities/0/token")?.stringValue)
      _ = try await push(update, ["event": "update", "content-state": ["score": 1]])
      #expect(try await scene.device().pointer("/activities/0/contentState/score") == 1)
      try await scene.act("rotate-token", ["token": "liveactivity"])
      let dead = try await push(update, ["event": "update", "content-state": ["score": 2]])
      #expect(dead.status == 400)
      #expect(dead.json.pointer("/error/message") == "APNs device token is disabled.")
      #expect(dead.json.pointer("/error/details/1/reason") == "Unregistered")
      #expect(try await scene.code() == "sent-to-rotated-token")
      await scene.client.close()
    }
  }
}
