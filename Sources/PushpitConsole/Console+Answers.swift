internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

extension Console {
  /// An answer of JSON.
  func json(
    _ status: Int = 200, _ write: (inout JSONWriter) -> Void
  ) -> ConsoleAnswer {
    var writer = JSONWriter(style: .compact)
    write(&writer)
    return .response(
      Response(
        status: status, fields: FieldList(["content-type": "application/json"]), body: writer.bytes)
    )
  }

  /// An answer of text.
  func text(_ status: Int = 200, type: String, _ text: String) -> ConsoleAnswer {
    .response(
      Response(status: status, fields: FieldList(["content-type": type]), body: Array(text.utf8)))
  }

  /// The answer to what leaves nothing to say.
  var noContent: ConsoleAnswer { .response(Response(status: 204)) }

  /// The workspace of a call, by default `default`.
  ///
  /// Nil means all, `*`, where a call allows that.
  func workspace(
    _ query: inout QueryReader, allowsAll: Bool
  ) throws(ConsoleProblem) -> WorkspaceID? {
    guard let name = query.text("workspace"), !name.isEmpty else { return .default }
    if name == "*" {
      if !allowsAll {
        query.report("workspace", "The parameter workspace can be * only where a call reads.")
      }
      return nil
    }
    return try workspace(named: name).id
  }

  /// A workspace by name.
  func workspace(named name: String) throws(ConsoleProblem) -> Workspace {
    guard let workspace = workspaces.all[WorkspaceID(name)] else {
      throw ConsoleProblem(404, .unknownWorkspace, "There is no workspace \"\(name)\".")
    }
    return workspace
  }

  /// The time of a workspace, or real time.
  func now(in workspace: WorkspaceID? = nil) -> Timestamp {
    workspace.map { workspaces[$0].clock.time(at: time.now) } ?? time.now
  }
}
