import PushpitModel
import Testing

@testable import PushpitAPNs

/// Pushes on connections with a client certificate.
@Suite struct CertificateTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
  }

  // MARK: Good ones

  @Test func `a known certificate takes the place of a provider token`() throws {
    let answer = gateway.send(by: .universal())
    #expect(answer.status == 200)
    let credential = try #require(answer.outcome.credential)
    #expect(credential.kind == .certificate && credential.fingerprint == "f1")
    #expect(
      credential.subject == "UID=com.example.app, CN=Apple Push Services: com.example.app")
  }

  // Apple, "Sending notification requests to APNs": authorization is ignored with a certificate.
  @Test(arguments: ["bearer not.a.token", "basic eA==", ""])
  func `authorization is ignored beside a certificate`(value: String) throws {
    let answer = gateway.send(by: .universal()) { $0.set("authorization", value) }
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
    #expect(gateway.send(by: certificate).outcome.workspace == .default)
  }

  // Noted in the source of a client on Netty: the answer that shows a working certificate.
  @Test func `no device token is MissingDeviceToken with a certificate`() throws {
    #expect(
      gateway.send(by: .universal()) { $0.setToken("") }.body == #"{"reason":"MissingDeviceToken"}"#
    )
  }

  // Apple, "Sending channel management requests to APNs": with a provider token or mutual TLS.
  @Test func `channels are made and sent to with a certificate of the app`() throws {
    let certificate = ProviderCertificate.universal()
    try gateway.credentials.add(certificate)
    let channel = gateway.makeChannel {
      $0.certificate = certificate
      $0.set("authorization", nil)
    }
    #expect(!channel.isEmpty)
    let answer = gateway.send(gateway.validBroadcast(channel)) {
      $0.certificate = certificate
      $0.set("authorization", nil)
    }
    #expect(answer.status == 200)
    #expect(answer.outcome.credential?.kind == .certificate)
  }

  @Test func `a bad certificate ends the connection of a request about channels`() {
    let answer = gateway.send(gateway.validCreation) { $0.certificate = .universal(key: 9) }
    #expect(answer.reason == "BadCertificate" && answer.code == .certificateUnknown)
    #expect(gateway.connection.takeGoAway() == .badCertificate)
  }

  // MARK: Topics

  // Seen in node-apn issue 514, parse node-apn issue 41 and pushok issue 65.
  @Test func `no topic is MissingTopic with a certificate of several topics`() throws {
    let answer = gateway.send(by: .universal()) { $0.set("apns-topic", nil) }
    #expect(answer.body == #"{"reason":"MissingTopic"}"#)
    #expect(answer.outcome.diagnosis?.what.contains("several topics") == true)
  }

  @Test func `no topic means the subject's with an old certificate without a list`() throws {
    let answer = gateway.send(by: .with()) { $0.set("apns-topic", nil) }
    #expect(answer.status == 200)
    #expect(Array(answer.outcome.topic) == Array(Gateway.topic.utf8))
  }

  @Test func `no topic means the one that a VoIP certificate is for`() throws {
    let topic = "com.example.app.voip"
    let token = String(repeating: "ab", count: 32)
    gateway.register(token, topic: topic)
    let certificate = ProviderCertificate.with(userID: topic, topics: [(topic, "voip")])
    let answer = gateway.send(by: certificate) {
      $0.setToken(token)
      $0.set("apns-topic", nil)
      $0.set("apns-push-type", "voip")
    }
    #expect(answer.status == 200)
  }

  // Seen in node-apn issue 658.
  @Test(arguments: ["com.example.other", "com.example.app.voip", "com.example.ap", "com.example"])
  func `a topic that the certificate lacks is TopicDisallowed`(topic: String) throws {
    let answer = gateway.send(by: .with()) {
      $0.set("apns-topic", topic)
      $0.set("apns-push-type", nil)
    }
    #expect(answer.body == #"{"reason":"TopicDisallowed"}"#)
    #expect(answer.code == .topicNotOfCertificate)
    #expect(answer.outcome.diagnosis?.what.contains("com.example.app") == true)
  }

  @Test func `long topics of a certificate are cut in the explanation`() throws {
    let long = "com." + String(repeating: "long", count: 500)
    let answer = gateway.send(by: .with(userID: long, topics: [(long, "app")])) {
      $0.set("apns-topic", "com.example.app")
    }
    #expect(answer.code == .topicNotOfCertificate)
    #expect((answer.outcome.diagnosis?.what.count ?? 0) < 500)
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
      let answer = gateway.send(by: certificate) {
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
    let answer = gateway.send(by: .with(userID: topic)) {
      $0.setToken(token)
      $0.set("apns-topic", topic)
      $0.set("apns-push-type", "mdm")
      $0.body = Array(#"{"mdm":"magic"}"#.utf8)
    }
    #expect(answer.status == 200)
  }
}
