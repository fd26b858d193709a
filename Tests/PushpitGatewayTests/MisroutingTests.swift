import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Tokens at the wrong vendor or environment: the vendor's answer, and an explanation beside it.
@Suite(.timeLimit(.minutes(5))) struct MisroutingTests {
  @Test func `an FCM token at APNs is BadDeviceToken and explained`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "android"])
      let answer = try await gateway.push(device.fcm)
      #expect(answer.head.status == 400)
      #expect(answer.text == #"{"reason":"BadDeviceToken"}"#)
      let found = try await gateway.envelopes("diagnosis=fcm-token-at-apns")
      #expect(found.count == 1)
      let what = found.first?.pointer("/diagnosis/what")?.stringValue ?? ""
      #expect(what.contains("FCM registration token of an Android device"))
      #expect(found.first?.pointer("/diagnosis/fix")?.stringValue?.isEmpty == false)
    }
  }

  @Test func `an APNs token at FCM is INVALID_ARGUMENT and explained`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      let sent = try await gateway.send(["token": .string(device.apns)], client, bearer: bearer)
      #expect(sent.status == 400)
      #expect(sent.json.pointer("/error/status")?.stringValue == "INVALID_ARGUMENT")
      let found = try await gateway.envelopes("diagnosis=apns-token-at-fcm")
      #expect(found.count == 1)
    }
  }

  @Test func `a port of production refuses a sandbox token`() async throws {
    try await withGateway {
      $0.extraListeners = [.init(environment: .production, host: "127.0.0.1", port: 0)]
    } _: { gateway in
      let device = try await gateway.makeDevice()
      let production = try #require(
        gateway.report.listeners.first { $0.environment == "production" })
      #expect(try await gateway.push(device.apns).head.status == 200)
      let answer = try await gateway.push(device.apns, port: production.port)
      #expect(answer.head.status == 400)
      #expect(answer.text == #"{"reason":"BadDeviceToken"}"#)
      let found = try await gateway.envelopes("diagnosis=sandbox-token-at-production")
      #expect(found.count == 1)
    }
  }

  @Test func `a host name of Apple's decides the environment before the port does`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice([
        "platform": "ios", "environment": "production",
      ])
      let wrong = try await gateway.push(
        device.apns, authority: "api.development.push.apple.com:2197")
      #expect(wrong.text == #"{"reason":"BadDeviceToken"}"#)
      let right = try await gateway.push(device.apns, authority: "api.push.apple.com")
      #expect(right.head.status == 200)
      #expect(right.names == ["apns-id"])
      let found = try await gateway.envelopes("diagnosis=production-token-at-sandbox")
      #expect(found.count == 1)
    }
  }
}
