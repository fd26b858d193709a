import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsTokenTests {
  @Test(arguments: [64, 66, 128, 160, 200])
  func `hexadecimal tokens of even lengths from 64 to 200 are tokens`(count: Int) throws {
    let gateway = try Gateway()
    let token = String(repeating: "c", count: count)
    #expect(gateway.send { $0.setToken(token) }.status == 200)
  }

  @Test func `a token in upper case is the same token, observed 2021`() throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.setToken(Gateway.deviceToken.uppercased()) }
    #expect(answer.status == 200)
    #expect(answer.outcome.recipient?.token == Array(Gateway.deviceToken.utf8))
    #expect(answer.outcome.token.elementsEqual(Gateway.deviceToken.uppercased().utf8))
  }

  @Test(arguments: [
    "zz", "abc", String(repeating: "a", count: 63), String(repeating: "a", count: 65),
    String(repeating: "a", count: 202), String(repeating: "a", count: 63) + "g",
    "CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk=", "ab/+cd/ef==",
    "%3Caabbccdd%20eeff0011%3E", "<aabbccdd eeff0011>",
    "com.example.app",
  ])
  func `what is no hexadecimal token is BadDeviceToken and token-not-hex`(token: String) throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.status == 400)
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.code == .tokenNotHex)
    #expect(answer.outcome.tokenKind != .apns)
  }

  @Test func `a Data description is named as one`() throws {
    let gateway = try Gateway()
    let diagnosis = gateway.send { $0.setToken("%3Caabbccdd%20eeff0011%3E") }.outcome.diagnosis
    #expect(diagnosis?.what == "the token <aabbccd... is the description of a Data object")
  }

  @Test(arguments: [":", "%3A", "%3a"])
  func `an FCM token is BadDeviceToken and fcm-token-at-apns`(colon: String) throws {
    let gateway = try Gateway()
    let token = Gateway.fcmToken.split(separator: ":").joined(separator: colon)
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.code == .fcmTokenAtAPNs)
    #expect(answer.outcome.tokenKind == .fcm)
    #expect(answer.outcome.token.elementsEqual(Gateway.fcmToken.utf8))
    let diagnosis = try #require(answer.outcome.diagnosis)
    #expect(diagnosis.what.contains("fHk3exam..."))
    #expect(!diagnosis.what.contains("fHk3example"))
    #expect(diagnosis.fix.contains("getAPNSToken(), not getToken()"))
  }

  @Test func `an FCM token of an Android device is named as one`() throws {
    let gateway = try Gateway()
    gateway.tokens.register(
      TokenRecord(
        token: Array(Gateway.fcmToken.utf8), kind: .fcm, device: DeviceID("a"), platform: .android))
    let answer = gateway.send { $0.setToken(Gateway.fcmToken) }
    #expect(answer.code == .fcmTokenAtAPNs)
    #expect(answer.outcome.diagnosis?.what.contains("of an Android device") == true)
  }

  @Test(arguments: [
    (APNsEnvironment.sandbox, DiagnosisCode.sandboxTokenAtProduction),
    (.production, .productionTokenAtSandbox),
  ])
  func `a token of the other environment is BadDeviceToken`(
    environment: APNsEnvironment, code: DiagnosisCode
  ) throws {
    let gateway = try Gateway()
    let token = String(repeating: "ab", count: 32)
    gateway.register(token, environment: environment)
    let answer = gateway.send {
      $0.setToken(token)
      $0.environment = environment == .sandbox ? .production : .sandbox
    }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.code == code)
  }

  // PyAPNs2 issue 134, sygnal issue 102, pushok issue 97, dotAPNS issue 90.
  @Test(arguments: [("com.example.app.voip", "com.example.app"), ("com.a", "com.b")])
  func `a token of another topic is DeviceTokenNotForTopic, observed`(
    registered: String, used: String
  ) throws {
    let gateway = try Gateway()
    let token = String(repeating: "ab", count: 32)
    gateway.register(token, topic: registered)
    let answer = gateway.send {
      $0.setToken(token)
      $0.set("apns-topic", used)
    }
    #expect(answer.body == #"{"reason":"DeviceTokenNotForTopic"}"#)
    #expect(answer.code == .tokenOfOtherTopic)
    #expect(answer.outcome.diagnosis?.what.contains(registered) == true)
  }

  @Test func `a token of another workspace is BadDeviceToken`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "ab", count: 32)
    gateway.register(token, workspace: WorkspaceID("other"))
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.code == .tokenOfOtherWorkspace)
  }

  @Test func `dead and replaced tokens are 410 with their own explanations`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "ab", count: 32)
    let record = gateway.register(token)
    record.state = .unregistered(since: Gateway.now)
    let dead = gateway.send { $0.setToken(token) }
    #expect(dead.status == 410)
    #expect(dead.body == #"{"reason":"Unregistered","timestamp":1700000000000}"#)
    #expect(dead.code == .tokenUnregisteredSince)
    #expect(dead.outcome.diagnosis?.what.contains("2023-11-14T22:13:20.000Z") == true)
    record.state = .rotated(at: Gateway.now)
    let rotated = gateway.send { $0.setToken(token) }
    #expect(rotated.body == dead.body)
    #expect(rotated.code == .sentToRotatedToken)
  }

  @Test func `a token whose app logged out is accepted with a warning`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "ab", count: 32)
    gateway.register(token).isCleared = true
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.status == 200)
    #expect(answer.outcome.warnings.map(\.code) == ["sent-after-clear"])
    #expect(answer.outcome.isAccepted)
  }

  @Test func `under strict an unknown token is BadDeviceToken`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.tokens = .strict
    let token = String(repeating: "99", count: 32)
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.code == .tokenUnknown)
    #expect(gateway.tokens.record(of: Array(token.utf8)) == nil)
    #expect(gateway.send(gateway.validPush).status == 200)
  }

  @Test func `under strict an undeclared token of an earlier policy is unknown too`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "99", count: 32)
    #expect(gateway.send { $0.setToken(token) }.status == 200)
    gateway.workspaces.default.policies.tokens = .strict
    #expect(gateway.send { $0.setToken(token) }.code == .tokenUnknown)
  }

  @Test func `under open an unknown token becomes an undeclared device`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "9A", count: 32)
    let answer = gateway.send { $0.setToken(token) }
    #expect(answer.status == 200)
    let record = try #require(answer.outcome.recipient)
    #expect(record.device == nil)
    #expect(record.token == Array(token.lowercased().utf8))
    #expect(answer.outcome.app == nil)
    let again = gateway.send { $0.setToken(token.lowercased()) }
    #expect(again.outcome.recipient === record)
    #expect(again.outcome.warnings.isEmpty)
    #expect(gateway.tokens.undeclaredRecords().count == 1)
  }

  @Test func `adopted tokens keep their bytes when the next push comes`() throws {
    let gateway = try Gateway()
    let first = String(repeating: "11", count: 32)
    let second = String(repeating: "22", count: 32)
    let record = try #require(gateway.send { $0.setToken(first) }.outcome.recipient)
    _ = gateway.send { $0.setToken(second) }
    #expect(record.token == Array(first.utf8))
    #expect(gateway.tokens.record(of: Array(first.utf8)) === record)
  }

  @Test func `the second topic or environment of an undeclared token is a warning`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "99", count: 32)
    #expect(gateway.send { $0.setToken(token) }.outcome.warnings.isEmpty)
    let topic = gateway.send {
      $0.setToken(token)
      $0.set("apns-topic", "com.example.other")
    }
    #expect(topic.status == 200)
    #expect(topic.outcome.warnings.map(\.code) == ["token-used-for-two-apps"])
    let environment = gateway.send {
      $0.setToken(token)
      $0.environment = .production
    }
    #expect(environment.outcome.warnings.map(\.code) == ["token-used-for-two-apps"])
    #expect(gateway.send { $0.setToken(token) }.outcome.warnings.isEmpty)
  }

  @Test func `a token refused for its payload is not adopted`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "99", count: 32)
    #expect(
      gateway.send {
        $0.setToken(token)
        $0.body = []
      }.status == 400)
    #expect(gateway.tokens.undeclaredRecords().isEmpty)
  }
}
