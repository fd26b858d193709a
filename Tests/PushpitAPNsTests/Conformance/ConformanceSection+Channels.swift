import PushpitCrypto
import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  private static let errors = ConformanceEvidence.documented(
    "Handling error responses from APNs (broadcast)")
  private static let seen = ConformanceEvidence.observed("September 2026, sandbox")
  private static let tests = "Tests/PushpitAPNsTests/Broadcast/ChannelServiceTests.swift"

  /// Broadcasts and the channels that they go to.
  static let channels = ConformanceSection(
    title: "Broadcasts and channels",
    rules: [
      ConformanceRule(
        "a broadcast", evidence: .documented("Sending broadcast push notification requests"),
        .channels { $0.send($0.validBroadcast($0.makeChannel())) }),
      ConformanceRule(
        "a channel is created: 201", evidence: seen,
        .test(file: tests, name: "a creation is 201 with the ids and no body")),
      ConformanceRule(
        "a channel is read: 200 with JSON",
        evidence: .documented("Sending channel management requests to APNs"),
        .test(file: tests, name: "a channel is read as it was made")),
      ConformanceRule(
        "channels are listed: 200 with JSON",
        evidence: .documented("Sending channel management requests to APNs"),
        .test(file: tests, name: "channels are listed, of this app and environment only")),
      ConformanceRule(
        "a channel is deleted: 204",
        evidence: .documented("Sending channel management requests to APNs"),
        .test(file: tests, name: "a deletion is 204, a second one 404 BadPath")),
      creation("no credential at the host for channels", .missingProviderToken, .observed("2026")) {
        $0.authority = "api-manage-broadcast.push.apple.com:2196"
        $0.method = "GET"
        $0.set("authorization", nil)
      },
      creation("apns-request-id that is no UUID", .badMessageID, errors) {
        $0.set("apns-request-id", "7")
      },
      creation("a suffix on the path's bundle ID", .topicDisallowed, errors) {
        $0.target = "/1/apps/\(Gateway.topic).push-type.liveactivity/channels"
      },
      ConformanceRule(
        "an app that the key is not for", .topicMismatch, evidence: errors,
        .channels { gateway in
          try gateway.credentials.add(
            APNsKey(
              keyID: "TOPICSKEY1", teamID: Gateway.teamID,
              publicKey: gateway.key.publicKey.spki, topics: [Gateway.topic]))
          var jwt = gateway.jwt()
          jwt.header = #"{"alg":"ES256","kid":"TOPICSKEY1"}"#
          return gateway.send(gateway.validCreation) {
            $0.set("authorization", "bearer " + jwt.text)
            $0.target = "/1/apps/com.other/channels"
          }
        }),
      ConformanceRule(
        "an app that the client certificate is not for", .topicMismatch, evidence: errors,
        .channels { gateway in
          let certificate = ProviderCertificate.universal("com.other")
          try gateway.credentials.add(certificate)
          return gateway.send(gateway.validCreation) { $0.certificate = certificate }
        }),
      ConformanceRule(
        "an app without the broadcast capability", .broadcastNotEnabled, evidence: seen,
        deviation: "`wire: documented` says FeatureNotEnabled, as the page",
        .channels { gateway in
          gateway.workspaces.default.apns.broadcastDisabledApps = [Gateway.topic]
          return gateway.send(gateway.validCreation)
        }),
      creation("a body that is no JSON", .badRequestPayload, errors) { $0.setBody("{") },
      creation("a member that channels do not have", .badRequestParameters, errors) {
        $0.setBody(#"{"message-storage-policy":1,"push-type":"LiveActivity","name":"x"}"#)
      },
      creation("a channel without push type", .missingPushType, errors) {
        $0.setBody(#"{"message-storage-policy":1}"#)
      },
      creation("a channel of another push type", .invalidPushType, errors) {
        $0.setBody(#"{"message-storage-policy":1,"push-type":"alert"}"#)
      },
      creation(
        "a channel without storage policy", .missingChannelQueueSize,
        .observed("2026, a field report")
      ) { $0.setBody(#"{"push-type":"LiveActivity"}"#) },
      ConformanceRule(
        "one channel too many", .cannotCreateChannel, evidence: errors,
        .channels { gateway in
          gateway.workspaces.default.channels = ChannelDirectory(channelLimit: 0)
          return gateway.send(gateway.validCreation)
        }),
      ConformanceRule(
        "a deletion of a channel that never existed", .badPath, evidence: seen,
        deviation: "`wire: documented` says ChannelNotRegistered, as the page",
        .channels { gateway in
          var push = gateway.channelRequest("DELETE")
          push.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q==")
          return gateway.send(push)
        }),
      broadcast("no channel id", .missingChannelID, errors) { $0.set("apns-channel-id", nil) },
      broadcast("a channel id that is no base64", .badChannelID, errors) {
        $0.set("apns-channel-id", "no base64")
      },
      broadcast("a channel id that never existed", .badChannelID, seen) {
        $0.set("apns-channel-id", "tvI2UK0vEfEAAA6GFnjo2Q==")
      },
      ConformanceRule(
        "a channel that was deleted", .channelNotRegistered, evidence: seen,
        .channels { gateway in
          let id = gateway.makeChannel()
          var deletion = gateway.channelRequest("DELETE")
          deletion.set("apns-channel-id", id)
          _ = gateway.send(deletion)
          return gateway.send(gateway.validBroadcast(id))
        }),
      broadcast("a broadcast without push type", .missingPushType, errors) {
        $0.set("apns-push-type", nil)
      },
      broadcast("a broadcast of another push type", .invalidPushType, errors) {
        $0.set("apns-push-type", "alert")
      },
      broadcast(
        "a broadcast without priority", .badPriority,
        .assumed("the field is required; a missing expiration is answered like a bad one")
      ) { $0.set("apns-priority", nil) },
      broadcast("a broadcast without expiration", .badExpirationDate, seen) {
        $0.set("apns-expiration", nil)
      },
      broadcast(
        "an expiration on a channel without storage", .badExpirationDate,
        .documented("Sending broadcast push notification requests"), policy: 0
      ) { $0.set("apns-expiration", "1700000600") },
      broadcast("a broadcast without payload", .payloadEmpty, errors) { $0.body = [] },
      broadcast("a broadcast of 5121 bytes", .payloadTooLarge, errors) {
        $0.setUpdate(byteCount: 5121)
      },
      broadcast(
        "a broadcast that starts an activity", .badRequestPayload,
        .assumed("a broadcast only updates and ends; no page names the reason")
      ) { $0.setBody(#"{"aps":{"event":"start"}}"#) },
    ])

  /// A rule that a changed creation of a channel shows.
  private static func creation(
    _ title: String, _ reason: APNsReason, _ evidence: ConformanceEvidence,
    _ change: @escaping @Sendable (inout TestPush) -> Void
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, evidence: evidence, .channels { $0.send($0.validCreation, change) })
  }

  /// A rule that a changed broadcast shows.
  private static func broadcast(
    _ title: String, _ reason: APNsReason, _ evidence: ConformanceEvidence, policy: Int = 1,
    _ change: @escaping @Sendable (inout TestPush) -> Void
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, evidence: evidence,
      .channels { $0.send($0.validBroadcast($0.makeChannel(policy: policy)), change) })
  }
}
