import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// What a sender of FCM sees on the wire, and what becomes of its messages.
@Suite(.timeLimit(.minutes(5))) struct FCMEndToEndTests {
  @Test(arguments: [["h2"], ["http/1.1"]])
  func `an access token is granted, and a message sent with it reaches the device`(
    protocols: [String]
  ) async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "android"])
      let feed = try await gateway.follow(device)
      let client = try await gateway.connect(protocols: protocols)
      let bearer = try await gateway.accessToken(client)
      let sent = try await gateway.send(
        ["token": .string(device.fcm), "notification": ["title": "Hello"]], client,
        bearer: bearer)
      #expect(sent.status == 200)
      let name = try #require(sent.json["name"]?.stringValue)
      #expect(name.hasPrefix("projects/pushpit-local/messages/"))
      #expect(try await feed.titles(1) == ["Hello"])
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["service"]?.stringValue == "fcm")
      #expect(envelope["messageName"]?.stringValue == name)
      #expect(envelope["protocol"]?.stringValue == protocols[0])
      await feed.close()
    }
  }

  @Test func `an uninstalled device is UNREGISTERED with 404`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "android"])
      _ = try await gateway.call("POST", "/api/v1/devices/\(device.id)/uninstall")
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      let sent = try await gateway.send(
        ["token": .string(device.fcm), "notification": ["title": "Hello"]], client,
        bearer: bearer)
      #expect(sent.status == 404)
      #expect(sent.json.pointer("/error/status")?.stringValue == "NOT_FOUND")
      #expect(
        sent.json.pointer("/error/details/0/errorCode")?.stringValue == "UNREGISTERED")
      let code = try await gateway.lastEnvelope().pointer("/diagnosis/code")?.stringValue
      #expect(code == "token-unregistered-since")
    }
  }

  @Test func `a path of no endpoint is Google's HTML page`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect(protocols: ["http/1.1"])
      let answer = try await client.request(
        RequestHead(method: "GET", target: "/nothing", authority: gateway.authority))
      #expect(answer.head.status == 404)
      #expect(answer.head.fields.text("content-type")?.hasPrefix("text/html") == true)
      #expect(answer.text.contains("<title>Error 404 (Not Found)"))
    }
  }

  @Test(arguments: [["h2"], ["http/1.1"]])
  func `a body over one MiB is an HTML page with 413`(protocols: [String]) async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect(protocols: protocols)
      let large = [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 1)
      let answer = try await client.request(
        RequestHead(
          method: "POST", target: "/v1/projects/pushpit-local/messages:send",
          authority: gateway.authority, fields: ["content-type": "application/json"]),
        body: large)
      #expect(answer.head.status == 413)
      #expect(answer.head.fields.text("content-type")?.hasPrefix("text/html") == true)
    }
  }

  @Test func `an access token and an assertion are never in the records`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      _ = try await gateway.send(["topic": "news"], client, bearer: bearer)
      let answer = try await gateway.call("GET", "/api/v1/envelopes")
      #expect(answer.json["total"]?.intValue == 2)
      let text = String(decoding: answer.json.serialized(), as: UTF8.self)
      #expect(!text.contains(bearer))
      let signature = try #require(try gateway.assertion().split(separator: ".").last)
      #expect(!text.contains(signature))
    }
  }
}
