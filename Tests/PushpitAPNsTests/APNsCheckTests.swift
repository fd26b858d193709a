import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsCheckTests {
  /// A way to fail one check, and the part of the request or of what came before it that it spoils.
  struct Fault: CustomTestStringConvertible, Sendable {
    let check: APNsCheck
    let reason: APNsReason
    let part: String
    let prepare: @Sendable (Gateway) throws -> Void
    let change: @Sendable (inout TestPush) -> Void

    /// A fault of the request itself.
    init(
      _ check: APNsCheck, _ reason: APNsReason, _ part: String,
      change: @escaping @Sendable (inout TestPush) -> Void
    ) {
      (self.check, self.reason, self.part) = (check, reason, part)
      prepare = { _ in }
      self.change = change
    }

    /// A fault of what came before it.
    init(
      _ check: APNsCheck, _ reason: APNsReason, _ part: String,
      after prepare: @escaping @Sendable (Gateway) throws -> Void
    ) {
      (self.check, self.reason, self.part) = (check, reason, part)
      self.prepare = prepare
      change = { _ in }
    }

    var testDescription: String { "\(check)" }
  }

  static let deadToken = String(repeating: "de", count: 32)

  static let faults: [Fault] = [
    Fault(.method, .methodNotAllowed, "method") { $0.method = "GET" },
    Fault(.providerTokenPresence, .missingProviderToken, "authorization") {
      $0.set("authorization", nil)
    },
    Fault(.wedge, .expiredProviderToken, "connection", after: { $0.connection.noteExpiredToken() }),
    Fault(.providerTokenValidity, .invalidProviderToken, "authorization") {
      $0.set("authorization", "bearer x")
    },
    Fault(.providerTokenAge, .expiredProviderToken, "time") {
      $0.receivedAt = Gateway.now + .seconds(3601)
    },
    Fault(.providerTokenEnvironment, .badEnvironmentKeyInToken, "environment") {
      $0.environment = .production
    },
    Fault(
      .connectionKey, .unrelatedKeyIDInToken, "key of the connection",
      after: { _ = $0.send(try $0.otherKey) }),
    Fault(
      .providerTokenUpdates, .tooManyProviderTokenUpdates, "tokens of the connection",
      after: { _ = $0.send($0.jwt()) }),
    Fault(.path, .badPath, "path") { $0.target = "/3/devices/00" },
    Fault(.tokenPresence, .missingDeviceToken, "path") { $0.setToken("") },
    Fault(.tokenShape, .badDeviceToken, "path") { $0.setToken("aaaa") },
    Fault(.duplicateHeaders, .duplicateHeaders, "repeated") {
      $0.fields.append(("apns-collapse-id", "second"))
    },
    Fault(.messageID, .badMessageID, "id") { $0.set("apns-id", "x") },
    Fault(.topic, .missingTopic, "topic") { $0.set("apns-topic", nil) },
    Fault(.pushType, .invalidPushType, "type") {
      $0.set("apns-push-type", "x")
    },
    Fault(.priority, .badPriority, "priority") {
      $0.set("apns-priority", "x")
    },
    Fault(.expiration, .badExpirationDate, "expiration") {
      $0.set("apns-expiration", "x")
    },
    Fault(.collapseID, .badCollapseID, "collapse") {
      $0.set("apns-collapse-id", String(repeating: "x", count: 65))
    },
    Fault(.payload, .payloadEmpty, "body") { $0.body = [] },
    Fault(
      .requestRate, .tooManyRequests, "rate",
      after: { gateway in
        gateway.workspaces.default.apns.requestsPerSecond = 1
        let connection = gateway.connection
        gateway.connection = APNsConnectionState()
        for token in [Gateway.deviceToken, deadToken] { _ = gateway.send { $0.setToken(token) } }
        gateway.connection = connection
      }),
    Fault(.registration, .unregistered, "path") { $0.setToken(deadToken) },
  ]

  @Test func `every check has a fault here, in the order of the list`() {
    #expect(Self.faults.map(\.check) == APNsCheck.order)
  }

  @Test(arguments: faults)
  func `of two faults the earlier check answers`(first: Fault) throws {
    let gateway = try Gateway(environments: [.sandbox])
    gateway.register(Self.deadToken).state = .unregistered(since: Gateway.now)
    let later = try #require(Self.faults.firstIndex { $0.check == first.check })
    #expect(try gateway.answer([first]).reason == first.reason.rawValue)
    for second in Self.faults[later...] where second.part != first.part {
      let answer = try gateway.answer([first, second])
      #expect(answer.reason == first.reason.rawValue, "with \(second.check) too")
    }
  }

  @Test func `an unauthenticated GET is 405, observed 2019 and 2026`() throws {
    let gateway = try Gateway()
    var push = TestPush()
    push.method = "GET"
    push.target = "/3/device/"
    push.body = []
    let answer = gateway.send(push)
    #expect(answer.status == 405)
    #expect(answer.body == #"{"reason":"MethodNotAllowed"}"#)
  }

  @Test(arguments: [[], [("apns-topic", "com.example.app"), ("apns-push-type", "alert")]])
  func `a malformed token without credential is MissingProviderToken, observed 2026`(
    fields: [(String, String)]
  ) throws {
    let gateway = try Gateway()
    var push = TestPush()
    push.setToken("aaaa")
    push.fields = fields
    push.body = Array("{}".utf8)
    #expect(gateway.send(push).body == #"{"reason":"MissingProviderToken"}"#)
  }

  @Test func `64 zeros with an unknown key are InvalidProviderToken, observed 2026`() throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.header = #"{"alg":"ES256","kid":"UNKNOWNKEY"}"#
    let answer = gateway.send {
      $0.set("authorization", "bearer " + jwt.text)
      $0.setToken(String(repeating: "0", count: 64))
    }
    #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
  }

  @Test func `a bogus token with good credentials is BadDeviceToken, as probes expect`() throws {
    let gateway = try Gateway()
    let answer = gateway.send {
      $0.setToken("bogus")
      $0.fields.removeSubrange(1...)
      $0.body = Array("{}".utf8)
    }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
  }

  @Test func `an empty token with good credentials is MissingDeviceToken, observed 2026`() throws {
    let gateway = try Gateway()
    let answer = gateway.send {
      $0.setToken("")
      $0.fields.removeSubrange(1...)
      $0.body = []
    }
    #expect(answer.body == #"{"reason":"MissingDeviceToken"}"#)
  }

  @Test func `a path of no endpoint is recorded as of no service`() throws {
    let gateway = try Gateway()
    let outcome = gateway.send { $0.target = "/3/devices/00" }.outcome
    #expect(outcome.service == .unknown)
    #expect(outcome.diagnosis?.code == .pathOfNoEndpoint)
    #expect(outcome.diagnosis?.what.contains("/3/device/<device token>") == true)
  }
}

extension Gateway {
  /// The answer to a push on a new connection after everything that the faults need before it.
  fileprivate func answer(_ faults: [APNsCheckTests.Fault]) throws -> TestAnswer {
    connection = APNsConnectionState()
    workspaces.default.apns = APNsSettings()
    // What one fault prepares must not be refused because of another.
    workspaces.default.apns.wedge = .off
    for fault in faults { try fault.prepare(self) }
    workspaces.default.apns.wedge = .expired
    return send { push in for fault in faults { fault.change(&push) } }
  }
}
