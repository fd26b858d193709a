import PushpitModel
import Testing

@testable import PushpitAPNs

/// Tokens of the kinds that an iOS app can have.
@Suite struct APNsTokenKindTests {
  private static let app = "com.example.app"

  private func register(_ kind: DeviceTokenKind, in gateway: Gateway) -> String {
    let token = String(repeating: "5e", count: kind.mintedLength / 2)
    gateway.tokens.register(
      TokenRecord(
        token: Array(token.utf8), kind: .apns, purpose: kind, device: DeviceID("d1"),
        environment: .sandbox, topic: kind.topic(of: Self.app), app: Self.app, platform: .ios))
    return token
  }

  private func topic(_ kind: DeviceTokenKind) -> String {
    String(decoding: kind.topic(of: Self.app), as: UTF8.self)
  }

  // PyAPNs2 issue 134, sygnal issue 102, pushok issue 97, dotAPNS issue 90 for VoIP; the other kinds
  // are assumed to be like it.
  @Test(arguments: DeviceTokenKind.allCases, DeviceTokenKind.allCases)
  func `a token takes the topic of its own kind, and of no other: DeviceTokenNotForTopic`(
    kind: DeviceTokenKind, used: DeviceTokenKind
  ) throws {
    let gateway = try Gateway()
    let token = register(kind, in: gateway)
    let answer = gateway.send {
      $0.setToken(token)
      $0.set("apns-topic", topic(used))
      $0.set("apns-push-type", nil)
    }
    guard topic(kind) != topic(used) else {
      #expect(answer.status == 200)
      return
    }
    #expect(answer.body == #"{"reason":"DeviceTokenNotForTopic"}"#)
    let diagnosis = try #require(answer.outcome.diagnosis)
    #expect(diagnosis.code == .tokenOfOtherTopic)
    #expect(diagnosis.what.contains("is the \(kind.title) of device d1"))
    #expect(diagnosis.fix.contains("apns-topic \(topic(kind))"))
  }

  @Test func `a VoIP token with the plain topic is explained with both ways out`() throws {
    let gateway = try Gateway()
    let token = register(.voip, in: gateway)
    let diagnosis = gateway.send { $0.setToken(token) }.outcome.diagnosis
    #expect(
      diagnosis?.what
        == "the token 5e5e5e5e... is the VoIP token of device d1 and takes the topic "
        + "com.example.app.voip; apns-topic is \"com.example.app\"")
    #expect(
      diagnosis?.fix
        == "send it with apns-topic com.example.app.voip and apns-push-type voip, or send to the "
        + "device token that the app \"com.example.app\" registered")
  }

  @Test func `the reverse is explained by the token that is wanted`() throws {
    let gateway = try Gateway()
    let answer = gateway.send {
      $0.set("apns-topic", "com.example.app.push-type.liveactivity")
      $0.set("apns-push-type", "liveactivity")
    }
    #expect(answer.body == #"{"reason":"DeviceTokenNotForTopic"}"#)
    #expect(
      answer.outcome.diagnosis?.fix.hasSuffix(
        "or send to the app's push-to-start token or update token of a Live Activity") == true)
  }
}

/// Tokens that have died, by a cause that the workspace sets or a test makes.
@Suite struct APNsTokenLifeTests {
  private static let token = String(repeating: "ab", count: 32)

  @Test func `an expired token is 410 ExpiredToken with the time in milliseconds`() throws {
    let gateway = try Gateway()
    gateway.register(Self.token).state = .expired(since: Gateway.now)
    let answer = gateway.send { $0.setToken(Self.token) }
    #expect(answer.status == 410)
    #expect(answer.body == #"{"reason":"ExpiredToken","timestamp":1700000000000}"#)
    #expect(answer.code == .tokenExpiredSince)
    #expect(
      answer.outcome.diagnosis?.what
        == "the token abababab... expired at 2023-11-14T22:13:20.000Z")
  }

  // Apple's engineers in forum threads 670868 and 794478: 200 for a while, by design.
  @Test func `until the uninstall delay is over a dead token is 200, then 410 since that time`()
    throws
  {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.uninstallDelay = .seconds(60)
    let record = gateway.register(Self.token)
    record.state = .unregistered(since: Gateway.now)
    let early = gateway.send {
      $0.setToken(Self.token)
      $0.receivedAt = Gateway.now + .milliseconds(59_999)
    }
    #expect(early.status == 200)
    #expect(early.outcome.recipient === record)
    let late = gateway.send {
      $0.setToken(Self.token)
      $0.receivedAt = Gateway.now + .seconds(60)
    }
    #expect(late.body == #"{"reason":"Unregistered","timestamp":1700000060000}"#)
    #expect(
      late.outcome.diagnosis?.what
        == "the app of the token abababab... was uninstalled at 2023-11-14T22:13:20.000Z, which "
        + "APNs says since 2023-11-14T22:14:20.000Z")
  }

  @Test func `the uninstall delay counts the workspace's time`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.uninstallDelay = .seconds(600)
    gateway.register(Self.token).state = .unregistered(since: Gateway.now)
    #expect(gateway.send { $0.setToken(Self.token) }.status == 200)
    gateway.workspaces.default.clock.offset = .seconds(600)
    // The provider token is as old as the clock is ahead.
    #expect(gateway.send { $0.setToken(Self.token) }.status == 410)
  }

  @Test(arguments: [
    ("0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77", "is a UUID, as identifierForVendor is one"),
    ("fiHc_h5ierxceZ8XZ2JEBS", "is a Firebase installation ID, or base64"),
    ("00", "has 2 hexadecimal digits"), ("q/+=", "has characters that are no hexadecimal digits"),
  ])
  func `what is taken for a token is named`(token: String, words: String) throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.outcome.diagnosis?.what.contains(words) == true)
  }
}
