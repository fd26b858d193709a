import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

extension ProviderCertificate {
  /// A certificate as Apple makes them today, valid at the moment of the tests.
  static func universal(
    _ app: String = Gateway.topic, environments: [APNsEnvironment] = APNsEnvironment.allCases,
    key: UInt8 = 1, workspace: WorkspaceID = .default
  ) -> ProviderCertificate {
    with(
      userID: app,
      topics: [(app, "app"), ("\(app).voip", "voip"), ("\(app).complication", "complication")],
      environments: environments, key: key, workspace: workspace)
  }

  static func with(
    userID: String = Gateway.topic, topics: [(String, String)] = [],
    environments: [APNsEnvironment] = APNsEnvironment.allCases, key: UInt8 = 1,
    days: ClosedRange<Int64> = -1...364, workspace: WorkspaceID = .default
  ) -> ProviderCertificate {
    ProviderCertificate(
      subject: "UID=\(userID), CN=Apple Push Services: \(userID)", userID: userID,
      topics: topics.map { Topic(name: $0.0, kind: $0.1) }, environments: environments,
      publicKey: [key], notBefore: Gateway.now + .seconds(days.lowerBound * 86_400),
      notAfter: Gateway.now + .seconds(days.upperBound * 86_400), der: [],
      fingerprint: "f\(key)", workspace: workspace)
  }
}

/// Pushes on connections with a client certificate.
@Suite struct CertificateTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
  }

  /// Sends the valid push, without a provider token, on a connection with a certificate.
  private func send(
    _ certificate: ProviderCertificate = .universal(), isKnown: Bool = true,
    _ change: (inout TestPush) -> Void = { _ in }
  ) throws -> TestAnswer {
    if isKnown { try? gateway.credentials.add(certificate) }
    return gateway.send {
      $0.certificate = certificate
      $0.set("authorization", nil)
      change(&$0)
    }
  }

  // MARK: Good ones

  @Test func `a known certificate takes the place of a provider token`() throws {
    let answer = try send()
    #expect(answer.status == 200)
    let credential = try #require(answer.outcome.credential)
    #expect(credential.kind == .certificate && credential.fingerprint == "f1")
    #expect(
      credential.subject == "UID=com.example.app, CN=Apple Push Services: com.example.app")
  }

  // Apple, "Sending notification requests to APNs": authorization is ignored with a certificate.
  @Test(arguments: ["bearer not.a.token", "basic eA==", ""])
  func `authorization is ignored beside a certificate`(value: String) throws {
    let answer = try send { $0.set("authorization", value) }
    #expect(answer.status == 200)
    #expect(answer.outcome.credential?.kind == .certificate)
    #expect(gateway.service.verificationCount == 0)
  }

  @Test func `the stream limit is 1000 before the first push, observed 2019 to 2021`() throws {
    let certificate = ProviderCertificate.universal()
    try gateway.credentials.add(certificate)
    let state = APNsConnectionState()
    state.present(gateway.service.judge(certificate, at: Gateway.now), in: .sandbox)
    #expect(state.isAuthenticated)
    #expect(state.takeStreamLimitChange() == APNsConnectionState.authenticatedStreamLimit)
    // Observed 2016 and 2017, on connections with certificates.
    state.throttle(after: 400)
    #expect(state.takeStreamLimitChange() == APNsConnectionState.smallestStreamLimit)
  }

  @Test func `a certificate of a workspace that is gone counts for the default one`() throws {
    let certificate = ProviderCertificate.universal(workspace: WorkspaceID("gone"))
    #expect(try send(certificate).outcome.workspace == .default)
  }

  // Noted in the source of a client on Netty: the answer that shows a working certificate.
  @Test func `no device token is MissingDeviceToken with a certificate`() throws {
    #expect(try send { $0.setToken("") }.body == #"{"reason":"MissingDeviceToken"}"#)
  }

  // MARK: Topics

  // Seen in node-apn issue 514, parse node-apn issue 41 and pushok issue 65.
  @Test func `no topic is MissingTopic with a certificate of several topics`() throws {
    let answer = try send { $0.set("apns-topic", nil) }
    #expect(answer.body == #"{"reason":"MissingTopic"}"#)
    #expect(answer.outcome.diagnosis?.what.contains("several topics") == true)
  }

  @Test func `no topic means the subject's with an old certificate without a list`() throws {
    let answer = try send(.with()) { $0.set("apns-topic", nil) }
    #expect(answer.status == 200)
    #expect(Array(answer.outcome.topic) == Array(Gateway.topic.utf8))
  }

  @Test func `no topic means the one that a VoIP certificate is for`() throws {
    let topic = "com.example.app.voip"
    let token = String(repeating: "ab", count: 32)
    gateway.register(token, topic: topic)
    let certificate = ProviderCertificate.with(userID: topic, topics: [(topic, "voip")])
    let answer = try send(certificate) {
      $0.setToken(token)
      $0.set("apns-topic", nil)
      $0.set("apns-push-type", "voip")
    }
    #expect(answer.status == 200)
  }

  // Seen in node-apn issue 658.
  @Test(arguments: ["com.example.other", "com.example.app.voip", "com.example.ap", "com.example"])
  func `a topic that the certificate lacks is TopicDisallowed`(topic: String) throws {
    let answer = try send(.with()) {
      $0.set("apns-topic", topic)
      $0.set("apns-push-type", nil)
    }
    #expect(answer.body == #"{"reason":"TopicDisallowed"}"#)
    #expect(answer.code == .topicNotOfCertificate)
    #expect(answer.outcome.diagnosis?.what.contains("com.example.app") == true)
  }

  // Apple: "location" takes tokens only; a Live Activity got TopicDisallowed beside a certificate
  // in 2022.
  @Test(arguments: ["location-query", "push-type.liveactivity"])
  func `types that need a provider token are TopicDisallowed, also when listed`(suffix: String)
    throws
  {
    let topic = "com.example.app.\(suffix)"
    for certificate in [
      ProviderCertificate.universal(), .with(topics: [(topic, "other")], key: 2),
    ] {
      let answer = try send(certificate) {
        $0.set("apns-topic", topic)
        $0.set("apns-push-type", nil)
      }
      #expect(answer.reason == "TopicDisallowed")
      #expect(answer.code == .topicNeedsProviderToken)
    }
  }

  @Test(arguments: [
    (".voip", true), (".complication", true), (".pushkit.fileprovider", true), (".voip-ptt", false),
    (".push-type.widgets", false), (".push-type.controls", false),
  ])
  func `a universal certificate allows the topics it lists and file providers`(
    suffix: String, isAllowed: Bool
  ) throws {
    let judged = gateway.service.judge(.universal(), at: Gateway.now)
    let topic = Array((Gateway.topic + suffix).utf8)[...]
    #expect(judged.allows(topic, owner: APNsPushType.ofSuffix(topic)) == isAllowed)
    let other = Array(("com.example.other" + suffix).utf8)[...]
    #expect(!judged.allows(other, owner: APNsPushType.ofSuffix(other)))
  }

  @Test func `an MDM push has the user ID of its certificate as topic`() throws {
    let topic = "com.apple.mgmt.External.5f0a4b7e-9d53-2f6a-0d8c-1e770b5c2a1e"
    let token = String(repeating: "cd", count: 32)
    gateway.register(token, topic: topic)
    let answer = try send(.with(userID: topic)) {
      $0.setToken(token)
      $0.set("apns-topic", topic)
      $0.set("apns-push-type", "mdm")
      $0.body = Array(#"{"mdm":"magic"}"#.utf8)
    }
    #expect(answer.status == 200)
  }

  // MARK: Bad ones

  struct BadCertificate: CustomTestStringConvertible, Sendable {
    let code: DiagnosisCode
    let reason: APNsReason
    let certificate: ProviderCertificate
    var isKnown = true

    var testDescription: String { code.rawValue }
  }

  static let badOnes = [
    BadCertificate(
      code: .certificateUnknown, reason: .badCertificate, certificate: .universal(),
      isKnown: false),
    BadCertificate(
      code: .certificateExpired, reason: .badCertificate, certificate: .with(days: -2...(-1))),
    BadCertificate(
      code: .certificateNotYetValid, reason: .badCertificate, certificate: .with(days: 1...2)),
    BadCertificate(
      code: .certificateWithoutAppleExtensions, reason: .badCertificate,
      certificate: .with(environments: [])),
    BadCertificate(
      code: .certificateOfOtherEnvironment, reason: .badCertificateEnvironment,
      certificate: .universal(environments: [.production])),
  ]

  // Observed 2016 to 2018 and 2022; the documents list a 403, which the record has.
  @Test(arguments: badOnes)
  func `a bad certificate ends its connection and is explained`(_ bad: BadCertificate) throws {
    let answer = try send(bad.certificate, isKnown: bad.isKnown)
    #expect(answer.reason == bad.reason.rawValue && answer.outcome.status == 403)
    #expect(answer.code == bad.code)
    #expect(answer.outcome.credential?.kind == .certificate)
    #expect(!gateway.connection.isAuthenticated)
    #expect(gateway.connection.takeStreamLimitChange() == nil)
    #expect(gateway.connection.certificateRefusal?.diagnosis.code == bad.code)
    #expect(gateway.connection.takeGoAway() == bad.reason)
    #expect(gateway.connection.takeGoAway() == nil)
  }

  @Test(arguments: badOnes)
  func `as documented it is a 403 on a connection that goes on`(_ bad: BadCertificate) throws {
    gateway.workspaces.default.policies.wire = .documented
    let answer = try send(bad.certificate, isKnown: bad.isKnown)
    #expect(answer.status == 403 && answer.body == #"{"reason":"\#(bad.reason.rawValue)"}"#)
    #expect(gateway.connection.takeGoAway() == nil)
  }

  @Test(arguments: badOnes)
  func `a provider token does not help a bad certificate`(_ bad: BadCertificate) throws {
    let token = gateway.jwt().text
    let answer = try send(bad.certificate, isKnown: bad.isKnown) {
      $0.set("authorization", "bearer " + token)
    }
    #expect(answer.reason == bad.reason.rawValue)
  }

  @Test(arguments: badOnes)
  func `a connection to a host of Apple's is judged before its first push`(_ bad: BadCertificate)
    throws
  {
    if bad.isKnown { try gateway.credentials.add(bad.certificate) }
    let state = APNsConnectionState()
    state.present(gateway.service.judge(bad.certificate, at: Gateway.now), in: .sandbox)
    #expect(state.takeGoAway() == nil)
    gateway.service.open(state, in: .sandbox)
    #expect(state.takeGoAway() == bad.reason)
  }

  @Test func `a good certificate and none leave a connection alone`() throws {
    try gateway.credentials.add(ProviderCertificate.universal())
    let state = APNsConnectionState()
    gateway.service.open(state, in: .sandbox)
    #expect(state.takeGoAway() == nil)
    state.present(gateway.service.judge(.universal(), at: Gateway.now), in: .sandbox)
    gateway.service.open(state, in: .sandbox)
    #expect(state.takeGoAway() == nil && state.certificateRefusal == nil)
  }

  @Test func `with the policy shape a certificate need not be known`() throws {
    gateway.workspaces.default.policies.authentication = .shape
    #expect(try send(.universal(key: 7), isKnown: false).status == 200)
    for bad in Self.badOnes where bad.code != .certificateUnknown {
      #expect(try send(bad.certificate, isKnown: false).code == bad.code)
    }
  }

  @Test func `a certificate expires by the clock of its workspace`() throws {
    gateway.workspaces.default.clock.offset = .seconds(365 * 86_400)
    #expect(try send().code == .certificateExpired)
  }

  @Test func `a renewed certificate for a known key is good, and counts by what it says`() throws {
    try gateway.credentials.add(ProviderCertificate.with(days: -9...(-8)))
    let answer = try send(.with(userID: "com.example.other")) { $0.set("apns-topic", nil) }
    #expect(answer.reason == "DeviceTokenNotForTopic")
  }
}

/// Certificates as OpenSSL reads them.
@Suite struct ProviderCertificateReadingTests {
  private static let now = Gateway.now.seconds

  @Test(arguments: [
    (PushCertificate.universal("com.example.app"), 3, APNsEnvironment.allCases),
    (.voip("com.example.app", isForDevelopment: false), 1, [.production]),
    (.universal("com.example.app", isForProduction: false), 3, [.sandbox]),
  ])
  func `a certificate is read`(
    contents: PushCertificate, topicCount: Int, environments: [APNsEnvironment]
  ) throws {
    let (certificate, key) = try CertificateAuthority.makeProviderAuthority(now: Self.now)
      .issuePush(contents, now: Self.now)
    let read = try #require(ProviderCertificate(certificate, workspace: WorkspaceID("w")))
    #expect(read.userID == contents.userID && read.subject == certificate.subject)
    #expect(read.topics.count == topicCount && read.environments == environments)
    #expect(read.topics.first?.name == contents.userID)
    #expect(read.publicKey == key.publicKey.spki && read.der == certificate.der)
    #expect(read.fingerprint == SHA256.hex(certificate.der))
    #expect(read.notAfter.seconds == certificate.notAfter)
    #expect(read.notBefore.seconds == certificate.notBefore)
    #expect(read.workspace == WorkspaceID("w"))
  }
}
