internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// Explains connections that never sent a request, the commonest first failure of a new user, and
/// those whose requests were refused before anything could record them.
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
    if let malformed = malformedRequest(ending) { return malformed }
    guard ending.progress < .requestSeen else { return nil }
    if ending.cause == .tlsOnClearPort { return tlsOnConsolePort(place) }
    guard ending.progress >= .tlsHelloSeen, facts.offersTLS(ending) else {
      return closedInClearText(facts, ending)
    }
    if let name = facts.serverName, !knownNames.contains(name.lowercased()) {
      return nameNotInCertificate(name, place)
    }
    if let alert = ending.alertReceived, distrust.contains(alert) {
      return caNotTrusted(
        "the client ended the TLS handshake with the alert '\(alert)': it does not trust "
          + "the gateway's certificate authority", place)
    }
    if isSilentDistrust(ending) {
      return caNotTrusted(
        "the client closed the TLS handshake right after it saw the certificate: it probably does "
          + "not trust the gateway's certificate authority", place)
    }
    return closedWithoutRequest(facts, ending, place)
  }

  /// Whether the peer left without a word when it had our certificate.
  ///
  /// So do Node, asyncio, the JDK's HTTP client and wget, which send no alert.
  private static func isSilentDistrust(_ ending: ConnectionEnding) -> Bool {
    guard ending.isCertificateSent, !ending.hasHTTPBytes, ending.alertReceived == nil else {
      return false
    }
    return switch ending.cause {
    case .peerClosed, .socket: true
    case .idle, .headTimeout, .bodyTimeout, .slowReader, .tlsOnClearPort, .tls, .resources, .http,
      .answered, .closedByHandler, .serverStopped:
      false
    }
  }

  private static func caNotTrusted(_ what: String, _ place: Place) -> Diagnosis {
    Diagnosis(
      DiagnosisCode("ca-not-trusted"), what: what,
      fix: "make the sender trust \(place.caPath): eval \"$(pushpit env)\", or curl --cacert")
  }

  /// Requests that the stream limit kept out, which nothing else shows; nil for none.
  static func streamsRefused(_ count: Int) -> Diagnosis? {
    guard count > 0 else { return nil }
    return Diagnosis(
      .streamsRefused,
      what:
        "\(count) \(count == 1 ? "stream was" : "streams were") refused with REFUSED_STREAM, because "
        + "more were open than the last SETTINGS allow",
      fix:
        "obey SETTINGS_MAX_CONCURRENT_STREAMS, which is 1 at APNs until a good token came, and send "
        + "the refused requests again")
  }

  /// What is wrong with a request that was refused before anything could judge or record it.
  private static func malformedRequest(_ ending: ConnectionEnding) -> Diagnosis? {
    if let fault = ending.refusal {
      let isTooLong = fault == .headTooLong
      return Diagnosis(
        .malformedRequest,
        what: "a request was refused before it was recorded"
          + (isTooLong ? " with the status 431" : ", by a reset of its stream")
          + ": \(fault.text)",
        fix: isTooLong
          ? "send fewer or shorter header fields"
          : "send requests as RFC 9113 section 8 demands; an HTTP/2 library does it by itself")
    }
    guard case .http(let failure) = ending.cause else { return nil }
    switch failure {
    case .http1(let status):
      return Diagnosis(
        .malformedRequest,
        what: "a request in HTTP/1.1 was refused before it was recorded, with the status \(status)"
          + ": \(reason(ofHTTP1Status: status))",
        fix: "send requests as RFC 9112 demands; an HTTP library does it by itself")
    case .http1InHTTP2:
      return Diagnosis(
        .http1AtAPNs,
        what: "the client agreed on HTTP/2 in the TLS handshake and then sent HTTP/1.x, which APNs "
          + "does not speak over TLS",
        fix: "use an HTTP/2 client, or offer only http/1.1 by ALPN to send to FCM")
    case .notHTTP2:
      return Diagnosis(
        .malformedRequest,
        what: "the client agreed on HTTP/2 in the TLS handshake and then did not speak it",
        fix: "send HTTP/2, or offer only http/1.1 by ALPN")
    case .http2(let code) where ending.progress < .requestSeen:
      return Diagnosis(
        .malformedRequest,
        what: "the client broke the rules of HTTP/2 before its first request: the connection was "
          + "ended with GOAWAY, code \(code) (RFC 9113 section 7)",
        fix: "use an HTTP/2 library in place of hand-made frames, or update it")
    case .http2, .flooded, .library: return nil
    }
  }

  private static func reason(ofHTTP1Status status: Int) -> String {
    switch status {
    case 414: "its request line is too long"
    case 431: "its header fields are too long together"
    case 501: "its transfer coding or method is not served"
    case 505: "its version of HTTP is not served"
    default: "its head or the framing of its body cannot be read"
    }
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
      ending.progress == .tlsHelloSeen ? "during the TLS handshake" : "after the handshake"
    return Diagnosis(
      .closedWithoutRequest,
      what: "the connection from \(facts.peer) ended \(seen), without a request",
      fix: "when a sender reports a certificate error, make it trust \(place.caPath) "
        + "(pushpit env); some clients check it only after the handshake")
  }

  /// Without TLS there is no certificate to blame.
  private static func closedInClearText(
    _ facts: ConnectionFacts, _ ending: ConnectionEnding
  ) -> Diagnosis {
    let seen =
      ending.progress == .accepted ? "before it sent anything" : "before its request was complete"
    return Diagnosis(
      .closedWithoutRequest,
      what: "the connection from \(facts.peer) ended \(seen), without a request",
      fix: "look at what the sender reports; a check of the port alone does this too, and needs "
        + "no attention")
  }
}

extension DiagnosisCode {
  static let closedWithoutRequest = DiagnosisCode("closed-without-request")
  static let malformedRequest = DiagnosisCode("malformed-request")
  static let streamsRefused = DiagnosisCode("streams-refused")
}

extension ConnectionFacts {
  /// Whether the connection got as far as TLS.
  fileprivate func offersTLS(_ ending: ConnectionEnding) -> Bool {
    tlsVersion != nil || ending.progress == .tlsHelloSeen
  }
}
