internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /envelopes`.
  func listEnvelopes(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    var wanted = try envelopeQuery(&query, allowsAll: true)
    wanted.limit = query.limit()
    wanted.before = query.value("cursor", expected: "a cursor of this list", EnvelopeID.number)
    try query.finish()
    let page = store.page(wanted)
    return json { page.json(into: &$0) }
  }

  /// `DELETE /envelopes`.
  func removeEnvelopes(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let wanted = try envelopeQuery(&query, allowsAll: false)
    try query.finish()
    store.remove(wanted)
    // The report is about what is recorded.
    analyses.forget(wanted.workspace ?? .default)
    return noContent
  }

  /// `GET /envelopes/{id}`.
  func showEnvelope(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let envelope = try envelope(of: call)
    return json { envelope.json(into: &$0) }
  }

  /// The envelope that a path names, and the workspace of its query.
  func envelope(of call: ConsoleCall) throws(ConsoleProblem) -> Envelope {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: true)
    try query.finish()
    let id = call.parameters[0]
    guard let number = EnvelopeID.number(id), number > 0, number < store.nextEnvelope else {
      throw ConsoleProblem(404, .notFound, "There is no envelope \"\(id)\".")
    }
    guard let envelope = store.envelope(number) else {
      throw ConsoleProblem(
        404, .notFound, "Envelope \(id) was recorded and is forgotten: deleted, or evicted as old.")
    }
    guard workspace == nil || envelope.workspace == workspace else {
      throw ConsoleProblem(
        404, .notFound,
        "Envelope \(id) is of another workspace; add ?workspace=\(envelope.workspace).")
    }
    return envelope
  }

  private func envelopeQuery(
    _ query: inout QueryReader, allowsAll: Bool
  ) throws(ConsoleProblem) -> EnvelopeQuery {
    var wanted = EnvelopeQuery(workspace: try workspace(&query, allowsAll: allowsAll))
    wanted.service = query.choice("service")
    wanted.isAccepted = query.value("outcome", expected: "accepted or rejected") {
      ["accepted": true, "rejected": false][$0]
    }
    wanted.status = query.value("status", expected: "a status like 410") { text in
      Int(text).flatMap { (100...599).contains($0) ? $0 : nil }
    }
    wanted.reason = query.text("reason")
    wanted.diagnosis = query.text("diagnosis")
    wanted.warning = query.text("warning")
    wanted.token = query.text("token")
    wanted.topic = query.text("topic")
    wanted.pushType = query.text("pushType")
    wanted.project = query.text("project")
    wanted.app = query.text("app")
    wanted.device = query.text("device").map(DeviceID.init)
    wanted.collapse = query.text("collapse")
    wanted.connection = query.value("connection", expected: "the number of a connection") {
      UInt64($0)
    }
    wanted.since = query.moment("since")
    wanted.until = query.moment("until")
    wanted.words = query.text("q") ?? ""
    return wanted
  }
}
