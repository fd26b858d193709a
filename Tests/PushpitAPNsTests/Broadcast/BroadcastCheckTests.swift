import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct BroadcastCheckTests {
  typealias Fault = BroadcastFault<BroadcastCheck>

  /// One fault for each check, in the order of the list.
  static let faults: [Fault] = [
    Fault(check: .method, answer: "405 MethodNotAllowed", code: "method-not-post", part: "method") {
      $0.method = "GET"
    },
    Fault(
      check: .authentication, answer: "403 MissingProviderToken", code: "provider-token-missing",
      part: "authorization"
    ) { $0.set("authorization", nil) },
    Fault(
      check: .messageID, answer: "400 BadMessageId", code: "request-id-not-uuid", part: "id"
    ) { $0.set("apns-request-id", "7") },
    Fault(
      check: .suffix, answer: "400 TopicDisallowed", code: "suffix-on-bundle-id", part: "path"
    ) { $0.target += ".push-type.liveactivity" },
    Fault(
      check: .credentialApp, answer: "403 TopicMismatch", code: "app-not-of-key", part: "path"
    ) { $0.target = "/4/broadcasts/apps/com.other" },
    Fault(
      check: .capability, answer: "400 BroadcastFeatureNotEnabled", code: "broadcast-not-enabled",
      part: "path"
    ) { $0.target = "/4/broadcasts/apps/com.disabled" },
    Fault(
      check: .channelID, answer: "400 MissingChannelId", code: "channel-id-missing", part: "channel"
    ) { $0.set("apns-channel-id", nil) },
    Fault(
      check: .pushType, answer: "400 InvalidPushType", code: "push-type-not-live-activity",
      part: "type"
    ) { $0.set("apns-push-type", "alert") },
    Fault(check: .priority, answer: "400 BadPriority", code: "priority-missing", part: "priority") {
      $0.set("apns-priority", nil)
    },
    Fault(
      check: .expiration, answer: "400 BadExpirationDate", code: "expiration-missing",
      part: "expiration"
    ) { $0.set("apns-expiration", nil) },
    Fault(check: .payload, answer: "400 PayloadEmpty", code: "payload-empty", part: "body") {
      $0.body = []
    },
    Fault(
      check: .registration, answer: "400 BadChannelId", code: "channel-unknown", part: "channel"
    ) { $0.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q==") },
    Fault(
      check: .storage, answer: "400 BadExpirationDate", code: "expiration-without-storage",
      part: "expiration"
    ) { $0.set("apns-expiration", "1700000600") },
  ]

  /// Other ways to fail a check.
  static let variants: [Fault] = [
    Fault(check: .messageID, answer: "400 BadMessageId", code: "apns-id-not-uuid", part: "") {
      $0.set("apns-id", "7")
    },
    Fault(
      check: .suffix, answer: "400 TopicDisallowed", code: "suffix-on-bundle-id", part: ""
    ) { $0.target += ".voip" },
    Fault(check: .channelID, answer: "400 MissingChannelId", code: "channel-id-missing", part: "") {
      $0.set("apns-channel-id", "")
    },
    Fault(check: .channelID, answer: "400 BadChannelId", code: "channel-id-malformed", part: "") {
      $0.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q")
    },
    Fault(check: .channelID, answer: "400 BadChannelId", code: "channel-id-malformed", part: "") {
      $0.set("apns-channel-id", "tvI2UK0vEfEA-_6GFnjo2Q==")
    },
    Fault(check: .channelID, answer: "400 BadChannelId", code: "channel-id-malformed", part: "") {
      $0.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q%3D%3D")
    },
    Fault(check: .channelID, answer: "400 BadChannelId", code: "channel-id-malformed", part: "") {
      $0.set("apns-channel-id", String(repeating: "A", count: 256))
    },
    Fault(check: .pushType, answer: "400 MissingPushType", code: "push-type-missing", part: "") {
      $0.set("apns-push-type", nil)
    },
    Fault(check: .priority, answer: "400 BadPriority", code: "priority-invalid", part: "") {
      $0.set("apns-priority", "7")
    },
    Fault(check: .priority, answer: "400 BadPriority", code: "priority-invalid", part: "") {
      $0.set("apns-priority", "010")
    },
    Fault(
      check: .expiration, answer: "400 BadExpirationDate", code: "expiration-not-integer", part: ""
    ) { $0.set("apns-expiration", "1.5") },
    Fault(check: .payload, answer: "413 PayloadTooLarge", code: "payload-too-large", part: "") {
      $0.setUpdate(byteCount: 5121)
    },
    Fault(check: .payload, answer: "413 PayloadTooLarge", code: "payload-too-large", part: "") {
      $0.isBodyCut = true
    },
    Fault(check: .payload, answer: "400 BadRequestPayload", code: "payload-not-json", part: "") {
      $0.setBody("[1]")
    },
    Fault(
      check: .payload, answer: "400 BadRequestPayload", code: "broadcast-cannot-start", part: ""
    ) { $0.setBody(#"{"aps":{"event":"start"}}"#) },
  ]

  /// A gateway whose key is for two apps, one of them without the capability, and a channel that
  /// stores nothing.
  func fixture() throws -> (gateway: Gateway, valid: TestPush) {
    let gateway = try Gateway()
    try gateway.credentials.add(
      APNsKey(
        keyID: "TOPICSKEY1", teamID: Gateway.teamID, publicKey: gateway.key.publicKey.spki,
        topics: [
          Gateway.topic, Gateway.topic + ".push-type.liveactivity", Gateway.topic + ".voip",
          "com.disabled",
        ]))
    gateway.workspaces.default.apns.broadcastDisabledApps = ["com.disabled"]
    var jwt = gateway.jwt()
    jwt.header = #"{"alg":"ES256","kid":"TOPICSKEY1"}"#
    var valid = gateway.validBroadcast(gateway.makeChannel(policy: 0))
    valid.set("authorization", "bearer " + jwt.text)
    return (gateway, valid)
  }

  @Test func `every check has a fault here, in the order of the list`() {
    #expect(Self.faults.map(\.check) == BroadcastCheck.order)
  }

  @Test func `a credential's faults answer in the order of a device push`() {
    let positions = APNsCheck.ofCredential.compactMap { APNsCheck.order.firstIndex(of: $0) }
    #expect(positions == positions.sorted())
    #expect(positions.count == APNsCheck.ofCredential.count)
  }

  @Test func `a broadcast is 200 with apns-request-id, in the sandbox with apns-unique-id`() throws
  {
    let (gateway, valid) = try fixture()
    let answer = gateway.send(valid)
    #expect(answer.status == 200)
    #expect(answer.body.isEmpty)
    #expect(answer.fields.count == 2)
    #expect(answer.fields[0] == "apns-request-id: \(Gateway.requestID)")
    #expect(answer.fields[1].hasPrefix("apns-unique-id: "))
    #expect(answer.outcome.isAccepted && answer.outcome.warnings.isEmpty)
    #expect(answer.outcome.broadcast?.recipient?.app == Gateway.topic)
    #expect(answer.outcome.app == Gateway.topic)
    #expect(answer.outcome.deviceMessage == valid.body)
  }

  @Test(arguments: faults + variants)
  func `one fault has its reason, its bytes and its diagnosis`(fault: Fault) throws {
    let (gateway, valid) = try fixture()
    let answer = gateway.send(valid, fault.change)
    let reason = fault.answer.dropFirst(4)
    #expect("\(answer.status) \(answer.reason ?? "")" == fault.answer)
    #expect(answer.body == #"{"reason":"\#(reason)"}"#)
    #expect(answer.fields.count == 1)
    #expect(answer.fields.first?.hasPrefix("apns-request-id: ") == true)
    #expect(answer.code?.rawValue == fault.code)
    #expect(answer.outcome.broadcast?.recipient == nil)
  }

  @Test(arguments: faults)
  func `of two faults the earlier check answers`(first: Fault) throws {
    let (gateway, valid) = try fixture()
    let index = try #require(Self.faults.firstIndex { $0.check == first.check })
    for second in Self.faults[index...] where second.part != first.part {
      let answer = gateway.send(valid) {
        first.change(&$0)
        second.change(&$0)
      }
      #expect(answer.code?.rawValue == first.code, "with \(second.check) too")
    }
  }

  @Test(arguments: ["LiveActivity", "liveactivity", "LIVEACTIVITY"])
  func `the push type is compared without case, as libraries send both spellings`(
    type: String
  ) throws {
    let (gateway, valid) = try fixture()
    #expect(gateway.send(valid) { $0.set("apns-push-type", type) }.status == 200)
  }

  @Test(arguments: ["10", "5", "1"])
  func `the three priorities are good`(priority: String) throws {
    let (gateway, valid) = try fixture()
    #expect(gateway.send(valid) { $0.set("apns-priority", priority) }.status == 200)
  }

  @Test func `a payload of 5120 bytes is good`() throws {
    let (gateway, valid) = try fixture()
    #expect(gateway.send(valid) { $0.setUpdate(byteCount: 5120) }.status == 200)
  }

  @Test(arguments: [#"{"aps":{}}"#, #"{}"#, #"{"aps":{"event":"pause"}}"#])
  func `any event but a start is accepted`(payload: String) throws {
    let (gateway, valid) = try fixture()
    let answer = gateway.send(valid) { $0.setBody(payload) }
    #expect(answer.status == 200)
  }

  @Test func `a channel that stores the newest message takes any expiration`() throws {
    let gateway = try Gateway()
    let valid = gateway.validBroadcast(gateway.makeChannel(policy: 1))
    for expiration in ["0", "1700000600", "1"] {
      #expect(gateway.send(valid) { $0.set("apns-expiration", expiration) }.status == 200)
    }
  }

  @Test func `production has no apns-unique-id`() throws {
    let gateway = try Gateway()
    var valid = gateway.validBroadcast(gateway.makeChannel { $0.environment = .production })
    valid.environment = .production
    #expect(gateway.send(valid).fields == ["apns-request-id: \(Gateway.requestID)"])
  }
}
