package import PushpitHTTPTypes

/// How a client connects.
package struct ClientOptions: Sendable {
  /// How a client uses TLS.
  package struct TLS: Sendable {
    /// PEM of the certificates to trust.
    package var authorities: [UInt8]?
    /// Whether what the system trusts is trusted too.
    package var trustsSystem = false
    /// Whether the server's certificate and name are checked.
    package var verifies = true
    /// The name to send and to check; nil for the host that is connected to.
    package var serverName: String?
    /// ALPN names in order of preference; none are offered when it is empty.
    package var protocols = ["h2", "http/1.1"]
    /// PEM of a client certificate, and of its key.
    package var identity: (certificates: [UInt8], key: [UInt8])?

    package init(authorities: [UInt8]?) {
      self.authorities = authorities
    }
  }

  /// TLS, or nil for clear text.
  package var tls: TLS?
  /// What is spoken where no ALPN name was agreed on.
  package var assumedProtocol = HTTPProtocol.http1
  /// How long connecting may take, TLS included.
  package var connectTimeLimit = Duration.seconds(10)
  /// The largest body of an answer.
  package var bodyLimit = 64 << 20

  package init(tls: TLS? = nil, assumedProtocol: HTTPProtocol = .http1) {
    self.tls = tls
    self.assumedProtocol = assumedProtocol
  }
}
