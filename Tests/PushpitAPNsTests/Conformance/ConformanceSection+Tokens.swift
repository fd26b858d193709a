import PushpitCrypto
import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  static let deviceTokens = ConformanceSection(
    title: "Device token",
    rules: [
      ConformanceRule(
        "no device token in the path", .missingDeviceToken, .tokenPresence,
        evidence: .observed("2026, with a good credential")
      ) { $0.setToken("") },
      ConformanceRule(
        "a device token that is not hexadecimal", .badDeviceToken, .tokenShape,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.setToken("bogus") },
      ConformanceRule(
        "an FCM registration token", .badDeviceToken, .tokenShape,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.setToken(Gateway.fcmToken) },
      ConformanceRule(
        "the device token in upper case", evidence: .observed("2021, curl")
      ) { $0.setToken(Gateway.deviceToken.uppercased()) },
      ConformanceRule(
        "a device token of 160 digits",
        evidence: .observed("tokens of Live Activities; Apple: make no assumptions about the size")
      ) { $0.setToken(String(repeating: "ab", count: 80)) },
      ConformanceRule(
        "a device token that nobody registered, with tokens: strict", .badDeviceToken,
        .registration,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "accepted with tokens: open, the default, so that a first push works",
        .scene { gateway in
          gateway.workspaces.default.policies.tokens = .strict
          return gateway.send { $0.setToken(String(repeating: "ee", count: 32)) }
        }),
      ConformanceRule(
        "a production token at the sandbox", .badDeviceToken, .registration,
        evidence: .observed("Apple developer forum 807380, an engineer of Apple"),
        .scene { gateway in
          gateway.register(deadToken, environment: .production)
          return gateway.send { $0.setToken(deadToken) }
        }),
      ConformanceRule(
        "a VoIP token with the plain topic", .deviceTokenNotForTopic, .registration,
        evidence: .observed("PyAPNs2 issue 134, pushok issue 97"),
        .scene { gateway in
          gateway.register(deadToken, topic: Gateway.topic + ".voip")
          return gateway.send { $0.setToken(deadToken) }
        }),
      ConformanceRule(
        "the token of an uninstalled app", .unregistered, .registration,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "at once, or after the setting uninstallDelay; Apple's delay is fuzzy by design",
        .scene { gateway in
          gateway.register(deadToken).state = .unregistered(since: Gateway.now)
          return gateway.send { $0.setToken(deadToken) }
        }),
      ConformanceRule(
        "a token that has expired", .expiredToken, .registration,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "when the device is told so; nobody outside Apple knows when tokens expire",
        .scene { gateway in
          gateway.register(deadToken).state = .expired(since: Gateway.now)
          return gateway.send { $0.setToken(deadToken) }
        }),
    ])

  static let topics = ConformanceSection(
    title: "Topic",
    rules: [
      ConformanceRule(
        "no apns-topic", .missingTopic, .topic,
        evidence: .observed("node-apn issue 514")
      ) { $0.set("apns-topic", nil) },
      ConformanceRule(
        "apns-topic that can be no bundle ID", .badTopic, .topic,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("apns-topic", "com.example app") },
      ConformanceRule(
        "alert with a .voip topic", .invalidPushType, .pushType,
        evidence: .observed("since September 2019, PyAPNs2 issue 87, apns2 issue 148")
      ) { $0.set("apns-topic", Gateway.topic + ".voip") },
      ConformanceRule(
        "a topic that is none of a topic-specific key", .topicDisallowed, .topic,
        evidence: .seen("reports of senders; Apple's page says only that it is an error"),
        .scene { gateway in
          try gateway.credentials.add(
            APNsKey(
              keyID: "TOPICKEY01", teamID: Gateway.teamID, publicKey: gateway.key.publicKey.spki,
              topics: ["com.example.other"]))
          var jwt = gateway.jwt()
          jwt.header = #"{"alg":"ES256","kid":"TOPICKEY01"}"#
          return gateway.send { $0.set("authorization", "bearer " + jwt.text) }
        }),
    ])

  /// A token that a rule registers for itself.
  private static let deadToken = String(repeating: "de", count: 32)
}
