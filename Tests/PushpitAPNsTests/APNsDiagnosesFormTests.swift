import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitAPNs

/// `code: what` and `fix: fix` are how every diagnosis is shown, so both go on in lower case.
@Suite struct APNsDiagnosesFormTests {
  private static let key = APNsKey(
    keyID: "KEYID12345", teamID: "TEAM123456", publicKey: [], topics: ["com.a"])
  private static let claims = ProviderClaims(
    keyID: "KEYID12345", teamID: "TEAM123456", issuedAt: Timestamp(milliseconds: 0))
  private static let token = Array(String(repeating: "0a", count: 32).utf8)[...]
  private static let certificate = ProviderCertificate.universal()
  private static let now = Timestamp(milliseconds: 0)
  private static var record: TokenRecord {
    TokenRecord(token: Array(token), kind: .apns, topic: Array("com.a".utf8))
  }

  /// Every explanation that APNs gives, each with ordinary values.
  static let all: [Diagnosis] =
    [
      APNsDiagnoses.methodNotAllowed(Array("GET".utf8)[...]),
      APNsDiagnoses.badPath(Array("/3/devices/".utf8)[...]),
      APNsDiagnoses.duplicateHeader(Array("apns-id".utf8)[...]),
      APNsDiagnoses.badMessageID(Array("x".utf8)[...]),
      APNsDiagnoses.badPriority(Array("x".utf8)[...]),
      APNsDiagnoses.badExpiration(Array("x".utf8)[...]),
      APNsDiagnoses.badCollapseID(65, limit: 64),
      APNsDiagnoses.missingTopic(),
      APNsDiagnoses.badTopic(Array("a b".utf8)[...]),
      APNsDiagnoses.topicNotOfKey(Array("com.b".utf8)[...], key: key, topics: ["com.a"]),
      APNsDiagnoses.unknownPushType(Array("loud".utf8)[...]),
      APNsDiagnoses.payloadEmpty(),
      APNsDiagnoses.payloadTooLarge(5000, isCut: false, limit: 4096),
      APNsDiagnoses.payloadNotJSON(Array("hello".utf8)[...]),
      APNsDiagnoses.payloadNotJSON(Array(#"{"a":"\ud83d"}"#.utf8)[...]),
      APNsDiagnoses.missingProviderToken(nil),
      APNsDiagnoses.missingProviderToken(Array("Basic x".utf8)[...]),
      APNsDiagnoses.unknownKey(claims, known: nil), APNsDiagnoses.unknownKey(claims, known: key),
      APNsDiagnoses.badSignature(key),
      APNsDiagnoses.expiredProviderToken(
        claims.issuedAt, age: .seconds(4000), limit: .seconds(3600)),
      APNsDiagnoses.keyOfOtherEnvironment(key, at: .sandbox),
      APNsDiagnoses.relayKeyMissing(.any, .default), APNsDiagnoses.relayKeyMissing(.none, .default),
      APNsDiagnoses.relayKeyMissing(.key("KEYID12345"), .default),
      APNsDiagnoses.relayKeyOfOtherEnvironment(key, .sandbox),
      APNsDiagnoses.relayKeyOfOtherTopics(key, Array("com.b".utf8)[...]),
      APNsDiagnoses.connectionWedged(),
      APNsDiagnoses.otherTeamOnConnection(claims, bound: claims),
      APNsDiagnoses.unrelatedKey(claims, bound: claims),
      APNsDiagnoses.tooManyProviderTokenUpdates(claims, since: .seconds(4), allowance: 0),
      APNsDiagnoses.tooManyRequests(token, perSecond: 5), APNsDiagnoses.backgroundPriority(),
      APNsDiagnoses.missingDeviceToken(), APNsDiagnoses.fcmToken(token, record: nil),
      APNsDiagnoses.tokenNotHex(token), APNsDiagnoses.tokenNotHex(Array("xyz".utf8)[...]),
      APNsDiagnoses.tokenUnknown(token, workspace: .default),
      APNsDiagnoses.tokenOfOtherWorkspace(record, used: WorkspaceID("other")),
      APNsDiagnoses.tokenOfOtherEnvironment(token, is: .sandbox),
      APNsDiagnoses.tokenOfOtherTopic(record, used: Array("com.b".utf8)[...]),
      APNsDiagnoses.tokenUnregistered(token, since: claims.issuedAt),
      APNsDiagnoses.tokenUnregistered(
        token, since: claims.issuedAt, answered: claims.issuedAt + .seconds(1)),
      APNsDiagnoses.tokenExpired(token, since: claims.issuedAt),
      APNsDiagnoses.tokenRotated(token, at: claims.issuedAt),
      APNsDiagnoses.requestStalled(3, limit: .seconds(30)), APNsDiagnoses.gatewayStopping(),
    ]
    + [
      APNsDiagnoses.certificateUnknown(certificate),
      APNsDiagnoses.certificateExpired(certificate, now: now),
      APNsDiagnoses.certificateNotYetValid(certificate, now: now),
      APNsDiagnoses.certificateOfOtherEnvironment(certificate, at: .sandbox),
      APNsDiagnoses.certificateWithoutAppleExtensions(certificate),
      APNsDiagnoses.missingTopicOfCertificate(),
      APNsDiagnoses.topicNotOfCertificate(Array("com.b".utf8)[...], certificate, owner: nil),
      APNsDiagnoses.topicNotOfCertificate(
        Array("com.a".utf8)[...], certificate, owner: .liveactivity),
    ]
    + broadcasts
    + APNsPushType.allCases.map {
      APNsDiagnoses.pushTypeNotOfTopic($0, topic: Array("com.a".utf8)[...])
    }
    + [ProviderTokenFault.notCompact, .headerNotJSON, .algorithm("none"), .keyIDMissing].map {
      APNsDiagnoses.unreadableProviderToken($0)
    }

  private static var channel: Channel? {
    var directory = ChannelDirectory()
    return try? directory.create(
      id: Array("tvI2UK0vEfEAAA6GFnjo2Q==".utf8), app: "com.a", environment: .sandbox,
      storagePolicy: .none, at: claims.issuedAt)
  }

  private static let broadcasts: [Diagnosis] =
    [
      APNsDiagnoses.broadcastMethod(Array("GET".utf8)[...]),
      APNsDiagnoses.methodOfNoChannelRequest(Array("PUT".utf8)[...]),
      APNsDiagnoses.pathOfNoChannels(RequestHead(method: "GET", target: "/"), .unknown),
      APNsDiagnoses.channelsAtPushHost(RequestHead(method: "GET", target: "/1/apps/a/channels")),
      APNsDiagnoses.badRequestID(Array("7".utf8)[...]),
      APNsDiagnoses.suffixOnBundleID(Array("com.a.voip".utf8)[...], ".voip"),
      APNsDiagnoses.appNotOfKey(Array("com.b".utf8)[...], key, ["com.a"]),
      APNsDiagnoses.broadcastOff(Array("com.a".utf8)[...]), APNsDiagnoses.missingChannelID(),
      APNsDiagnoses.unknownChannel(Array("AAAA".utf8)),
      APNsDiagnoses.channelOfOtherWorkspace(
        Array("AAAA".utf8), WorkspaceID("other"), used: .default),
      APNsDiagnoses.channelBodyNotJSON([]), APNsDiagnoses.channelBodyNotJSON(Array("x".utf8)[...]),
      APNsDiagnoses.unknownChannelMember("name"), APNsDiagnoses.badStoragePolicy(nil),
      APNsDiagnoses.badStoragePolicy(7), APNsDiagnoses.tooManyChannels(.app(limit: 1), app: "a"),
      APNsDiagnoses.tooManyChannels(.workspace(limit: 1), app: "a"),
      APNsDiagnoses.missingBroadcastType(), APNsDiagnoses.otherBroadcastType([]),
      APNsDiagnoses.missingChannelType(), APNsDiagnoses.otherChannelType("alert"),
      APNsDiagnoses.missingBroadcastPriority(), APNsDiagnoses.badBroadcastPriority([]),
      APNsDiagnoses.missingBroadcastExpiration(), APNsDiagnoses.broadcastStart(),
    ]
    + ["x", "a-_=", "%3D", String(repeating: "A", count: 300)].map {
      APNsDiagnoses.badChannelID(Array($0.utf8)[...])
    }
    + [channel].compactMap(\.self).flatMap { channel in
      [
        APNsDiagnoses.deletedChannel(channel, .deleted(at: claims.issuedAt)),
        APNsDiagnoses.deletedChannel(channel, .capabilityRemoved),
        APNsDiagnoses.channelOfOtherApp(channel, used: Array("com.b".utf8)[...]),
        APNsDiagnoses.channelOfOtherEnvironment(channel),
        APNsDiagnoses.expirationWithoutStorage(7, channel),
      ]
    }

  @Test(arguments: all)
  func `what and fix begin in lower case or with a name, and have no period`(diagnosis: Diagnosis) {
    for text in [diagnosis.what, diagnosis.fix] {
      #expect(text.first?.isLowercase == true || text.hasPrefix("APNs "), "\(text)")
      #expect(!text.hasSuffix("."), "\(text)")
      #expect(!text.contains("  "), "\(text)")
    }
  }
}
