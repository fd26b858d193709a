internal import PushpitHTTP
internal import PushpitModel
internal import PushpitNetwork

/// The gateway ports of workspaces that have one of their own.
final class WorkspacePorts {
  /// A port and its place among the server's listeners.
  struct Port {
    let number: Int
    let listener: Int
  }

  private let core: GatewayCore
  private let server: HTTPServer
  private let hosts: [String]
  private let options: ListenerOptions
  private let handler: VendorHandler

  /// New ports are as the main one: its addresses, its options, its handler.
  init(
    core: GatewayCore, server: HTTPServer, hosts: [String], options: ListenerOptions,
    handler: VendorHandler
  ) {
    self.core = core
    self.server = server
    self.hosts = hosts
    self.options = options
    self.handler = handler
  }

  /// Opens a port, a free one unless a number is given, whose requests belong to a workspace when nothing gives them to another.
  func open(for workspace: WorkspaceID, number: Int = 0) throws(NetworkError) -> Port {
    let (listener, number) = try server.open(
      hosts: hosts, port: number, options: options, handler: handler)
    core.setPlace(
      GatewayCore.ListenerPlace(
        environment: core.configuration.environment, home: workspace), ofListener: listener)
    return Port(number: number, listener: listener)
  }

  /// Closes a port; its connections end as when the gateway stops.
  func close(_ port: Port) {
    server.close(listener: port.listener)
  }
}
