import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ChannelServiceTests {
  let gateway: Gateway

  init() throws {
    gateway = try Gateway()
  }

  private func reading(_ channel: String, _ method: String = "GET") -> TestPush {
    var push = gateway.channelRequest(method)
    push.set("apns-channel-id", channel)
    return push
  }

  private let requestID = "apns-request-id: \(Gateway.requestID)"

  @Test func `a creation is 201 with the ids and no body, observed 2026`() throws {
    let answer = gateway.send(gateway.validCreation)
    #expect(answer.status == 201)
    #expect(answer.body.isEmpty)
    #expect(answer.fields.count == 2 && answer.fields[0] == requestID)
    let id = try #require(answer.fields[1].split(separator: " ").last)
    #expect(answer.fields[1] == "apns-channel-id: \(id)")
    #expect(id.count == 24 && id.hasSuffix("=="))
    #expect(answer.outcome.isAccepted)
    #expect(answer.outcome.service == .apns)
    #expect(answer.outcome.app == Gateway.topic)
    #expect(answer.outcome.apnsID.elementsEqual(Gateway.requestID.utf8))
    #expect(answer.outcome.broadcast?.channelID == Array(id.utf8))
    #expect(answer.outcome.broadcast?.recipient == nil)
  }

  @Test(arguments: [0, 1])
  func `a channel is read as it was made`(policy: Int) {
    let answer = gateway.send(reading(gateway.makeChannel(policy: policy)))
    #expect(answer.status == 200)
    #expect(answer.fields == [requestID])
    #expect(answer.body == #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
  }

  @Test func `channels are listed, of this app and environment only`() {
    let ids = (0..<3).map { _ in gateway.makeChannel() }
    _ = gateway.makeChannel { $0.environment = .production }
    _ = gateway.makeChannel { $0.target = "/1/apps/com.other/channels" }
    let list = gateway.channelRequest("GET", "/1/apps/\(Gateway.topic)/all-channels")
    var answer = gateway.send(list)
    #expect(answer.status == 200)
    #expect(answer.fields == [requestID])
    #expect(answer.body == #"{"channels":["\#(ids.joined(separator: #"",""#))"]}"#)
    answer = gateway.send(list) { $0.target = "/1/apps/com.none/all-channels" }
    #expect(answer.body == #"{"channels":[]}"#)
  }

  @Test func `a deletion is 204, a second one 404 BadPath, observed 2026`() {
    let channel = gateway.makeChannel()
    let first = gateway.send(reading(channel, "DELETE"))
    #expect(first.status == 204 && first.body.isEmpty && first.fields == [requestID])
    for method in ["DELETE", "GET"] {
      let second = gateway.send(reading(channel, method))
      #expect(second.status == 404)
      #expect(second.body == #"{"reason":"BadPath"}"#)
      #expect(second.code == .channelDeleted)
    }
  }

  @Test func `a broadcast to a deleted channel is ChannelNotRegistered, observed 2026`() {
    let channel = gateway.makeChannel()
    _ = gateway.send(reading(channel, "DELETE"))
    let answer = gateway.send(gateway.validBroadcast(channel))
    #expect(answer.status == 400)
    #expect(answer.body == #"{"reason":"ChannelNotRegistered"}"#)
    #expect(answer.code == .channelDeleted)
    #expect(answer.outcome.broadcast?.channelID == Array(channel.utf8))
  }

  @Test func `a channel belongs to one app and environment`() throws {
    let channel = gateway.makeChannel()
    var answer = gateway.send(gateway.validBroadcast(channel)) { $0.environment = .production }
    #expect(answer.body == #"{"reason":"BadChannelId"}"#)
    #expect(answer.code == .channelOfOtherEnvironment)
    answer = gateway.send(gateway.validBroadcast(channel)) {
      $0.target = "/4/broadcasts/apps/com.other"
    }
    #expect(answer.body == #"{"reason":"BadChannelId"}"#)
    #expect(answer.code == .channelOfOtherApp)
  }

  @Test func `the pages' answers differ where wire is documented`() {
    gateway.workspaces.default.policies.wire = .documented
    let channel = gateway.makeChannel()
    var answer = gateway.send(reading("tvI2UK0vEfEAAA6GFnjo2Q==", "DELETE"))
    #expect(answer.status == 400)
    #expect(answer.body == #"{"reason":"ChannelNotRegistered"}"#)
    #expect(answer.fields == [requestID, "content-type: application/json"])
    answer = gateway.send(gateway.validBroadcast("tvI2UK0vEfEAAA6GFnjo2Q=="))
    #expect(answer.body == #"{"reason":"ChannelNotRegistered"}"#)
    answer = gateway.send(gateway.validCreation) { $0.setBody(#"{"push-type":"LiveActivity"}"#) }
    #expect(answer.body == #"{"reason":"BadRequestParams"}"#)
    #expect(gateway.send(reading(channel)).fields.last == "content-type: application/json")
    gateway.workspaces.default.apns.broadcastDisabledApps = [Gateway.topic]
    #expect(gateway.send(gateway.validCreation).body == #"{"reason":"FeatureNotEnabled"}"#)
  }

  @Test func `an app without the capability cannot do anything, and its channels are gone`() {
    let channel = gateway.makeChannel()
    gateway.workspaces.default.apns.broadcastDisabledApps = [Gateway.topic]
    for push in [
      gateway.validCreation, reading(channel), reading(channel, "DELETE"),
      gateway.validBroadcast(channel),
    ] {
      #expect(gateway.send(push).body == #"{"reason":"BroadcastFeatureNotEnabled"}"#)
    }
    gateway.workspaces.default.apns.broadcastDisabledApps = []
    #expect(gateway.send(gateway.validBroadcast(channel)).reason == "ChannelNotRegistered")
  }

  @Test func `the limit of channels is CannotCreateChannelConfig`() {
    gateway.workspaces.default.channels = ChannelDirectory(channelLimit: 1)
    let channel = gateway.makeChannel()
    let answer = gateway.send(gateway.validCreation)
    #expect(answer.status == 400)
    #expect(answer.body == #"{"reason":"CannotCreateChannelConfig"}"#)
    #expect(answer.code == .channelLimitReached)
    _ = gateway.send(reading(channel, "DELETE"))
    #expect(gateway.send(gateway.validCreation).status == 201)
  }

  @Test(arguments: ["liveactivity", "LiveActivity", "LIVEACTIVITY"])
  func `the push type of a creation is compared without case, as node-apn's is lower`(
    type: String
  ) {
    let answer = gateway.send(gateway.validCreation) {
      $0.setBody(#"{"push-type":"\#(type)","message-storage-policy":0}"#)
    }
    #expect(answer.status == 201)
  }

  @Test func `apns-request-id is echoed byte for byte, and made in upper case`() throws {
    let id = "8F0a1b2c-3D4e-4f60-9a7b-0c1d2e3f4A5b"
    #expect(
      gateway.send(gateway.validCreation) { $0.set("apns-request-id", id) }.fields.first
        == "apns-request-id: \(id)")
    let made = try #require(
      gateway.send(gateway.validCreation) { $0.set("apns-request-id", nil) }.fields.first)
    #expect(made.count == 17 + 36)
    #expect(made.dropFirst(17) == made.dropFirst(17).uppercased())
  }

  @Test func `Apple's hosts decide where channels are managed and where pushes are sent`() {
    let channel = gateway.makeChannel()
    func answer(_ push: TestPush, at host: String) -> TestAnswer {
      gateway.send(push) { $0.authority = host }
    }
    let management = "API-manage-broadcast.sandbox.push.apple.com:2195"
    let push = "api.sandbox.push.apple.com"
    #expect(answer(reading(channel), at: management).status == 200)
    let atPush = answer(reading(channel), at: push)
    #expect(atPush.body == #"{"reason":"MethodNotAllowed"}"#)
    #expect(atPush.code == .channelsAtPushHost)
    let creation = answer(gateway.validCreation, at: push)
    #expect(creation.body == #"{"reason":"BadPath"}"#)
    #expect(creation.code == .channelsAtPushHost)
    for host in [push, "api-broadcast.sandbox.push.apple.com:443", "127.0.0.1:2197"] {
      #expect(answer(gateway.validBroadcast(channel), at: host).status == 200)
    }
    for wrong in [gateway.validBroadcast(channel), gateway.validPush] {
      let refused = answer(wrong, at: management)
      #expect(refused.status == 404)
      #expect(refused.body == #"{"reason":"BadPath"}"#)
      #expect(refused.code == .pushAtChannelsHost)
      #expect(refused.fields.first?.hasPrefix("apns-request-id: ") == true)
    }
  }

  @Test(arguments: [
    ("GET", "/1/apps/com.a/channel", "404 BadPath", "/1/apps/<bundle ID>/channels"),
    ("POST", "/4/broadcast/apps/com.a", "404 BadPath", "/4/broadcasts/apps/<bundle ID>"),
    ("GET", "/4/broadcast/apps/com.a", "405 MethodNotAllowed", "/4/broadcasts/apps/<bundle ID>"),
  ])
  func `a path that is nearly one about channels gets that one named`(
    method: String, path: String, expected: String, nearest: String
  ) {
    let answer = gateway.send(gateway.channelRequest(method, path))
    #expect("\(answer.status) \(answer.reason ?? "")" == expected)
    #expect(answer.outcome.service == .unknown)
    #expect(answer.code == .pathOfNoEndpoint)
    #expect(answer.outcome.diagnosis?.what.contains(nearest) == true)
  }

  @Test func `ids decode to version 1 UUIDs with clock sequence 0, all different`() throws {
    var mint = ChannelIDMint(RandomSource(seed: 7))
    let ids = (0..<100).map { _ in mint.next(at: Timestamp(milliseconds: 1_790_000_000_000)) }
    #expect(Set(ids).count == 100)
    let bytes = try #require(Base64.decode(ids[0]))
    #expect(bytes.count == 16)
    #expect(bytes[6] >> 4 == 1)
    #expect(bytes[8...9] == [0, 0])
    // The time of 2026-09-21T14:13:20Z in units of 100 ns since 1582-10-15.
    let time = [6, 7, 4, 5, 0, 1, 2, 3].reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    #expect(time & 0x0FFF_FFFF_FFFF_FFFF == 1_790_000_000_000 * 10_000 + 122_192_928_000_000_000)
    var same = ChannelIDMint(RandomSource(seed: 7))
    #expect(same.next(at: Timestamp(milliseconds: 1_790_000_000_000)) == ids[0])
  }

  @Test func `a connection is authenticated by a request about channels too`() {
    _ = gateway.send(gateway.validCreation)
    #expect(gateway.connection.hasSeenValidToken)
  }
}
