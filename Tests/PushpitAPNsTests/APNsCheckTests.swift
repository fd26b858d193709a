import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsCheckTests {
  /// A way to fail one check, and the part of the request that it spoils.
  struct Fault: CustomTestStringConvertible, Sendable {
    let check: APNsCheck
    let reason: APNsReason
    let part: String
    let change: @Sendable (inout TestPush) -> Void

    var testDescription: String { "\(check)" }
  }

  static let deadToken = String(repeating: "de", count: 32)

  static let faults: [Fault] = [
    Fault(check: .certificate, reason: .badCertificate, part: "certificate") {
      $0.certificate = .universal(key: 9)
    },
    Fault(check: .method, reason: .methodNotAllowed, part: "method") { $0.method = "GET" },
    Fault(check: .authentication, reason: .missingProviderToken, part: "authorization") {
      $0.set("authorization", nil)
    },
    Fault(check: .path, reason: .badPath, part: "path") { $0.target = "/3/devices/00" },
    Fault(check: .tokenPresence, reason: .missingDeviceToken, part: "path") { $0.setToken("") },
    Fault(check: .tokenShape, reason: .badDeviceToken, part: "path") { $0.setToken("aaaa") },
    Fault(check: .duplicateHeaders, reason: .duplicateHeaders, part: "repeated") {
      $0.fields.append(("apns-collapse-id", "second"))
    },
    Fault(check: .messageID, reason: .badMessageID, part: "id") { $0.set("apns-id", "x") },
    Fault(check: .topic, reason: .missingTopic, part: "topic") { $0.set("apns-topic", nil) },
    Fault(check: .pushType, reason: .invalidPushType, part: "type") {
      $0.set("apns-push-type", "x")
    },
    Fault(check: .priority, reason: .badPriority, part: "priority") {
      $0.set("apns-priority", "x")
    },
    Fault(check: .expiration, reason: .badExpirationDate, part: "expiration") {
      $0.set("apns-expiration", "x")
    },
    Fault(check: .collapseID, reason: .badCollapseID, part: "collapse") {
      $0.set("apns-collapse-id", String(repeating: "x", count: 65))
    },
    Fault(check: .payload, reason: .payloadEmpty, part: "body") { $0.body = [] },
    Fault(check: .registration, reason: .unregistered, part: "path") { $0.setToken(deadToken) },
  ]

  @Test func `every check has a fault here, in the order of the list`() {
    #expect(Self.faults.map(\.check) == APNsCheck.order)
  }

  @Test(arguments: faults)
  func `of two faults the earlier check answers`(first: Fault) throws {
    let gateway = try Gateway()
    gateway.register(Self.deadToken).state = .unregistered(since: Gateway.now)
    let later = try #require(Self.faults.firstIndex { $0.check == first.check })
    #expect(gateway.send(first.change).reason == first.reason.rawValue)
    for second in Self.faults[later...] where second.part != first.part {
      let answer = gateway.send {
        first.change(&$0)
        second.change(&$0)
      }
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
