package import PushpitHTTPTypes

/// A complete request to a vendor endpoint, as the domain sees it: no socket, no session.
package struct PushRequest: Sendable {
  // Variables, so that whoever lent them can take them back without a copy.
  package var head: RequestHead
  package var body: [UInt8]
  /// The body was longer than the listener's limit; `body` holds its beginning.
  package let isBodyCut: Bool
  /// The APNs environment of the host, the port or the default, in that order.
  package let environment: APNsEnvironment
  /// The workspace of the port, to which a request belongs that neither its credential nor its token
  /// gives to another.
  package let home: WorkspaceID
  /// Real time of receipt.
  package let receivedAt: Timestamp

  package init(
    head: RequestHead, body: [UInt8], isBodyCut: Bool = false,
    environment: APNsEnvironment = .sandbox, home: WorkspaceID = .default, receivedAt: Timestamp
  ) {
    self.head = head
    self.body = body
    self.isBodyCut = isBodyCut
    self.environment = environment
    self.home = home
    self.receivedAt = receivedAt
  }
}
