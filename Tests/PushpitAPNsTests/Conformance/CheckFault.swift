import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitAPNs

/// A way to fail one check of a push, and what is known of the check's place in the order.
struct CheckFault: CustomTestStringConvertible, Sendable {
  let check: APNsCheck
  let reason: APNsReason
  /// The part of the request that it spoils; two faults of one part exclude each other.
  let part: String
  /// How it is known that the check before it comes first; nil for the first check.
  let place: ConformanceEvidence?
  /// What has to happen before the push.
  let prepare: @Sendable (Gateway) throws -> Void
  let change: @Sendable (inout TestPush) -> Void

  /// A fault of the request itself.
  init(
    check: APNsCheck, reason: APNsReason, part: String, place: ConformanceEvidence?,
    change: @escaping @Sendable (inout TestPush) -> Void
  ) {
    (self.check, self.reason, self.part, self.place) = (check, reason, part, place)
    prepare = { _ in }
    self.change = change
  }

  /// A fault of what came before it.
  init(
    check: APNsCheck, reason: APNsReason, part: String, place: ConformanceEvidence?,
    after prepare: @escaping @Sendable (Gateway) throws -> Void
  ) {
    (self.check, self.reason, self.part, self.place) = (check, reason, part, place)
    self.prepare = prepare
    change = { _ in }
  }

  var testDescription: String { "\(check)" }

  /// The token of an uninstalled app.
  static let deadToken = String(repeating: "de", count: 32)

  /// One fault for each check, in the order of the checks.
  static let all: [CheckFault] = [
    CheckFault(check: .certificate, reason: .badCertificate, part: "certificate", place: nil) {
      $0.certificate = .universal(key: 9)
    },
    CheckFault(
      check: .method, reason: .methodNotAllowed, part: "method",
      place: .observed("2016 to 2018 and 2022: a bad certificate ends the connection at once")
    ) { $0.method = "GET" },
    CheckFault(
      check: .providerTokenPresence, reason: .missingProviderToken, part: "authorization",
      place: .observed("2019 and 2026: an unauthenticated GET is MethodNotAllowed")
    ) { $0.set("authorization", nil) },
    CheckFault(
      check: .wedge, reason: .expiredProviderToken, part: "connection",
      place: .assumed("the token's presence needs no memory"),
      after: { $0.connection.noteExpiredToken() }),
    CheckFault(
      check: .providerTokenValidity, reason: .invalidProviderToken, part: "authorization",
      place: .observed("2020: a wedged connection takes no token, Pushy pull request 783")
    ) { $0.set("authorization", "bearer x") },
    CheckFault(
      check: .providerTokenAge, reason: .expiredProviderToken, part: "time",
      place: .assumed("nothing that a token says counts before its signature is good")
    ) { $0.receivedAt = Gateway.now + .seconds(3601) },
    CheckFault(
      check: .providerTokenEnvironment, reason: .badEnvironmentKeyInToken, part: "environment",
      place: .assumed("the age needs the token alone, the environment the key's record")
    ) { $0.environment = .production },
    CheckFault(
      check: .connectionKey, reason: .unrelatedKeyIDInToken, part: "key of the connection",
      place: .assumed("what is wrong everywhere comes before what is wrong on this connection"),
      after: { _ = $0.send(try $0.otherKey) }),
    CheckFault(
      check: .providerTokenUpdates, reason: .tooManyProviderTokenUpdates,
      part: "tokens of the connection",
      place: .assumed("a token that must not be used here is no update"),
      after: { _ = $0.send($0.jwt()) }),
    CheckFault(
      check: .path, reason: .badPath, part: "path",
      place: .assumed("everything but the method comes after authentication")
    ) { $0.target = "/3/devices/00" },
    CheckFault(
      check: .tokenPresence, reason: .missingDeviceToken, part: "path",
      place: .assumed("the path says that there should be a token")
    ) { $0.setToken("") },
    CheckFault(
      check: .tokenShape, reason: .badDeviceToken, part: "path",
      place: .assumed("what is not there has no shape")
    ) { $0.setToken("aaaa") },
    CheckFault(
      check: .duplicateHeaders, reason: .duplicateHeaders, part: "repeated",
      place: .assumed("probe scripts get BadDeviceToken although their requests lack fields")
    ) { $0.fields.append(("apns-collapse-id", "second")) },
    CheckFault(
      check: .messageID, reason: .badMessageID, part: "id",
      place: .assumed("a repeated field has no one value to judge")
    ) { $0.set("apns-id", "x") },
    CheckFault(
      check: .topic, reason: .missingTopic, part: "topic",
      place: .assumed("every answer has the id, so it is read first")
    ) { $0.set("apns-topic", nil) },
    CheckFault(
      check: .pushType, reason: .invalidPushType, part: "type",
      place: .assumed("the order of APNSwift's test server")
    ) { $0.set("apns-push-type", "x") },
    CheckFault(
      check: .priority, reason: .badPriority, part: "priority",
      place: .assumed("the order of APNSwift's test server")
    ) { $0.set("apns-priority", "x") },
    CheckFault(
      check: .expiration, reason: .badExpirationDate, part: "expiration",
      place: .assumed("the order of APNSwift's test server")
    ) { $0.set("apns-expiration", "x") },
    CheckFault(
      check: .collapseID, reason: .badCollapseID, part: "collapse",
      place: .assumed("the order of APNSwift's test server")
    ) { $0.set("apns-collapse-id", String(repeating: "x", count: 65)) },
    CheckFault(
      check: .payload, reason: .payloadEmpty, part: "body",
      place: .assumed("the order of APNSwift's test server")
    ) { $0.body = [] },
    CheckFault(
      check: .requestRate, reason: .tooManyRequests, part: "rate",
      place: .assumed("a push that is refused for itself reaches no device"),
      after: { gateway in
        gateway.workspaces.default.apns.requestsPerSecond = 1
        let connection = gateway.connection
        gateway.connection = APNsConnectionState()
        for token in [Gateway.deviceToken, deadToken] { _ = gateway.send { $0.setToken(token) } }
        gateway.connection = connection
      }),
    CheckFault(
      check: .registration, reason: .unregistered, part: "path",
      place: .assumed("it needs a database, everything before it only the request")
    ) { $0.setToken(deadToken) },
  ]
}
