internal import PushpitDevices
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /workspaces`.
  func listWorkspaces(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    let all = workspaces.all.values.sorted { $0.id.rawValue < $1.id.rawValue }
    return json { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for workspace in all { write(workspace, into: &writer) }
      writer.endArray()
      writer.memberOrNull("next", String?.none)
      writer.member("total", all.count)
      writer.member("evicted", 0)
      writer.endObject()
    }
  }

  /// `POST /workspaces`: the answer holds everything that a sender needs, and comes when its keys are made.
  func makeWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    // The parameter, which every call takes, says nothing here.
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    let wish = try Self.wish(try call.optionalJSON() ?? [:])
    let answer = PendingAnswer()
    let keeper = try keeper()
    keeper.make(wish) { [weak self] result in
      switch result {
      case .success(let made) where answer.isWaiting:
        if let self { answer.give(created(made)) }
      // Nobody would ever know of it.
      case .success(let made): keeper.remove(made.workspace)
      case .failure(let problem): answer.give(problem.response)
      }
    }
    return .later(answer)
  }

  /// `DELETE /workspaces/{id}`.
  func removeWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    guard workspace !== workspaces.default else {
      throw ConsoleProblem(
        409, .conflict, "The workspace \"default\" stays; POST /api/v1/reset empties it.")
    }
    try keeper().remove(workspace)
    expectations.cancel(workspace.id, because: .workspaceGone)
    analyses.forget(workspace.id)
    events.post(
      .notice(code: "workspace-removed", text: "The workspace \(workspace.id) was removed."),
      workspace: workspace.id, at: time.now)
    return noContent
  }

  /// `POST /reset`: a workspace as it was when it was made.
  func resetWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let id = try workspace(&query, allowsAll: false) ?? .default
    try query.finish()
    try call.noMembers()
    let workspace = workspaces[id]
    try keeper().reset(workspace)
    expectations.cancel(id, because: .workspaceGone)
    analyses.forget(id)
    events.post(
      .notice(code: "workspace-reset", text: "The workspace \(id) was reset."), workspace: id,
      at: now(in: id))
    return json { write(workspace, into: &$0) }
  }

  /// What makes and removes workspaces, once the gateway listens.
  func keeper() throws(ConsoleProblem) -> any ConsoleWorkspaces {
    guard let keeper = status?.workspaceKeeper else {
      throw ConsoleProblem(503, .notReady, "The gateway is starting or stopping.")
    }
    return keeper
  }

  /// Reads the body of `POST /workspaces`; settings are read when the workspace has them.
  private static func wish(_ body: JSONValue) throws(ConsoleProblem) -> WorkspaceWish {
    guard let object = body.objectValue else {
      throw .invalid([.init(.body(pointer: ""), "The body must be an object.")])
    }
    var wish = WorkspaceWish()
    var faults: [ConsoleProblem.Fault] = []
    func report(_ name: String, _ detail: String) {
      faults.append(.init(.body(pointer: JSONValue.pointer("", to: name)), detail))
    }
    for (name, value) in object.members.prefix(ConsoleProblem.namedFaultLimit) {
      switch name {
      case "name":
        wish.id = value.stringValue.map { WorkspaceID($0) }
        if wish.id?.isWellFormed != true {
          report(
            name,
            "Expected 1 to \(WorkspaceID.lengthLimit) letters, digits, dots, underscores and hyphens, "
              + "the first a letter or a digit.")
        }
      case "settings":
        wish.settings = value
        if value.objectValue == nil { report(name, "Expected an object of settings.") }
      case "listener":
        guard let flag = value.boolValue else {
          report(name, "Expected true or false.")
          continue
        }
        wish.hasListener = flag
      default: report(name, "Unknown member; known here: name, settings, listener.")
      }
    }
    guard faults.isEmpty else { throw .invalid(faults) }
    return wish
  }

  private func created(_ made: NewWorkspace) -> Response {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writeMembers(of: made.workspace, into: &writer)
    writer.member("credentials", made.credentials)
    writer.endObject()
    var response = Response(
      status: 201, fields: FieldList(["content-type": "application/json"]), body: writer.bytes)
    response.head.fields.append("location", "/api/v1/workspaces/\(made.workspace.id)".utf8)
    return response
  }

  /// `GET /workspaces/{id}`.
  func showWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    return json { write(workspace, into: &$0) }
  }

  /// `GET /workspaces/{id}/settings`: value, default, form and reason of each.
  func showSettings(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let settings = WorkspaceSettings.description(of: try namedWorkspace(call))
    return json { $0.value(settings) }
  }

  /// `PATCH /workspaces/{id}`: changes settings, all that are named or none.
  func changeWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let body = try call.json()
    guard let object = body.objectValue else {
      throw .invalid([.init(.body(pointer: ""), "The body must be an object.")])
    }
    var faults = object.members.filter { $0.key != "settings" }.prefix(
      ConsoleProblem.namedFaultLimit
    ).map { member in
      ConsoleProblem.Fault(
        .body(pointer: JSONValue.pointer("", to: member.key)),
        "Unknown member; known here: settings.")
    }
    if faults.isEmpty, let settings = object["settings"] {
      faults = WorkspaceSettings.change(settings, of: workspace).map { problem in
        ConsoleProblem.Fault(.body(pointer: "/settings" + problem.pointer), problem.detail)
      }
    }
    guard faults.isEmpty else { throw .invalid(faults) }
    status?.workspaceKeeper?.changed(workspace)
    return json { write(workspace, into: &$0) }
  }

  /// The workspace of the path; the parameter, which every call takes, says nothing more here.
  func namedWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> Workspace {
    var query = call.query
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    return try workspace(named: call.parameters[0])
  }

  private func write(_ workspace: Workspace, into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(of: workspace, into: &writer)
    writer.endObject()
  }

  private func writeMembers(of workspace: Workspace, into writer: inout JSONWriter) {
    let gateway = status?.workspaceKeeper?.gateway(of: workspace.id)
    writer.member("id", workspace.id.rawValue)
    writer.member("now", workspace.clock.time(at: time.now).rfc3339)
    writer.member("gateway", gateway?.url ?? status?.gatewayURL ?? "")
    writer.memberOrNull("port", gateway?.port)
    writer.memberOrNull("project", workspace.project)
    writer.member("devices", devices.count(in: workspace.id))
    writer.member("settings", WorkspaceSettings.values(of: workspace))
  }
}
