internal import PushpitHTTPTypes
internal import PushpitNetwork

/// One port of a server, on one or more addresses, with its options and its handler.
final class Listener {
  let index: Int
  let options: ListenerOptions
  let handler: any ServerHandler
  let resources: ServerResources
  weak var server: HTTPServer?
  /// Connections of this listener that are open.
  var openCount = 0
  private var sockets: [TCPListener] = []

  init(
    index: Int, options: ListenerOptions, handler: any ServerHandler, server: HTTPServer
  ) {
    self.index = index
    self.options = options
    self.handler = handler
    self.server = server
    resources = server.resources
  }

  /// Opens the sockets and returns their port.
  func open(_ loop: EventLoop, hosts: [String], port: Int) throws(NetworkError) -> Int {
    sockets = try TCPListener.listen(loop, hosts: hosts, port: port, delegate: self)
    return sockets.first?.port ?? port
  }

  /// The addresses that are open, without those of a family that the machine lacks.
  var hosts: [String] { sockets.map(\.host) }

  /// Whether it takes no more connections.
  var isClosed: Bool { sockets.isEmpty }

  /// Takes no more connections.
  func close() {
    for socket in sockets { socket.close() }
    sockets = []
  }
}

extension Listener: TCPListenerDelegate {
  func listenerAccepted(_ listener: TCPListener, _ stream: TCPStream) {
    guard let server, server.admit(self) else { return stream.close() }
    let facts = ConnectionFacts(
      id: server.nextConnectionID(), peer: stream.peerText, listener: index)
    let connection = ServerConnection(
      facts: facts, options: options, handler: handler, resources: resources,
      now: stream.loop.now)
    server.add(ConnectionTransport(stream, connection: connection, listener: self))
  }
}
