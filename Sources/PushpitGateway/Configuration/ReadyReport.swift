internal import PushpitJSON

/// Where a started gateway listens, as the ready file and `/api/v1` say it.
package struct ReadyReport: Sendable, Equatable {
  /// One address that accepts connections.
  package struct Listener: Sendable, Equatable {
    /// `gateway` or `console`.
    package let kind: String
    package let host: String
    package let port: Int
    /// The APNs environment of a gateway port; nil for the console.
    package let environment: String?
  }

  package let publicHost: String
  package let listeners: [Listener]
  package let processID: Int
  /// Absolute path of the state folder.
  package let statePath: String

  /// The port of the main gateway listener.
  package var gatewayPort: Int { port(of: "gateway") }
  /// The port of the console.
  package var consolePort: Int { port(of: "console") }
  package var gatewayURL: String { gatewayURL(port: gatewayPort) }
  package var gatewayClearURL: String { "http://\(urlHost):\(gatewayPort)" }
  package var consoleURL: String { "http://\(urlHost):\(consolePort)" }

  /// Where a gateway port is reached by senders.
  func gatewayURL(port: Int) -> String { "https://\(urlHost):\(port)" }

  /// The public host as URLs have it: an IPv6 address in brackets (RFC 3986 section 3.2.2).
  private var urlHost: String {
    publicHost.contains(":") && !publicHost.hasPrefix("[") ? "[\(publicHost)]" : publicHost
  }

  private func port(of kind: String) -> Int {
    listeners.first { $0.kind == kind }?.port ?? 0
  }

  /// The ready file's JSON, one line.
  package var json: [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("gateway", gatewayURL)
    writer.member("gatewayClear", gatewayClearURL)
    writer.member("console", consoleURL)
    writer.member("pid", processID)
    writer.member("state", statePath)
    writer.key("listeners")
    writer.beginArray()
    for listener in listeners {
      writer.beginObject()
      writer.member("kind", listener.kind)
      writer.member("host", listener.host)
      writer.member("port", listener.port)
      writer.member("environment", listener.environment.map { .string($0) } ?? .null)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
