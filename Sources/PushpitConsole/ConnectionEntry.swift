package import PushpitHTTPTypes
package import PushpitJSON
package import PushpitModel
internal import PushpitRecording

/// One line of the connection ledger.
package struct ConnectionEntry: Sendable {
  /// Peer, TLS, ALPN and HTTP as far as they are known.
  package var facts: ConnectionFacts
  /// The listener's name, `gateway 127.0.0.1:2197`.
  package var listener: String
  package var openedAt: Timestamp
  /// Nil while it is open.
  package var closedAt: Timestamp?
  package var requestCount = 0
  /// The most requests that were in flight at once.
  package var peakStreamCount = 0
  /// Streams that were refused because too many were open.
  package var refusedStreamCount = 0
  /// How many different provider tokens it brought.
  package var providerTokenCount = 0
  /// The key and team that its provider tokens have to be of; nil before the first valid one.
  package var boundKey: (keyID: String, teamID: String)?
  package var goAwayCount = 0
  /// The client certificate that it came with.
  package var certificate: CredentialFacts?
  /// How far it came, `handshakeDone`.
  package var progress: String
  /// Why it ended, in a few words.
  package var ending: String?
  /// The name of the TLS alert that the peer sent, `unknown_ca`.
  package var alert: String?
  /// Why it never sent a request or was ended, and what to do.
  package var diagnosis: Diagnosis?

  package init(
    facts: ConnectionFacts, listener: String, openedAt: Timestamp, progress: String
  ) {
    self.facts = facts
    self.listener = listener
    self.openedAt = openedAt
    self.progress = progress
  }

  /// Writes the entry as the console shows it.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", facts.id)
    writer.member("peer", facts.peer)
    writer.member("listener", listener)
    writer.member("openedAt", openedAt.rfc3339)
    writer.memberOrNull("closedAt", closedAt?.rfc3339)
    writer.memberOrNull("protocol", facts.httpProtocol?.rawValue)
    writer.memberOrNull("tls", facts.tlsVersion)
    writer.memberOrNull("serverName", facts.serverName)
    writer.member("offeredProtocols", .array(facts.offeredProtocols.map(JSONValue.string)))
    writer.memberOrNull("negotiatedProtocol", facts.negotiatedProtocol)
    writer.member("requests", requestCount)
    writer.member("peakStreams", peakStreamCount)
    writer.member("refusedStreams", refusedStreamCount)
    writer.member("providerTokens", providerTokenCount)
    writer.memberOrNull("keyID", boundKey?.keyID)
    writer.memberOrNull("teamID", boundKey?.teamID)
    writer.member("goAways", goAwayCount)
    writer.key("certificate")
    if let certificate {
      writer.beginObject()
      writer.memberOrNull("subject", certificate.subject)
      writer.member("sha256", certificate.fingerprint)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.member("progress", progress)
    writer.memberOrNull("ending", ending)
    writer.memberOrNull("alert", alert)
    writer.memberOrNull("diagnosis", diagnosis)
    writer.endObject()
  }
}
