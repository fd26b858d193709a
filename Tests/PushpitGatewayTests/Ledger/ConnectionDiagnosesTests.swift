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
    cause: ConnectionEnding.Cause = .peerClosed, alert: TLSAlert? = nil,
    isCertificateSent: Bool = false, hasHTTPBytes: Bool = false, refusal: RequestFault? = nil
  ) -> Diagnosis? {
    var facts = ConnectionFacts(id: 1, peer: "127.0.0.1:50000", listener: 0)
    facts.serverName = serverName
    facts.tlsVersion = tls
    return ConnectionDiagnoses.diagnosis(
      facts,
      ConnectionEnding(
        progress: progress, cause: cause, alertReceived: alert,
        isCertificateSent: isCertificateSent, hasHTTPBytes: hasHTTPBytes, refusal: refusal),
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
    (ConnectionEnding.Progress.tlsHelloSeen, "during the TLS handshake"),
    (.handshakeDone, "after the handshake"),
  ])
  func `a plain close says how far it came`(
    progress: ConnectionEnding.Progress, words: String
  ) {
    let found = diagnosis(progress: progress)
    #expect(found?.code == DiagnosisCode("closed-without-request"))
    #expect(found?.what.contains(words) == true)
  }

  @Test(arguments: [
    (ConnectionEnding.Progress.accepted, "before it sent anything"),
    (.handshakeDone, "before its request was complete"),
  ])
  func `a close in clear text is not blamed on a certificate`(
    progress: ConnectionEnding.Progress, words: String
  ) {
    let found = diagnosis(serverName: nil, tls: nil, progress: progress, hasHTTPBytes: true)
    #expect(found?.code == DiagnosisCode("closed-without-request"))
    #expect(found?.what.contains(words) == true)
    #expect(found?.what.contains("handshake") == false)
    #expect(found?.fix.contains("ca.pem") == false)
  }

  // Node's https, http2 and fetch, asyncio, the JDK's HTTP client and wget send no alert.
  @Test(arguments: [ConnectionEnding.Cause.peerClosed, .socket("connection reset by peer")])
  func `a close right after the certificate is probably distrust`(
    cause: ConnectionEnding.Cause
  ) {
    for progress in [ConnectionEnding.Progress.tlsHelloSeen, .handshakeDone] {
      let found = diagnosis(progress: progress, cause: cause, isCertificateSent: true)
      #expect(found?.code == DiagnosisCode("ca-not-trusted"))
      #expect(found?.what.contains("probably") == true)
      let later = diagnosis(
        progress: progress, cause: cause, isCertificateSent: true, hasHTTPBytes: true)
      #expect(later?.code == DiagnosisCode("closed-without-request"))
    }
    #expect(
      diagnosis(serverName: "x", isCertificateSent: true)?.code
        == DiagnosisCode("name-not-in-certificate"))
    #expect(
      diagnosis(cause: .headTimeout, isCertificateSent: true)?.code
        == DiagnosisCode("closed-without-request"))
  }

  @Test func `a refused request is explained by its rule, with other requests or without`() {
    for progress in [ConnectionEnding.Progress.handshakeDone, .requestSeen] {
      let found = diagnosis(progress: progress, hasHTTPBytes: true, refusal: .oneHopField)
      #expect(found?.code == DiagnosisCode("malformed-request"))
      #expect(found?.what.contains("transfer-encoding") == true)
      let long = diagnosis(progress: progress, hasHTTPBytes: true, refusal: .headTooLong)
      #expect(long?.what.contains("431") == true)
      let old = diagnosis(progress: progress, cause: .http(.http1(status: 400)))
      #expect(old?.code == DiagnosisCode("malformed-request"))
      #expect(old?.what.contains("400") == true)
    }
    #expect(
      diagnosis(cause: .http(.http2(code: 1)))?.code == DiagnosisCode("malformed-request"))
    #expect(diagnosis(progress: .requestSeen, cause: .http(.http2(code: 1))) == nil)
  }

  @Test func `what and fix begin in lower case and have no period`() {
    let all = [
      diagnosis(), diagnosis(alert: .unknownCA), diagnosis(serverName: "x"),
      diagnosis(cause: .tlsOnClearPort), diagnosis(isCertificateSent: true),
      diagnosis(tls: nil, progress: .accepted), diagnosis(refusal: .te),
      diagnosis(cause: .http(.notHTTP2)), diagnosis(cause: .http(.http1InHTTP2)),
      diagnosis(cause: .http(.http1(status: 400))),
      diagnosis(cause: .http(.http2(code: 1))),
    ].compactMap { $0 }
    #expect(Set(all.map(\.code)).count == 6)
    for text in all.flatMap({ [$0.what, $0.fix] }) {
      #expect(text.first?.isLowercase == true && !text.hasSuffix("."), "\(text)")
    }
  }
}
