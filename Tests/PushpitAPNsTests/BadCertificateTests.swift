import PushpitModel
import Testing

@testable import PushpitAPNs

/// Connections whose client certificate is no good.
@Suite struct BadCertificateTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
  }

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
    let answer = gateway.send(by: bad.certificate, isKnown: bad.isKnown)
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
    let answer = gateway.send(by: bad.certificate, isKnown: bad.isKnown)
    #expect(answer.status == 403 && answer.body == #"{"reason":"\#(bad.reason.rawValue)"}"#)
    #expect(gateway.connection.takeGoAway() == nil)
  }

  @Test(arguments: badOnes)
  func `a provider token does not help a bad certificate`(_ bad: BadCertificate) throws {
    let token = gateway.jwt().text
    let answer = gateway.send(by: bad.certificate, isKnown: bad.isKnown) {
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
    #expect(gateway.send(by: .universal(key: 7), isKnown: false).status == 200)
    for bad in Self.badOnes where bad.code != .certificateUnknown {
      #expect(gateway.send(by: bad.certificate, isKnown: false).code == bad.code)
    }
  }

  @Test func `a certificate expires by the clock of its workspace`() throws {
    gateway.workspaces.default.clock.offset = .seconds(365 * 86_400)
    #expect(gateway.send(by: .universal()).code == .certificateExpired)
  }

  @Test func `a renewed certificate for a known key is good, and counts by what it says`() throws {
    try gateway.credentials.add(ProviderCertificate.with(days: -9...(-8)))
    let answer = gateway.send(by: .with(userID: "com.example.other")) { $0.set("apns-topic", nil) }
    #expect(answer.reason == "DeviceTokenNotForTopic")
  }
}
