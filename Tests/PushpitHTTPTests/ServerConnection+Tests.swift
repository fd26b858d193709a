import PushpitHTTPTypes

@testable import PushpitHTTP

extension ServerConnection {
  /// A connection without a socket, accepted at the moment 0.
  static func accepted(
    by handler: any ServerHandler, _ change: (inout ListenerOptions) -> Void = { _ in }
  ) -> ServerConnection {
    var options = ListenerOptions()
    change(&options)
    return ServerConnection(
      facts: ConnectionFacts(id: 1, peer: "127.0.0.1:1", listener: 0), options: options,
      handler: handler, resources: ServerResources(), now: 0)
  }
}
