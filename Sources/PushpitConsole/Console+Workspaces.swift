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

  /// `GET /workspaces/{id}/settings`: value, default and reason of each.
  func showSettings(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let policies = try namedWorkspace(call).policies
    let defaults = Policies()
    let settings = [
      (
        "tokens", policies.tokens.rawValue, defaults.tokens.rawValue,
        "A new user's first push works without registering a device."
      ),
      (
        "auth", policies.authentication.rawValue, defaults.authentication.rawValue,
        "Credentials are checked as the vendors check them."
      ),
      (
        "wire", policies.wire.rawValue, defaults.wire.rawValue,
        "Where captures and documents differ, senders meet what was captured."
      ),
    ]
    return json { writer in
      writer.beginObject()
      for (name, value, standard, reason) in settings {
        writer.member(
          name,
          ["value": .string(value), "default": .string(standard), "reason": .string(reason)])
      }
      writer.endObject()
    }
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
    writer.member("settings", settings(workspace.policies))
    writer.endObject()
  }

  private func settings(_ policies: Policies) -> JSONValue {
    [
      "tokens": .string(policies.tokens.rawValue),
      "auth": .string(policies.authentication.rawValue),
      "wire": .string(policies.wire.rawValue),
    ]
  }
}
