internal import COpenSSL

/// Why a TLS session ended in failure.
package struct TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it was.
  package enum Cause: Equatable, Sendable {
    /// The peer gave up and said why.
    case alertReceived(TLSAlert)
    /// The peer's first bytes are a request of HTTP/1.x in clear text, or to a proxy.
    case plainHTTP
    /// The peer's first bytes are not TLS.
    case notTLS
    /// A client does not trust the server's certificate, for this reason.
    case certificateRejected(String)
    /// Anything else that breaks the protocol; `reasons` tell.
    case protocolError
  }

  package let cause: Cause
  /// The alert that was sent to the peer about it.
  package let alertSent: TLSAlert?
  /// OpenSSL's own words, the oldest first.
  package let reasons: [String]

  package var description: String {
    switch cause {
    case .alertReceived(let alert): "the peer sent the TLS alert \(alert)"
    case .plainHTTP: "the peer sent HTTP in clear text to TLS"
    case .notTLS: "the peer's bytes are not TLS"
    case .certificateRejected(let reason): "the server's certificate is not trusted: \(reason)"
    case .protocolError:
      reasons.isEmpty ? "TLS failed" : "TLS failed: \(reasons.joined(separator: "; "))"
    }
  }

  /// Empties this thread's error queue; `verification` is what the check of the peer's
  /// certificate said.
  init(drainingWith facts: TLSSessionFacts, verification: Int) {
    let entries = OpenSSLErrors.drain()
    reasons = entries.map(\.text)
    alertSent = facts.alertSent
    let tlsReasons = entries.filter(\.isOfTLS).map(\.reason)
    if let alert = facts.alertReceived, alert != .closeNotify {
      cause = .alertReceived(alert)
    } else if tlsReasons.contains(SSL_R_CERTIFICATE_VERIFY_FAILED) {
      cause = .certificateRejected(String(cString: X509_verify_cert_error_string(verification)))
    } else if tlsReasons.contains(where: [SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST].contains) {
      cause = .plainHTTP
    } else if tlsReasons.contains(SSL_R_WRONG_VERSION_NUMBER) {
      cause = .notTLS
    } else {
      cause = .protocolError
    }
  }
}
