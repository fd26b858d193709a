package import PushpitJSON

/// Where a request is sent again.
package struct GatewayAddress: Sendable, Equatable {
  /// `https://localhost:2197`.
  package let url: String
  /// The same in clear text, `http://localhost:2197`.
  package let clearURL: String
  /// The certificate by which a sender knows the gateway.
  package let caPath: String
  /// The ports of all gateway listeners.
  package let ports: Set<Int>

  /// Reads the object that the ready file has; nil when that is not what it is.
  ///
  /// `own` is the port of the workspace, when it has one.
  package init?(_ gateway: JSONValue, own: (url: String, port: Int)? = nil) {
    guard let url = gateway["gateway"]?.stringValue,
      let clearURL = gateway["gatewayClear"]?.stringValue,
      let state = gateway["state"]?.stringValue
    else { return nil }
    self.url = own?.url ?? url
    self.clearURL = own.map { "http" + $0.url.dropFirst("https".count) } ?? clearURL
    caPath = state + "/ca.pem"
    let gateways = gateway["listeners"]?.arrayValue?.filter { $0["kind"] == "gateway" } ?? []
    ports = Set(gateways.compactMap { $0["port"]?.intValue } + (own.map { [$0.port] } ?? []))
  }

  /// The URL of a listener, without a path.
  ///
  /// A name of this machine with the port of a listener is where the request came; any other host was
  /// led here by the sender's configuration or by a resolver.
  func base(host: String?, isClear: Bool) -> String {
    let main = isClear ? clearURL : url
    guard let host, let colon = host.lastIndex(of: ":"), let port = Int(host[colon...].dropFirst()),
      ports.contains(port), ["localhost", "127.0.0.1", "[::1]"].contains(host[..<colon])
    else { return main }
    return (isClear ? "http://" : "https://") + host
  }
}
