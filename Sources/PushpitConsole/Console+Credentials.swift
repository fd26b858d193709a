internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// The credentials of workspaces.
extension Console {
  /// `GET /workspaces/{id}/credentials`: what vouches for its senders, and the files that they use.
  func listCredentials(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let items = try keeper().credentials(of: workspace)
    return json { writer in
      writer.beginObject()
      writer.member("items", .array(items))
      writer.memberOrNull("next", String?.none)
      writer.member("total", items.count)
      writer.member("evicted", 0)
      writer.endObject()
    }
  }

  /// `POST /workspaces/{id}/credentials`: takes the public half of one, or makes one.
  func addCredential(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let body = try call.json()
    let answer = PendingAnswer()
    try keeper().addCredential(body, to: workspace) { result in
      switch result {
      case .success(let made):
        answer.give(
          Response(
            status: 201, fields: FieldList(["content-type": "application/json"]),
            body: made.serialized()))
      case .failure(let problem): answer.give(problem.response)
      }
    }
    return .later(answer)
  }

  /// `GET /workspaces/{id}/credentials/{name}`: the file of a credential as senders use it.
  func showCredential(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let name = call.parameters[1]
    guard let bytes = try keeper().credentialFile(named: name, of: workspace) else {
      throw Self.noCredential(name, workspace)
    }
    let type =
      name.hasSuffix(".json")
      ? "application/json"
      : name.hasSuffix(".p12") ? "application/x-pkcs12" : "application/x-pem-file"
    var response = Response(fields: FieldList(["content-type": type]), body: bytes)
    response.head.fields.append("content-disposition", "attachment".utf8)
    return .response(response)
  }

  /// `DELETE /workspaces/{id}/credentials/{name}`.
  func removeCredential(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try namedWorkspace(call)
    let name = call.parameters[1]
    guard try keeper().removeCredential(named: name, of: workspace) else {
      throw Self.noCredential(name, workspace)
    }
    return noContent
  }

  private static func noCredential(_ name: String, _ workspace: Workspace) -> ConsoleProblem {
    ConsoleProblem(
      404, .notFound, "The workspace \(workspace.id) has no credential \"\(name)\" to give out.")
  }
}
