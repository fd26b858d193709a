import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct AuthenticationTests {
  @Test func `a key that no workspace has is InvalidProviderToken, observed 2026`() throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.header = #"{"alg":"ES256","kid":"UNKNOWNKEY"}"#
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
    #expect(answer.code == .providerTokenKeyUnknown)
  }

  // MongoosePush issue 119: key ID and team ID swapped.
  @Test func `a key of another team is InvalidProviderToken`() throws {
    let gateway = try Gateway()
    var jwt = gateway.jwt()
    jwt.claims = #"{"iss":"OTHERTEAM1","iat":1700000000}"#
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.reason == "InvalidProviderToken")
    #expect(answer.code == .providerTokenOfOtherTeam)
    #expect(answer.outcome.diagnosis?.what.contains("OTHERTEAM1") == true)
  }

  @Test func `a signature of another key is InvalidProviderToken, asked once`() throws {
    let gateway = try Gateway()
    let jwt = TestJWT(key: try PrivateKey.generateP256())
    for _ in 0..<3 {
      let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text.lowercased()) }
      #expect(answer.reason == "InvalidProviderToken")
    }
    let text = jwt.text
    for _ in 0..<3 {
      let answer = gateway.send { $0.set("authorization", "bearer " + text) }
      #expect(answer.reason == "InvalidProviderToken")
      #expect(answer.code == .providerTokenSignature)
    }
    #expect(gateway.service.verificationCount == 1)
    #expect(!gateway.connection.hasSeenValidToken)
  }

  @Test func `with auth shape any key and any signature pass, other rules hold`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.authentication = .shape
    var jwt = TestJWT(key: try PrivateKey.generateP256())
    #expect(gateway.send(jwt).status == 200)
    jwt.header = #"{"alg":"ES256","kid":"ANY"}"#
    #expect(gateway.send(jwt).reason == "UnrelatedKeyIdInToken")
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(jwt).status == 200)
    #expect(gateway.service.verificationCount == 0)
    jwt.claims = #"{"iss":"TEAMIDTEAM","iat":1600000000}"#
    let old = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(old.reason == "ExpiredProviderToken")
    gateway.connection = APNsConnectionState()
    let garbage = gateway.send { $0.set("authorization", "bearer x") }
    #expect(garbage.reason == "InvalidProviderToken")
  }

  @Test(arguments: [(3600, 200), (3601, 403)])
  func `a token older than one hour is ExpiredProviderToken`(age: Int, status: Int) throws {
    let gateway = try Gateway()
    var push = gateway.validPush
    push.receivedAt = Gateway.now + .seconds(age)
    let answer = gateway.send(push)
    #expect(answer.status == status)
    if status == 403 {
      #expect(answer.body == #"{"reason":"ExpiredProviderToken"}"#)
      #expect(answer.code == .providerTokenExpired)
    }
  }

  @Test func `a token from the future is accepted, of which no answer is known`() throws {
    let gateway = try Gateway()
    var push = gateway.validPush
    push.receivedAt = Gateway.now + .seconds(-7200)
    #expect(gateway.send(push).status == 200)
  }

  @Test func `a token seen before the clock moves ages, one seen after is fresh`() throws {
    let gateway = try Gateway()
    let push = gateway.validPush
    #expect(gateway.send(push).status == 200)
    gateway.workspaces.default.clock.offset = .seconds(3601)
    #expect(gateway.send(push).reason == "ExpiredProviderToken")
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(push).reason == "ExpiredProviderToken")
    gateway.connection = APNsConnectionState()
    let fresh = gateway.jwt().text
    func sendFresh() -> TestAnswer {
      gateway.send { $0.set("authorization", "bearer " + fresh) }
    }
    #expect(sendFresh().status == 200)
    gateway.workspaces.default.clock.offset = .seconds(7202)
    #expect(sendFresh().reason == "ExpiredProviderToken")
  }

  @Test func `a frozen clock keeps a token young`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.clock.frozenAt = Timestamp(milliseconds: 0)
    var push = gateway.validPush
    #expect(gateway.send(push).status == 200)
    push.receivedAt = Gateway.now + .seconds(9000)
    #expect(gateway.send(push).status == 200)
  }

  @Test(arguments: [
    (Policies.Wire.observed, "BadEnvironmentKeyInToken"),
    (.documented, "BadEnvironmentKeyIdInToken"),
  ])
  func `a key of the other environment has its own reason, observed 2025`(
    wire: Policies.Wire, reason: String
  ) throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.wire = wire
    let key = try PrivateKey.generateP256()
    try gateway.credentials.add(
      APNsKey(
        keyID: "PRODUCTION", teamID: Gateway.teamID, publicKey: key.publicKey.spki,
        environments: [.production]))
    var jwt = TestJWT(key: key)
    jwt.header = #"{"alg":"ES256","kid":"PRODUCTION"}"#
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.status == 403)
    #expect(answer.body == #"{"reason":"\#(reason)"}"#)
    #expect(answer.code == .keyOfOtherEnvironment)
    let good = gateway.send {
      $0.set("authorization", "bearer " + jwt.text)
      $0.environment = .production
      $0.setToken(String(repeating: "12", count: 32))
    }
    #expect(good.status == 200)
  }

  @Test func `a topic that a topic-specific key is not for is TopicDisallowed`() throws {
    let gateway = try Gateway()
    let key = try PrivateKey.generateP256()
    try gateway.credentials.add(
      APNsKey(
        keyID: "TOPICSONLY", teamID: Gateway.teamID, publicKey: key.publicKey.spki,
        topics: ["com.example.app", "com.example.other"]))
    var jwt = TestJWT(key: key)
    jwt.header = #"{"alg":"ES256","kid":"TOPICSONLY"}"#
    let authorization = "bearer " + jwt.text
    #expect(gateway.send { $0.set("authorization", authorization) }.status == 200)
    let answer = gateway.send {
      $0.set("authorization", authorization)
      $0.set("apns-topic", "com.example.third")
    }
    #expect(answer.status == 400)
    #expect(answer.body == #"{"reason":"TopicDisallowed"}"#)
    #expect(answer.code == .topicNotOfKey)
  }

  @Test func `a credential of a workspace that is gone counts as the default workspace's`() throws {
    let gateway = try Gateway()
    let key = try PrivateKey.generateP256()
    try gateway.credentials.add(
      APNsKey(
        keyID: "OTHERSPACE", teamID: Gateway.teamID, publicKey: key.publicKey.spki,
        workspace: WorkspaceID("gone")))
    var jwt = TestJWT(key: key)
    jwt.header = #"{"alg":"ES256","kid":"OTHERSPACE"}"#
    let answer = gateway.send { $0.set("authorization", "bearer " + jwt.text) }
    #expect(answer.status == 200)
    #expect(answer.outcome.workspace == .default)
  }
}
