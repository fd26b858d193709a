internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitJSON
internal import PushpitModel

/// Credentials that are added to a workspace: public halves that a user brought, and new ones.
extension WorkspaceKeeper {
  func addCredential(
    _ body: JSONValue, to workspace: Workspace,
    then answer: @escaping (Result<JSONValue, ConsoleProblem>) -> Void
  ) {
    do throws(ConsoleProblem) {
      let members = try CredentialBody.members(body)
      if let kind = members["kind"]?.stringValue.flatMap(MadeCredential.Kind.init) {
        return answer(.success(try make(kind, in: workspace)))
      }
      answer(.success(try bring(members, to: workspace)))
    } catch {
      answer(.failure(error))
    }
  }

  /// Takes a credential's public half: known at once, and for `default` kept in the state folder.
  private func bring(
    _ body: JSONObject, to workspace: Workspace
  ) throws(ConsoleProblem) -> JSONValue {
    let credential = try credential(body, into: workspace.id)
    do throws(CredentialDirectory.Conflict) {
      try credential.add(to: core.credentials)
    } catch {
      let owner =
        switch error {
        case .belongs(let workspace): workspace
        }
      throw ConsoleProblem(
        409, .conflict, "This credential is known already, in the workspace '\(owner)'.")
    }
    if workspace === core.workspaces.default {
      do throws(StateError) {
        try status.changeState { state throws(StateError) in try state.add(credential) }
      } catch {
        core.log.line(
          .warning, "credentials", "imported only until the gateway stops",
          ["reason": .text("\(error)")])
      }
    }
    changed(workspace)
    core.log.line(.info, "credentials", "imported", ["credential": .text(credential.name)])
    return ["credential": .string(credential.name), "name": .string(credential.entry.name)]
  }

  /// Makes a credential of one of Google's other kinds: good at once, its files in the state folder.
  private func make(
    _ kind: MadeCredential.Kind, in workspace: Workspace
  ) throws(ConsoleProblem) -> JSONValue {
    guard let report = status.report else {
      throw ConsoleProblem(503, .notReady, "The gateway is starting.")
    }
    guard let account = account(of: workspace) else {
      throw ConsoleProblem(
        409, .conflict, "The workspace '\(workspace.id)' has no service account to send as.")
    }
    let made = MadeCredential.make(kind, for: account)
    let port = gateway(of: workspace.id).port ?? report.gatewayPort
    do throws(StateError) {
      try status.changeState { state throws(StateError) in try state.add(made, port: port) }
    } catch {
      throw ConsoleProblem(409, .conflict, "The credential's file cannot be written: \(error).")
    }
    do throws(CredentialDirectory.Conflict) {
      try made.add(to: core.credentials)
    } catch {
      throw ConsoleProblem(409, .conflict, "The credential \(made.name) is there already.")
    }
    core.log.line(.info, "credentials", "made", ["credential": .text(made.name)])
    let state = status.state
    let folder = state.paths.made(in: workspace.id)
    let file = made.object(
      gateway: StateFolder.gatewayURL(host: state.gatewayHost, port: port), folder: folder)
    setFile(StateFiles.text(file), named: made.entry.name, of: workspace)
    var answer = JSONObject([
      "credential": .string(made.name), "name": .string(made.entry.name),
      "path": .string(made.path(in: folder)), "file": .object(file),
    ])
    if case .externalAccount(let external) = made.content {
      answer["subjectToken"] = .string(external.subjectToken)
    }
    return .object(answer)
  }

  /// The account as which a workspace's other credentials of Google's send: the one that it was made
  /// with, else one that was imported.
  private func account(of workspace: Workspace) -> ServiceAccount? {
    let accounts = core.credentials.entries(of: workspace.id).compactMap { entry in
      if case .serviceAccount(let account) = entry { account } else { nil }
    }
    return accounts.first { $0.projectID == workspace.project } ?? accounts.first
  }

  /// The body is what `pushpit credentials import` sends: kind, ids and the public key in PEM.
  private func credential(
    _ body: JSONObject, into workspace: WorkspaceID
  ) throws(ConsoleProblem) -> ImportedCredential {
    var object = body
    object["workspace"] = .string(workspace.rawValue)
    do throws(StateError) {
      return try ImportedCredential(object, of: "the body")
    } catch {
      let reason = if case .unusable(_, let reason, _) = error { reason } else { "\(error)" }
      throw .invalid([
        .init(
          .body(pointer: CredentialBody.keyPointer(body)), "Expected PEM; the credential \(reason)."
        )
      ])
    }
  }
}
