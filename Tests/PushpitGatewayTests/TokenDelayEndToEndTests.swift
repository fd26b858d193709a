import PushpitHTTPTypes
import PushpitJSON
import Testing

@testable import PushpitGateway

/// What devices wait for, on a running gateway.
@Suite(.timeLimit(.minutes(5))) struct TokenDelayEndToEndTests {
  private let specification: JSONValue = ["platform": "ios", "tokenDelay": "1h"]

  @Test func `a token is null at first and comes at once when the clock is advanced`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(specification)
      #expect(device.apns == "")
      let feed = try await gateway.follow(device)
      let clock = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "61m"])
      #expect(clock.status == 200)
      let event = try #require(try await feed.next())
      #expect(event.name == "token-ready" && event.data["name"]?.stringValue == "apns")
      let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)")
      #expect(shown.json["tokens"]?["apns"] == event.data["token"])
      let token = try #require(event.data["token"]?.stringValue)
      #expect(try await gateway.push(token).head.status == 200)
      await feed.close()
    }
  }

  @Test func `a short delay passes by itself`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "android", "tokenDelay": "50ms"])
      let feed = try await gateway.follow("/api/v1/devices/\(device.id)/stream")
      // The delay may be over before the stream is open; then the device tells.
      let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)")
      if shown.json["tokens"]?["fcm"]?.stringValue == nil {
        #expect(try await feed.next()?.name == "token-ready")
      }
      await feed.close()
      #expect(await gateway.gateway.isAlarmArmed == false)
    }
  }

  @Test func `no timer runs while the clock stands or nothing is waited for`() async throws {
    try await withGateway { gateway in
      #expect(await gateway.gateway.isAlarmArmed == false)
      _ = try await gateway.makeDevice(specification)
      #expect(await gateway.gateway.isAlarmArmed == true)
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["freeze": true])
      #expect(await gateway.gateway.isAlarmArmed == false)
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["freeze": false])
      #expect(await gateway.gateway.isAlarmArmed == true)
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "1h"])
      #expect(await gateway.gateway.isAlarmArmed == false)
    }
  }
}

extension Gateway {
  /// Whether the loop has a timer for what devices wait for.
  fileprivate var isAlarmArmed: Bool { alarmTimer?.isArmed == true }
}
