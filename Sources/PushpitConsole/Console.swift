package import PushpitDevices
package import PushpitHTTPTypes
internal import PushpitJSON
package import PushpitModel
package import PushpitRecording

/// The console's API: a request in, an answer out; no sockets.
///
/// Owned by the loop's thread.
package final class Console {
  let store: EnvelopeStore
  let events: EventHub
  let devices: DeviceDirectory
  let workspaces: WorkspaceDirectory
  let tokens: TokenRegistry
  let time: any TimeSource
  let timers: any ConsoleTimers
  /// The gateway, which owns the console.
  weak var status: (any ConsoleStatus)?

  let openStreams = OpenStreams()
  package let expectations: ExpectationBoard
  let analyses: SenderAnalyses
  /// The newest event that was sent as it happened, in its frame.
  var liveFrame: (event: UInt64, bytes: [UInt8])?
  private let consoleGuard: ConsoleGuard

  package init(
    store: EnvelopeStore, events: EventHub, devices: DeviceDirectory,
    workspaces: WorkspaceDirectory, tokens: TokenRegistry, time: any TimeSource,
    timers: any ConsoleTimers, status: any ConsoleStatus, access: ConsoleAccess = ConsoleAccess()
  ) {
    self.store = store
    self.events = events
    self.devices = devices
    self.workspaces = workspaces
    self.tokens = tokens
    self.time = time
    self.timers = timers
    self.status = status
    consoleGuard = ConsoleGuard(access)
    analyses = SenderAnalyses(store: store)
    expectations = ExpectationBoard(store: store, events: events, analyses: analyses)
  }

  /// Every path and method.
  static let routes: [ConsoleRoute] = [
    ConsoleRoute("GET", "/", Console.showFrontPage),
    ConsoleRoute("GET", "/livez", Console.showLiveness),
    ConsoleRoute("GET", "/readyz", Console.showReadiness),
    ConsoleRoute("GET", "/metrics", Console.showMetrics),
    ConsoleRoute("GET", "/api/v1/openapi.json", Console.showDocument),
    ConsoleRoute("GET", "/api/v1/envelopes", Console.listEnvelopes),
    ConsoleRoute("DELETE", "/api/v1/envelopes", Console.removeEnvelopes),
    ConsoleRoute("GET", "/api/v1/envelopes/*", Console.showEnvelope),
    ConsoleRoute("GET", "/api/v1/envelopes/*/as/*", Console.exportEnvelope),
    ConsoleRoute("POST", "/api/v1/expect", Console.expect),
    ConsoleRoute("GET", "/api/v1/events", Console.streamEvents),
    ConsoleRoute("GET", "/api/v1/devices", Console.listDevices),
    ConsoleRoute("POST", "/api/v1/devices", Console.makeDevice),
    // Before the devices by their ids, of which `stream` is none.
    ConsoleRoute("GET", "/api/v1/devices/stream", Console.streamDevices),
    ConsoleRoute("GET", "/api/v1/devices/*", Console.showDevice),
    ConsoleRoute("PATCH", "/api/v1/devices/*", Console.changeDevice),
    ConsoleRoute("DELETE", "/api/v1/devices/*", Console.removeDevice),
    ConsoleRoute("GET", "/api/v1/devices/*/stream", Console.streamDevice),
    ConsoleRoute("GET", "/api/v1/contracts", Console.listContracts),
    ConsoleRoute("POST", "/api/v1/devices/*/ack", Console.acknowledge),
    ConsoleRoute("POST", "/api/v1/devices/*/tap", Console.tapDevice),
    ConsoleRoute("POST", "/api/v1/devices/*/dismiss", Console.dismissOnDevice),
    ConsoleRoute("POST", "/api/v1/devices/*/uninstall", Console.uninstallDevice),
    ConsoleRoute("POST", "/api/v1/devices/*/reinstall", Console.reinstallDevice),
    ConsoleRoute("POST", "/api/v1/devices/*/clear-token", Console.clearDeviceTokens),
    ConsoleRoute("POST", "/api/v1/devices/*/expire-token", Console.expireDeviceToken),
    ConsoleRoute("POST", "/api/v1/devices/*/rotate-token", Console.rotateDeviceToken),
    ConsoleRoute("GET", "/api/v1/workspaces", Console.listWorkspaces),
    ConsoleRoute("POST", "/api/v1/workspaces", Console.makeWorkspace),
    ConsoleRoute("GET", "/api/v1/workspaces/*", Console.showWorkspace),
    ConsoleRoute("DELETE", "/api/v1/workspaces/*", Console.removeWorkspace),
    ConsoleRoute("PATCH", "/api/v1/workspaces/*", Console.changeWorkspace),
    ConsoleRoute("GET", "/api/v1/workspaces/*/settings", Console.showSettings),
    ConsoleRoute("GET", "/api/v1/workspaces/*/credentials", Console.listCredentials),
    ConsoleRoute("POST", "/api/v1/workspaces/*/credentials", Console.addCredential),
    ConsoleRoute("GET", "/api/v1/workspaces/*/credentials/*", Console.showCredential),
    ConsoleRoute("DELETE", "/api/v1/workspaces/*/credentials/*", Console.removeCredential),
    ConsoleRoute("POST", "/api/v1/reset", Console.resetWorkspace),
    ConsoleRoute("GET", "/api/v1/clock", Console.showClock),
    ConsoleRoute("POST", "/api/v1/clock", Console.changeClock),
    ConsoleRoute("GET", "/api/v1/gateway", Console.showGateway),
    ConsoleRoute("GET", "/api/v1/connections", Console.listConnections),
    ConsoleRoute("GET", "/api/v1/report", Console.showReport),
  ]

  /// Ends every open stream with a notice, and every wait; called when the gateway stops.
  package func endStreams() {
    openStreams.endAll()
    expectations.cancel(nil, because: .gatewayStopping)
  }

  /// Answers a request.
  package func answer(_ request: ConsoleRequest) -> ConsoleAnswer {
    do {
      switch try route(request) {
      case .response(let response): return .response(finished(response))
      case .later(let answer): return .later(answer)
      case .streaming(let head, let producer): return .streaming(finished(head), producer)
      }
    } catch {
      return .response(finished(error.response))
    }
  }

  private func route(_ request: ConsoleRequest) throws(ConsoleProblem) -> ConsoleAnswer {
    let head = request.head
    // A sender that has the vendor's name and the console's port: the answer tells the gateway's URL
    // and nothing else, so it needs no check of who asks.
    if VendorPath.contains(head.path), VendorPath.isOfVendor(authority: head.authority) {
      throw vendorPathProblem()
    }
    try consoleGuard.checkOrigin(head)
    if VendorPath.contains(head.path) { throw vendorPathProblem() }
    let segments = head.path.split(separator: UInt8(ascii: "/")).map {
      String(decoding: PercentCoding.decode($0), as: UTF8.self)
    }
    if segments != ["livez"], segments != ["readyz"] { try consoleGuard.checkToken(head) }
    try consoleGuard.checkBody(request)
    // A session sends no body in answer to HEAD; apart from that it is a GET.
    let method = head.method.elementsEqual("HEAD".utf8) ? "GET" : head.methodText
    var allowed: [String] = []
    var pattern: [Substring]?
    for route in Self.routes {
      guard let parameters = route.parameters(of: segments) else { continue }
      // The first pattern that fits is the path's; another's methods are those of another thing.
      guard pattern == nil || pattern == route.pattern else { continue }
      pattern = route.pattern
      if route.method == method {
        return try route.handler(self)(ConsoleCall(request: request, parameters: parameters))
      }
      allowed.append(route.method)
    }
    let path = String(decoding: head.path, as: UTF8.self)
    guard allowed.isEmpty else {
      if allowed.contains("GET") { allowed.append("HEAD") }
      var problem = ConsoleProblem(
        405, .methodNotAllowed, "\(path) does not know the method \(head.methodText).")
      problem.allowed = allowed
      throw problem
    }
    throw ConsoleProblem(404, .notFound, "The console has no path \(path).")
  }

  private func vendorPathProblem() -> ConsoleProblem {
    let gateway = status.map { " at \($0.gatewayURL)" } ?? ""
    return ConsoleProblem(
      404, .vendorPath,
      "This is the console; point the sender at the gateway port\(gateway).")
  }

  /// Adds the fields that every answer has.
  package func finished(_ head: ResponseHead) -> ResponseHead {
    var head = head
    for field in ConsoleGuard.answerFields { head.fields.append(field.name, field.value.utf8) }
    return head
  }

  private func finished(_ response: Response) -> Response {
    var response = response
    response.head = finished(response.head)
    return response
  }
}

extension RequestHead {
  /// The method as text.
  fileprivate var methodText: String { String(decoding: method, as: UTF8.self) }
}
