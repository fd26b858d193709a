package import PushpitHTTPTypes

/// A complete request to the console port: no socket, no session.
package struct ConsoleRequest: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
  /// The body was longer than the listener's limit; `body` holds its beginning.
  package let isBodyCut: Bool
  package let connection: ConnectionFacts

  package init(
    head: RequestHead, body: [UInt8] = [], isBodyCut: Bool = false, connection: ConnectionFacts
  ) {
    self.head = head
    self.body = body
    self.isBodyCut = isBodyCut
    self.connection = connection
  }
}

/// What the console answers: a whole response, now or later, or a head and what keeps writing after it.
package enum ConsoleAnswer {
  case response(Response)
  case later(PendingAnswer)
  case streaming(ResponseHead, any ResponseProducer)
}
