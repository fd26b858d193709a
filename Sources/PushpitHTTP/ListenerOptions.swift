package import PushpitCrypto

/// What one listening port allows, and what it speaks.
package struct ListenerOptions {
  /// The certificate and settings of TLS; nil for a port that speaks clear text only.
  package var tls: TLSContext?

  /// What HTTP sessions hold their peers to.
  package var session = SessionLimits()

  /// The most connections at a time; the next one is closed at once and counted.
  package var connectionLimit = 10_000

  /// How long a connection without open streams may be silent.
  package var idleTimeout = Duration.seconds(3600)

  /// How long a peer may take from connecting to HTTP, and for each request head.
  package var headTimeout = Duration.seconds(10)

  /// How long a peer may send nothing while a request's body is incomplete.
  package var bodyTimeout = Duration.seconds(60)

  /// How many unread bytes may pile up for a peer before its streaming answers are stopped.
  package var outputLimit = 4 << 20

  /// How long a peer may read nothing while output waits for it.
  package var writeTimeout = Duration.seconds(60)

  package init(tls: TLSContext? = nil) {
    self.tls = tls
  }
}
