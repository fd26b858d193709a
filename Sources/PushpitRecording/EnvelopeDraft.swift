package import PushpitHTTPTypes
package import PushpitModel

/// One request and what became of it, as the gateway hands it to the store.
///
/// It cannot be copied: a copy would count twenty references up and down for each request.
package struct EnvelopeDraft: ~Copyable {
  package let outcome: PushOutcome
  package let request: PushRequest
  /// The workspace's time of the answer.
  package let answeredAt: Timestamp
  /// Identity of the connection in this process.
  package let connection: UInt64
  /// HTTP/2's stream identifier; HTTP/1.1: the count of requests on the connection.
  package let stream: Int64
  package let httpProtocol: HTTPProtocol
  /// `TLSv1.3`, or nil in clear text.
  package let tls: String?

  package init(
    outcome: consuming PushOutcome, request: consuming PushRequest, answeredAt: Timestamp,
    connection: UInt64, stream: Int64, httpProtocol: HTTPProtocol, tls: String?
  ) {
    self.outcome = outcome
    self.request = request
    self.answeredAt = answeredAt
    self.connection = connection
    self.stream = stream
    self.httpProtocol = httpProtocol
    self.tls = tls
  }
}
