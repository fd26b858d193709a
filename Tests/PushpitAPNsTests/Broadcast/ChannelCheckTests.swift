import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ChannelCheckTests {
  typealias Fault = BroadcastFault<ChannelCheck>

  /// Faults of any request about channels, in the order of the list.
  static let common: [Fault] = [
    Fault(
      check: .authentication, answer: "403 MissingProviderToken", code: "provider-token-missing",
      part: "authorization"
    ) { $0.set("authorization", nil) },
    Fault(
      check: .method, answer: "405 MethodNotAllowed", code: "path-of-no-endpoint", part: "method"
    ) { $0.method = "PUT" },
    Fault(check: .path, answer: "404 BadPath", code: "path-of-no-endpoint", part: "path") {
      $0.authority = "api-manage-broadcast.sandbox.push.apple.com:2195"
      $0.target = "/1/apps/com.example.app/channel"
    },
    Fault(
      check: .messageID, answer: "400 BadMessageId", code: "request-id-not-uuid", part: "id"
    ) { $0.set("apns-request-id", "7") },
    Fault(check: .suffix, answer: "400 TopicDisallowed", code: "suffix-on-bundle-id", part: "path")
    {
      $0.target = "/1/apps/com.example.app.push-type.liveactivity/channels"
    },
    Fault(
      check: .credentialApp, answer: "403 TopicMismatch", code: "app-not-of-key", part: "path"
    ) { $0.target = "/1/apps/com.other/channels" },
    Fault(
      check: .capability, answer: "400 BroadcastFeatureNotEnabled", code: "broadcast-not-enabled",
      part: "path"
    ) { $0.target = "/1/apps/com.disabled/channels" },
  ]

  /// Faults of a creation.
  static let creation: [Fault] = [
    Fault(
      check: .body, answer: "400 BadRequestPayload", code: "channel-body-not-json", part: "body"
    ) { $0.setBody("{") },
    Fault(
      check: .parameters, answer: "400 BadRequestParams", code: "channel-member-unknown",
      part: "body"
    ) { $0.setBody(#"{"name":"x","message-storage-policy":1}"#) },
    Fault(check: .pushType, answer: "400 MissingPushType", code: "push-type-missing", part: "body")
    {
      $0.setBody(#"{"message-storage-policy":7}"#)
    },
    Fault(
      check: .storagePolicy, answer: "400 MissingChannelQueueSize",
      code: "storage-policy-invalid", part: "body"
    ) { $0.setBody(#"{"push-type":"LiveActivity"}"#) },
  ]

  /// Other ways to fail a creation.
  static let creationVariants: [Fault] =
    ["", "null", "[]", #""x""#].map { body in
      Fault(
        check: .body, answer: "400 BadRequestPayload", code: "channel-body-not-json", part: ""
      ) { $0.setBody(body) }
    }
    + [#""2""#, "2", "-1", "null", "true", "0.5", #""1""#].map { policy in
      Fault(
        check: .storagePolicy, answer: "400 MissingChannelQueueSize",
        code: "storage-policy-invalid", part: ""
      ) { $0.setBody(#"{"push-type":"LiveActivity","message-storage-policy":\#(policy)}"#) }
    }
    + [#""alert""#, "1", #""""#, "[]"].map { type in
      Fault(
        check: .pushType, answer: "400 InvalidPushType", code: "push-type-not-live-activity",
        part: ""
      ) { $0.setBody(#"{"push-type":\#(type),"message-storage-policy":1}"#) }
    }
    + [
      Fault(check: .body, answer: "413 PayloadTooLarge", code: "payload-too-large", part: "") {
        $0.isBodyCut = true
      },
      Fault(check: .pushType, answer: "400 MissingPushType", code: "push-type-missing", part: "") {
        $0.setBody(#"{"push-type":null,"message-storage-policy":1}"#)
      },
      Fault(check: .path, answer: "404 BadPath", code: "path-of-no-endpoint", part: "") {
        $0.target = "/1/apps/com.example.app/all-channels"
      },
    ]

  /// Faults of reading and deleting.
  static let named: [Fault] = [
    Fault(
      check: .channelID, answer: "400 MissingChannelId", code: "channel-id-missing", part: "channel"
    ) { $0.set("apns-channel-id", nil) },
    Fault(check: .registration, answer: "404 BadPath", code: "channel-unknown", part: "channel") {
      $0.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q==")
    },
    Fault(
      check: .channelID, answer: "400 BadChannelId", code: "channel-id-malformed", part: ""
    ) { $0.set("apns-channel-id", "not base64") },
  ]

  private func fixture() throws -> (gateway: Gateway, jwt: String) {
    let gateway = try Gateway()
    try gateway.credentials.add(
      APNsKey(
        keyID: "TOPICSKEY1", teamID: Gateway.teamID, publicKey: gateway.key.publicKey.spki,
        topics: [
          Gateway.topic, Gateway.topic + ".push-type.liveactivity", "com.disabled",
        ]))
    gateway.workspaces.default.apns.broadcastDisabledApps = ["com.disabled"]
    var jwt = gateway.jwt()
    jwt.header = #"{"alg":"ES256","kid":"TOPICSKEY1"}"#
    return (gateway, "bearer " + jwt.text)
  }

  private func expect(
    _ answer: TestAnswer, _ fault: Fault, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      "\(answer.status) \(answer.reason ?? "")" == fault.answer, sourceLocation: sourceLocation)
    #expect(
      answer.body == #"{"reason":"\#(fault.answer.dropFirst(4))"}"#, sourceLocation: sourceLocation)
    #expect(answer.fields.count == 1, sourceLocation: sourceLocation)
    #expect(
      answer.fields.first?.hasPrefix("apns-request-id: ") == true, sourceLocation: sourceLocation)
    #expect(answer.code?.rawValue == fault.code, sourceLocation: sourceLocation)
  }

  @Test func `every check has a fault here, in the order of the list`() {
    let tested = Self.common + Self.creation
    #expect(tested.map(\.check) + [.limit, .channelID, .registration] == ChannelCheck.order)
  }

  @Test(arguments: common + creation + creationVariants)
  func `a creation with one fault has its reason, its bytes and its diagnosis`(
    fault: Fault
  ) throws {
    let (gateway, jwt) = try fixture()
    var valid = gateway.validCreation
    valid.set("authorization", jwt)
    #expect(gateway.send(valid).status == 201)
    expect(gateway.send(valid, fault.change), fault)
  }

  @Test(arguments: ["GET", "DELETE"], common + named)
  func `reading and deleting with one fault have its reason`(method: String, fault: Fault) throws {
    let (gateway, jwt) = try fixture()
    var valid = gateway.channelRequest(method)
    valid.set("authorization", jwt)
    valid.set("apns-channel-id", gateway.makeChannel())
    expect(gateway.send(valid, fault.change), fault)
    #expect(gateway.send(valid).status == (method == "GET" ? 200 : 204))
  }

  @Test(arguments: common + creation)
  func `of two faults the earlier check answers`(first: Fault) throws {
    let (gateway, jwt) = try fixture()
    var valid = gateway.validCreation
    valid.set("authorization", jwt)
    let all = Self.common + Self.creation
    let index = try #require(all.firstIndex { $0.check == first.check })
    for second in all[index...] where second.part != first.part {
      let answer = gateway.send(valid) {
        first.change(&$0)
        second.change(&$0)
      }
      #expect(answer.code?.rawValue == first.code, "with \(second.check) too")
    }
  }

  @Test func `an unauthenticated GET at the host for channels is 403, observed 2026`() throws {
    let gateway = try Gateway()
    for target in ["/", "/1/apps/com.example.app/channels", "/3/device/"] {
      var push = gateway.channelRequest("GET", target)
      push.authority = "api-manage-broadcast.sandbox.push.apple.com:2195"
      push.fields = []
      let answer = gateway.send(push)
      #expect(answer.status == 403)
      #expect(answer.body == #"{"reason":"MissingProviderToken"}"#)
    }
  }
}
