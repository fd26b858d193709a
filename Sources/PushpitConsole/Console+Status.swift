internal import PushpitDevices
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /livez`: the process answers.
  func showLiveness(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.query.finish()
    return text(type: "text/plain; charset=utf-8", "ok\n")
  }

  /// `GET /readyz`: every listener accepts.
  func showReadiness(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.query.finish()
    guard status?.isReady == true else {
      throw ConsoleProblem(503, .notReady, "Not every listener accepts yet.")
    }
    return text(type: "text/plain; charset=utf-8", "ok\n")
  }

  /// `GET /gateway`: where it listens and where its files are, as in the ready file.
  func showGateway(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    let value = status?.gateway ?? .null
    return json { $0.value(value) }
  }

  /// `GET /connections`.
  func listConnections(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    // Connections belong to no workspace; the parameter is known because every call takes it.
    _ = try workspace(&query, allowsAll: true)
    let limit = query.limit()
    let cursor = query.value("cursor", expected: "a cursor of this list") { UInt64($0) }
    try query.finish()
    let all = status?.connections ?? []
    let rest = cursor.map { cursor in all.filter { $0.facts.id < cursor } } ?? all
    let page = rest.prefix(limit)
    return json { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for entry in page { entry.json(into: &writer) }
      writer.endArray()
      writer.key("keys")
      writer.beginArray()
      for key in status?.providerKeys ?? [] { key.json(into: &writer) }
      writer.endArray()
      let next = rest.count > limit ? page.last.map { String($0.facts.id) } : nil
      writer.memberOrNull("next", next)
      writer.member("total", all.count)
      writer.member("evicted", status?.forgottenConnectionCount ?? 0)
      writer.endObject()
    }
  }

  /// `GET /`: what this is, until there is a page.
  func showFrontPage(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let gateway = status?.gatewayURL ?? "unknown"
    return text(
      type: "text/plain; charset=utf-8",
      """
      Pushpit \(status?.version ?? ""): APNs and FCM on your own machine.

      Senders push to the gateway:  \(gateway)
      This port is the console; its API is under /api/v1:

        GET  /api/v1/envelopes             what senders sent, with verdict and diagnosis
        GET  /api/v1/envelopes/e1          one of them, whole
        GET  /api/v1/events                server-sent events: envelopes, deliveries, devices, connections
        POST /api/v1/devices               make a device: {"platform": "ios"}
        GET  /api/v1/devices/ID/stream     be that device
        GET  /api/v1/connections           who connected, and why some never sent a request
        POST /api/v1/clock                 move the time by which tokens age: {"advance": "61m"}
        GET  /api/v1/workspaces/default/settings   what can be set, and why it is as it is
        GET  /api/v1/openapi.json          all of it, as an OpenAPI document
        GET  /livez /readyz /metrics       health

      """)
  }
}
