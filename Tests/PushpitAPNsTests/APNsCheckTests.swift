import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsCheckTests {
  @Test func `every check has a fault here, in the order of the list`() {
    #expect(CheckFault.all.map(\.check) == APNsCheck.order)
  }

  @Test(arguments: CheckFault.all)
  func `of two faults the earlier check answers`(first: CheckFault) throws {
    let gateway = try Gateway(environments: [.sandbox])
    gateway.register(CheckFault.deadToken).state = .unregistered(since: Gateway.now)
    let later = try #require(CheckFault.all.firstIndex { $0.check == first.check })
    #expect(try gateway.answer([first]).reason == first.reason.rawValue)
    for second in CheckFault.all[later...] where second.part != first.part {
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
  fileprivate func answer(_ faults: [CheckFault]) throws -> TestAnswer {
    connection = APNsConnectionState()
    workspaces.default.apns = APNsSettings()
    // What one fault prepares must not be refused because of another.
    workspaces.default.apns.wedge = .off
    for fault in faults { try fault.prepare(self) }
    workspaces.default.apns.wedge = .expired
    return send { push in for fault in faults { fault.change(&push) } }
  }
}
