internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// Explains connections that never sent a request: the commonest first failure of a new user.
enum ConnectionDiagnoses {
  /// Where the user finds what a fix names.
  struct Place {
    let caPath: String
    let gatewayPort: Int
    let consolePort: Int
    let publicHost: String
  }

  /// Alerts by which a client says that it does not trust the certificate (RFC 8446 section 6.2).
  private static let distrust: [TLSAlert] = [.unknownCA, .badCertificate, .certificateUnknown]

  /// The diagnosis of a connection that ended, nil when there is nothing to explain.
  static func diagnosis(
    _ facts: ConnectionFacts, _ ending: ConnectionEnding, knownNames: Set<String>, place: Place
  ) -> Diagnosis? {
    guard ending.progress < .requestSeen else { return nil }
    if ending.cause == .tlsOnClearPort { return tlsOnConsolePort(place) }
    guard ending.progress >= .tlsHelloSeen, facts.offersTLS(ending) else {
      return closedWithoutRequest(facts, ending, place)
    }
    if let name = facts.serverName, !knownNames.contains(name.lowercased()) {
      return nameNotInCertificate(name, place)
    }
    if let alert = ending.alertReceived, distrust.contains(alert) {
      return Diagnosis(
        DiagnosisCode("ca-not-trusted"),
        what: "the client ended the TLS handshake with the alert '\(alert)': it does not trust "
          + "the gateway's certificate authority",
        fix: "make the sender trust \(place.caPath): eval \"$(pushpit env)\", or curl --cacert")
    }
    return closedWithoutRequest(facts, ending, place)
  }

  private static func nameNotInCertificate(_ name: String, _ place: Place) -> Diagnosis {
    Diagnosis(
      DiagnosisCode("name-not-in-certificate"),
      what: "the client asked for the name '\(name)', which the gateway's certificate lacks",
      fix: "start the gateway with --host \(name), or reach it as \(place.publicHost)")
  }

  private static func tlsOnConsolePort(_ place: Place) -> Diagnosis {
    Diagnosis(
      DiagnosisCode("tls-on-console-port"),
      what: "the client began TLS on the console's port \(place.consolePort), which speaks "
        + "clear text",
      fix: "point senders at port \(place.gatewayPort); reach the console by http://")
  }

  private static func closedWithoutRequest(
    _ facts: ConnectionFacts, _ ending: ConnectionEnding, _ place: Place
  ) -> Diagnosis {
    let seen =
      switch ending.progress {
      case .accepted: "before it sent anything"
      case .tlsHelloSeen: "during the TLS handshake"
      case .handshakeDone, .requestSeen: "after the handshake"
      }
    return Diagnosis(
      DiagnosisCode("closed-without-request"),
      what: "the connection from \(facts.peer) ended \(seen), without a request",
      fix: "when a sender reports a certificate error, make it trust \(place.caPath) "
        + "(pushpit env); some clients check it only after the handshake")
  }
}

extension ConnectionFacts {
  /// Whether the connection got as far as TLS.
  fileprivate func offersTLS(_ ending: ConnectionEnding) -> Bool {
    tlsVersion != nil || ending.progress == .tlsHelloSeen
  }
}
