import PushpitCrypto
import PushpitDevices
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// What apps report, from the console's call to the provider's server.
@Suite(.timeLimit(.minutes(5))) struct CallbacksEndToEndTests {
  /// Runs a gateway and a provider's server in clear text.
  private func withServer(
    _ change: (inout GatewayConfiguration) -> Void = { _ in },
    _ body: (TestGateway, CallbackServer, Int) async throws -> Void
  ) async throws {
    let (server, port) = try await CallbackServer.start()
    try await withGateway(change) { try await body($0, server, port) }
    await server.stop()
  }

  private func ios(_ callbacks: JSONValue, delay: String? = nil) -> JSONValue {
    var object = JSONObject(["platform": "ios", "callbacks": callbacks])
    if let delay { object["tokenDelay"] = .string(delay) }
    return .object(object)
  }

  /// The next events of a device that tell of tries, as its history has them.
  private func tries(_ feed: EventFeed, _ count: Int) async throws -> [JSONValue] {
    var tries: [JSONValue] = []
    while tries.count < count, let event = try await feed.next() {
      if event.name == "callback" { tries.append(event.data) }
    }
    return tries
  }

  /// Makes a device that waits for its token, opens its stream, and lets the token come: so no
  /// event of its first callback is missed.
  private func launch(
    _ gateway: TestGateway, _ callbacks: JSONValue
  ) async throws -> (device: TestDevice, feed: EventFeed) {
    let device = try await gateway.makeDevice(ios(callbacks, delay: "1h"))
    let feed = try await gateway.follow(device)
    _ = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "1h"])
    return (device, feed)
  }

  private func history(_ gateway: TestGateway, _ device: TestDevice) async throws -> [JSONValue] {
    let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)")
    return shown.json["history"]?.arrayValue ?? []
  }

  @Test func `a token is registered at launch and at rotation, and cleared at logout`()
    async throws
  {
    try await withServer { gateway, server, port in
      let url = "http://127.0.0.1:\(port)"
      let device = try await gateway.makeDevice(
        ios([
          "register": [
            "url": .string(url + "/tokens/{device}?app={app}"),
            "headers": ["Authorization": "Bearer x", "X-Platform": "{platform}"],
            "body": ["token": "{token}"],
          ],
          "clear": ["method": "DELETE", "url": .string(url + "/tokens/{token}")],
        ]))
      let first = try #require(await server.requests(1).first)
      #expect(first.method == "POST" && first.authority == "127.0.0.1:\(port)")
      #expect(first.target == "/tokens/\(device.id)?app=com.example.app")
      #expect(first.fields.text("authorization") == "Bearer x")
      #expect(first.fields.text("x-platform") == "ios")
      #expect(first.fields.text("content-type") == "application/json")
      #expect(first.fields.text("user-agent")?.hasPrefix("pushpit/") == true)
      #expect(first.body == ["token": .string(device.apns)])
      let rotated = try await gateway.call("POST", "/api/v1/devices/\(device.id)/rotate-token")
      let second = try #require(await server.requests(2).last)
      #expect(second.body["token"] == rotated.json["tokens"]?["apns"])
      _ = try await gateway.call("POST", "/api/v1/devices/\(device.id)/clear-token")
      let third = try #require(await server.requests(3).last)
      #expect(third.method == "DELETE")
      #expect(third.target.dropFirst(8) == rotated.json["tokens"]?["apns"]?.stringValue ?? "")
    }
  }

  @Test func `an opened push is reported once, with its ids`() async throws {
    try await withServer { gateway, server, port in
      let url = JSONValue.string("http://127.0.0.1:\(port)/opened/{messageID}")
      let body: JSONValue = ["delivery": "{deliveryID}", "platform": "{platform}"]
      let device = try await gateway.makeDevice(ios(["opened": ["url": url, "body": body]]))
      let feed = try await gateway.follow(device)
      let campaign: JSONValue = ["delivery_id": "c\"1", "message_id": "m/1"]
      let answer = try await gateway.push(device.apns, beside: ["respondo": campaign])
      #expect(answer.head.status == 200)
      _ = try await gateway.call("POST", "/api/v1/devices/\(device.id)/tap")
      #expect(try await tries(feed, 1).first?["status"] == 204)
      let requests = await server.received
      #expect(requests.map(\.target) == ["/opened/m%2F1"])
      #expect(requests.first?.body == ["delivery": "c\"1", "platform": "ios"])
      await feed.close()
    }
  }

  @Test func `an answered callback is in the history once, with its status`() async throws {
    try await withServer { gateway, server, port in
      let url = "http://localhost:\(port)/status/404"
      let (device, feed) = try await launch(gateway, ["register": ["url": .string(url)]])
      let attempt = try #require(try await tries(feed, 1).first)
      #expect(attempt["status"] == 404 && attempt["error"] == .null && attempt["try"] == 1)
      #expect(attempt["callback"] == "register" && attempt["kind"] == "callback")
      #expect(attempt["url"]?.stringValue == url)
      // An event of a stream says too whose it is.
      var said = try #require(attempt.objectValue)
      said["device"] = nil
      said["event"] = nil
      #expect(try await history(gateway, device) == [.object(said)])
      #expect(await server.received.count == 1)
      await feed.close()
    }
  }

  @Test func `a server's error is tried three times`() async throws {
    try await withServer { gateway, server, port in
      let url = JSONValue.string("http://127.0.0.1:\(port)/status/500")
      let (device, feed) = try await launch(gateway, ["register": ["url": url]])
      let found = try await tries(feed, 3)
      #expect(found.map { $0["status"] } == [500, 500, 500])
      #expect(found.map { $0["try"] } == [1, 2, 3])
      // The next one comes after all of them.
      _ = try await gateway.call("POST", "/api/v1/devices/\(device.id)/rotate-token")
      #expect(await server.requests(4).count == 4)
      await feed.close()
    }
  }

  @Test func `a redirect is not followed`() async throws {
    try await withServer { gateway, server, port in
      let url = JSONValue.string("http://127.0.0.1:\(port)/redirect")
      let (_, feed) = try await launch(gateway, ["register": ["url": url]])
      let attempt = try #require(try await tries(feed, 1).first)
      #expect(attempt["status"] == 302 && attempt["error"] == "redirects are not followed")
      #expect(await server.received.map(\.target) == ["/redirect"])
      await feed.close()
    }
  }

  @Test(arguments: [
    "http://169.254.169.254/latest/meta-data/", "https://api.push.apple.com/", "http://8.8.8.8/",
    "http://[::ffff:169.254.169.254]/", "http://0.0.0.0/",
  ])
  func `a target that is not allowed is refused in the history`(url: String) async throws {
    try await withGateway { gateway in
      let (_, feed) = try await launch(gateway, ["register": ["url": .string(url)]])
      let attempt = try #require(try await tries(feed, 1).first)
      let error = attempt["error"]?.stringValue ?? ""
      #expect(attempt["status"] == .null && attempt["try"] == 1)
      #expect(error.contains("never sent to") || error.contains("--callback-host"), "\(error)")
      await feed.close()
    }
  }

  @Test func `a server that cannot be reached is tried again`() async throws {
    let (server, port) = try await CallbackServer.start()
    await server.stop()
    try await withGateway { gateway in
      let url = JSONValue.string("http://127.0.0.1:\(port)/")
      let (_, feed) = try await launch(gateway, ["register": ["url": url]])
      let found = try await tries(feed, 3)
      #expect(found.count == 3 && found.allSatisfy { $0["status"] == .null })
      #expect(found.last?["error"]?.stringValue?.contains("connection refused") == true)
      await feed.close()
    }
  }

  @Test func `a token that the app waits for is registered when the clock brings it`() async throws
  {
    try await withServer { gateway, server, port in
      let url = JSONValue.string("http://127.0.0.1:\(port)/")
      let device = try await gateway.makeDevice(
        ios(["register": ["url": url, "body": ["token": "{token}"]]], delay: "1h"))
      #expect(device.apns == "")
      #expect(await server.received.isEmpty)
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "1h"])
      let request = try #require(await server.requests(1).first)
      let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)")
      #expect(request.body["token"]?.stringValue?.count == 64)
      #expect(request.body["token"] == shown.json["tokens"]?["apns"])
    }
  }

  @Test func `the configuration's callbacks are those of devices that have none`() async throws {
    let (server, port) = try await CallbackServer.start()
    let url = JSONValue.string("http://127.0.0.1:\(port)/{platform}")
    try await withGateway {
      $0.callbacks = ["register": ["url": url]]
      $0.declaredDevices = [["platform": "android"]]
    } _: { gateway in
      _ = await server.requests(1)
      _ = try await gateway.makeDevice(["platform": "ios"])
      #expect(await server.requests(2).map(\.target) == ["/android", "/ios"])
    }
    await server.stop()
  }

  @Test func `a configuration with callbacks that cannot be does not start`() async throws {
    let error = await #expect(throws: GatewayError.self) {
      try await withGateway {
        $0.callbacks = ["register": ["url": "tokens"]]
      } _: { _ in
      }
    }
    #expect(error?.description.contains("/callbacks/register/url") == true)
  }

  // MARK: TLS

  @Test func `a server with a certificate of the gateway's own authority is trusted`() async throws
  {
    try await withGateway { gateway in
      let (pem, key) = (gateway.folder.certificates.server, gateway.folder.certificates.serverKey)
      let (server, port) = try await CallbackServer.start((pem, key))
      let url = JSONValue.string("https://localhost:\(port)/tokens")
      let (_, feed) = try await launch(gateway, ["register": ["url": url]])
      #expect(try await tries(feed, 1).first?["status"] == 204)
      #expect(await server.received.count == 1)
      await feed.close()
      await server.stop()
    }
  }

  @Test func `a server with another certificate gets nothing, and is not tried again`() async throws
  {
    let name = try #require(CertificateName("localhost"))
    let now = SystemTime().now.seconds
    let authority = try CertificateAuthority.makeServerAuthority(permitting: [name], now: now)
    let issued = try authority.issueServer(names: [name], now: now)
    let (server, port) = try await CallbackServer.start(
      (issued.certificate.pem, issued.key.pem))
    try await withGateway { gateway in
      let url = JSONValue.string("https://localhost:\(port)/tokens")
      let (device, feed) = try await launch(gateway, ["register": ["url": url]])
      let attempt = try #require(try await tries(feed, 1).first)
      #expect(attempt["status"] == .null && attempt["error"]?.stringValue != nil)
      #expect(try await history(gateway, device).count == 1)
      #expect(await server.received.isEmpty)
      await feed.close()
    }
    await server.stop()
  }
}
