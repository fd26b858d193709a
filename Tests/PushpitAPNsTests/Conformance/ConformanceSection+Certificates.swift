import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  static let certificates = ConformanceSection(
    title: "Client certificate",
    rules: [
      rule(
        "a certificate for the topic, and no authorization", nil, nil,
        .observed("2016 to 2021, curl")),
      rule(
        "a provider token of no use beside a certificate", nil, nil,
        .documented("Sending notification requests to APNs")
      ) { $0.set("authorization", "bearer not.a.token") },
      ended(
        "a certificate that APNs does not know, that expired, or that is of another kind",
        .badCertificate, .observed("2022, gun issue 308")),
      ended(
        "a certificate of the other environment", .badCertificateEnvironment,
        .observed("2016 to 2018, buford issue 76, apns2 issues 93 and 117")),
      rule(
        "no device token, with a certificate", .missingDeviceToken, .tokenPresence,
        .library("a client on Netty takes it for the sign of a working certificate")
      ) { $0.setToken("") },
      rule(
        "no topic, with a certificate of several", .missingTopic, .topic,
        .observed("node-apn issue 514, pushok issue 65")
      ) { $0.set("apns-topic", nil) },
      rule(
        "no topic, with an old certificate of one", nil, nil,
        .documented("Sending notification requests to APNs"), by: .with()
      ) { $0.set("apns-topic", nil) },
      rule(
        "a topic that the certificate does not list", .topicDisallowed, .topic,
        .observed("node-apn issue 658"), by: .universal("com.example.other")),
      rule(
        "a Live Activity with a certificate", .topicDisallowed, .topic,
        .observed("2022, a certificate beside a provider token")
      ) {
        $0.set("apns-topic", "com.example.app.push-type.liveactivity")
        $0.set("apns-push-type", "liveactivity")
      },
      rule(
        "a location push with a certificate", .topicDisallowed, .topic,
        .assumed("Apple takes it with a provider token only; as for a Live Activity")
      ) {
        $0.set("apns-topic", "com.example.app.location-query")
        $0.set("apns-push-type", "location")
      },
    ])

  /// A rule that a push on a connection with a known certificate shows.
  private static func rule(
    _ title: String, _ reason: APNsReason?, _ check: APNsCheck?,
    _ evidence: ConformanceEvidence, by certificate: ProviderCertificate = .universal(),
    _ change: @escaping @Sendable (inout TestPush) -> Void = { _ in }
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, check, evidence: evidence,
      .scene { gateway in gateway.send(by: certificate, change) })
  }

  /// A rule by which there is no answer but the end of the connection.
  private static func ended(
    _ title: String, _ reason: APNsReason, _ evidence: ConformanceEvidence
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, .certificate, evidence: evidence,
      deviation: "no answer but GOAWAY, as observed; with `wire: documented` a 403",
      .test(
        file: "Tests/PushpitGatewayTests/BadCertificatesEndToEndTests.swift",
        name: "at a host of Apple's a bad certificate gets SETTINGS, its GOAWAY and the end"))
  }
}
