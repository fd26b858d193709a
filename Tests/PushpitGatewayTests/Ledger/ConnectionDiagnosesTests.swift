import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct ConnectionDiagnosesTests {
  private let place = ConnectionDiagnoses.Place(
    caPath: "/state/ca.pem", gatewayPort: 2197, consolePort: 8197, publicHost: "localhost")

  /// The diagnosis of a TLS connection to `localhost` whose handshake was done, then changed.
  private func diagnosis(
    serverName: String? = "localhost", tls: String? = "TLSv1.3",
    progress: ConnectionEnding.Progress = .handshakeDone,
    cause: ConnectionEnding.Cause = .peerClosed, alert: TLSAlert? = nil
  ) -> Diagnosis? {
    var facts = ConnectionFacts(id: 1, peer: "127.0.0.1:50000", listener: 0)
    facts.serverName = serverName
    facts.tlsVersion = tls
    return ConnectionDiagnoses.diagnosis(
      facts, ConnectionEnding(progress: progress, cause: cause, alertReceived: alert),
      knownNames: ["localhost", "api.push.apple.com"], place: place)
  }

  @Test func `a connection with a request needs no explanation`() {
    #expect(diagnosis(progress: .requestSeen) == nil)
    #expect(diagnosis(serverName: "unknown", progress: .requestSeen, alert: .unknownCA) == nil)
  }

  // RFC 8446 section 6.2; which one a client sends is its own choice.
  @Test(arguments: [TLSAlert.unknownCA, .badCertificate, .certificateUnknown])
  func `an alert about the certificate is distrust`(alert: TLSAlert) {
    for progress in [ConnectionEnding.Progress.tlsHelloSeen, .handshakeDone] {
      let found = diagnosis(progress: progress, alert: alert)
      #expect(found?.code == DiagnosisCode("ca-not-trusted"))
      #expect(found?.fix.contains("/state/ca.pem") == true)
    }
  }

  @Test func `an unknown name is told before distrust, which it causes`() {
    let found = diagnosis(serverName: "Push.Example", alert: .badCertificate)
    #expect(found?.code == DiagnosisCode("name-not-in-certificate"))
    #expect(
      diagnosis(serverName: "API.push.apple.com", alert: .badCertificate)?.code
        == DiagnosisCode("ca-not-trusted"))
  }

  @Test func `TLS on the console's port names the right port`() {
    let found = diagnosis(
      serverName: nil, tls: nil, progress: .tlsHelloSeen, cause: .tlsOnClearPort)
    #expect(found?.code == DiagnosisCode("tls-on-console-port"))
    #expect(found?.fix.contains("2197") == true)
  }

  @Test(arguments: [
    (ConnectionEnding.Progress.accepted, "before it sent anything"),
    (.tlsHelloSeen, "during the TLS handshake"), (.handshakeDone, "after the handshake"),
  ])
  func `a plain close says how far it came`(
    progress: ConnectionEnding.Progress, words: String
  ) {
    let found = diagnosis(progress: progress)
    #expect(found?.code == DiagnosisCode("closed-without-request"))
    #expect(found?.what.contains(words) == true)
    let clear = diagnosis(serverName: nil, tls: nil, progress: progress)
    #expect(clear?.code == DiagnosisCode("closed-without-request"))
  }

  @Test func `what and fix begin in lower case and have no period`() {
    let all = [
      diagnosis(), diagnosis(alert: .unknownCA), diagnosis(serverName: "x"),
      diagnosis(cause: .tlsOnClearPort),
    ].compactMap { $0 }
    #expect(Set(all.map(\.code)).count == 4)
    for text in all.flatMap({ [$0.what, $0.fix] }) {
      #expect(text.first?.isLowercase == true && !text.hasSuffix("."), "\(text)")
    }
  }
}
