import PushpitCrypto
import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitAPNs

/// Pushes that FCM passes on for iOS apps: the project's key, then Apple's rules.
@Suite struct RelayTests {
  private static let other = "OTHERKEY12"

  private func judge(
    _ gateway: Gateway, _ change: (inout TestPush) -> Void = { _ in }
  ) throws(APNsRelay.Refusal) -> TokenRecord {
    var push = gateway.validPush
    push.set("authorization", nil)
    change(&push)
    return try gateway.service.judgeRelayed(push.request, in: gateway.workspaces.default)
  }

  private func refusal(
    _ gateway: Gateway, _ change: (inout TestPush) -> Void = { _ in }
  ) -> APNsRelay.Refusal? {
    do throws(APNsRelay.Refusal) {
      _ = try judge(gateway, change)
      return nil
    } catch {
      return error
    }
  }

  private func key(
    _ gateway: Gateway, _ id: String = other,
    environments: [APNsEnvironment] = APNsEnvironment.allCases, topics: [String]? = nil,
    workspace: WorkspaceID = .default
  ) throws {
    try gateway.credentials.add(
      APNsKey(
        keyID: id, teamID: Gateway.teamID, publicKey: gateway.key.publicKey.spki,
        environments: environments, topics: topics, workspace: workspace))
  }

  @Test func `a push needs no provider token, and its recipient is the token's`() throws {
    let gateway = try Gateway()
    let record = try judge(gateway)
    #expect(record.token == Array(Gateway.deviceToken.utf8))
    #expect(gateway.service.verificationCount == 0)
  }

  @Test func `without a key it is InvalidProviderToken`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.fcm.apnsKey = .none
    let refused = try #require(refusal(gateway))
    #expect(refused.status == 403 && refused.reason == "InvalidProviderToken")
    #expect(refused.diagnosis.code.rawValue == "fcm-apns-key-missing")
    #expect(refused.diagnosis.what.contains("setting fcmAPNsKey"))
  }

  @Test func `a key that the workspace does not know is InvalidProviderToken`() throws {
    let gateway = try Gateway()
    try key(gateway, workspace: WorkspaceID("other"))
    gateway.workspaces.default.fcm.apnsKey = .key(Self.other)
    let refused = try #require(refusal(gateway))
    #expect(refused.reason == "InvalidProviderToken")
    #expect(refused.diagnosis.what.contains("does not know the APNs key OTHERKEY12"))
    gateway.workspaces.default.fcm.apnsKey = .key(Gateway.keyID)
    #expect(self.refusal(gateway) == nil)
  }

  /// Seen in FCM's answers of 2025 and 2026.
  @Test func `a key of the other environment is BadEnvironmentKeyInToken`() throws {
    let gateway = try Gateway(environments: [.production])
    let refused = try #require(refusal(gateway))
    #expect(refused.status == 403 && refused.reason == "BadEnvironmentKeyInToken")
    #expect(refused.diagnosis.code.rawValue == "fcm-apns-key-of-other-environment")
    #expect(refused.diagnosis.what.contains("is for production, and the app's token is of sandbox"))
    try key(gateway, environments: [.sandbox])
    #expect(self.refusal(gateway) == nil)
    gateway.workspaces.default.fcm.apnsKey = .key(Gateway.keyID)
    #expect(self.refusal(gateway)?.reason == "BadEnvironmentKeyInToken")
  }

  @Test func `a key of other topics is TopicDisallowed, and any that fits will do`() throws {
    let gateway = try Gateway(environments: [.production])
    try key(gateway, topics: ["com.example.other"])
    let refused = try #require(refusal(gateway))
    #expect(refused.status == 400 && refused.reason == "TopicDisallowed")
    #expect(refused.diagnosis.code.rawValue == "fcm-apns-key-of-other-topics")
    try key(gateway, "THIRDKEY12", topics: ["com.example.other", Gateway.topic])
    #expect(self.refusal(gateway) == nil)
  }

  @Test func `Apple's rules hold, each with its explanation`() throws {
    let gateway = try Gateway()
    let cases: [((inout TestPush) -> Void, Int, String, DiagnosisCode)] = [
      (
        { $0.set("apns-topic", "com.example.other") }, 400, "DeviceTokenNotForTopic",
        .tokenOfOtherTopic
      ),
      ({ $0.environment = .production }, 400, "BadDeviceToken", .sandboxTokenAtProduction),
      ({ $0.setToken("zz") }, 400, "BadDeviceToken", .tokenNotHex),
      ({ $0.set("apns-priority", "7") }, 400, "BadPriority", .priorityInvalid),
      ({ $0.set("apns-expiration", "soon") }, 400, "BadExpirationDate", .expirationNotInteger),
      ({ $0.set("apns-push-type", "voip") }, 400, "InvalidPushType", .pushTypeNotOfTopic),
      (
        { $0.set("apns-collapse-id", String(repeating: "c", count: 65)) }, 400, "BadCollapseId",
        .collapseIDTooLong
      ),
      (
        { $0.body = Array(#"{"a":"\#(String(repeating: "x", count: 4096))"}"#.utf8) }, 413,
        "PayloadTooLarge", .payloadTooLarge
      ),
    ]
    for (change, status, reason, code) in cases {
      let refused = try #require(refusal(gateway, change))
      #expect(refused.status == status && refused.reason == reason)
      #expect(refused.diagnosis.code == code)
    }
  }

  @Test func `dead tokens are 410, and one of another workspace is BadDeviceToken`() throws {
    let gateway = try Gateway()
    let record = gateway.register(Gateway.deviceToken)
    for (state, reason) in [
      (TokenRecord.State.unregistered(since: Gateway.now), "Unregistered"),
      (.rotated(at: Gateway.now), "Unregistered"), (.expired(since: Gateway.now), "ExpiredToken"),
    ] {
      record.state = state
      let refused = try #require(refusal(gateway))
      #expect(refused.status == 410 && refused.reason == reason)
    }
    let other = String(repeating: "ab", count: 32)
    gateway.register(other, workspace: WorkspaceID("other"))
    #expect(refusal(gateway) { $0.setToken(other) }?.diagnosis.code == .tokenOfOtherWorkspace)
  }

  @Test func `a limit of pushes to one token counts these too`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.requestsPerSecond = 1
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(refusal(gateway)?.reason == "TooManyRequests")
  }
}
