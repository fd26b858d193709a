internal import PushpitJSON
internal import PushpitModel

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
    return json { write(workspace, into: &$0) }
  }

  /// `POST /workspaces/{id}/credentials`.
  func importCredential(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let body = try call.json()
    guard let status else { throw ConsoleProblem(503, .notReady, "The gateway is stopping.") }
    let credential = try status.importCredential(body, into: workspace.id)
    return json(201) { $0.value(credential) }
  }

  /// The workspace of the path; the parameter, which every call takes, says nothing more here.
  private func namedWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> Workspace {
    var query = call.query
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    return try workspace(named: call.parameters[0])
  }

  private func write(_ workspace: Workspace, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", workspace.id.rawValue)
    writer.member("now", workspace.clock.time(at: time.now).rfc3339)
    writer.member("settings", WorkspaceSettings.values(of: workspace))
    writer.endObject()
  }
}
