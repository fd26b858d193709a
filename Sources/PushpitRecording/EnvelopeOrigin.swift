package import PushpitHTTPTypes
package import PushpitModel

/// On which connection and stream a request came, when it came and when it was answered.
package struct EnvelopeOrigin {
  /// The workspace's time of receipt.
  package let receivedAt: Timestamp
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
    receivedAt: Timestamp, answeredAt: Timestamp, connection: UInt64, stream: Int64,
    httpProtocol: HTTPProtocol, tls: String?
  ) {
    self.receivedAt = receivedAt
    self.answeredAt = answeredAt
    self.connection = connection
    self.stream = stream
    self.httpProtocol = httpProtocol
    self.tls = tls
  }
}
