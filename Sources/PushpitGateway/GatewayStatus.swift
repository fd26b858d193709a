internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// What the console shows of the gateway, and what it may ask of it.
final class GatewayStatus: ConsoleStatus {
  var isReady = false
  var report: ReadyReport?
  private let core: GatewayCore
  private let server: HTTPServer
  private(set) var state: StateFolder

  init(core: GatewayCore, server: HTTPServer, state: StateFolder) {
    self.core = core
    self.server = server
    self.state = state
  }

  var gatewayURL: String { report?.gatewayURL ?? "" }
  var version: String { Gateway.version }
  var connections: [ConnectionEntry] { core.ledger.entries }
  var providerKeys: [ProviderKeyEntry] {
    core.apns.mints.keys.map { key in
      ProviderKeyEntry(
        keyID: key.keyID, teamID: key.teamID, workspace: key.workspace, tokenCount: key.count,
        recentTokenCount: key.recentCount, recentConnectionCount: key.recentConnectionCount,
        lastAt: key.lastAt, diagnosis: key.diagnosis)
    }
  }
  var forgottenConnectionCount: UInt64 { core.ledger.forgottenCount }
  var openConnectionCount: Int { server.statistics.openCount }
  var acceptedConnectionCount: UInt64 { UInt64(server.statistics.acceptedCount) }

  func connection(_ id: UInt64) -> ConnectionEntry? {
    core.ledger.entry(id)
  }

  /// Where it listens and where its files are, for the commands.
  var gateway: JSONValue {
    guard let report, let value = try? JSONReader.parse(report.json) else { return .null }
    return value
  }

  /// Imports a credential's public half: known at once, and kept in the state folder.
  func importCredential(
    _ body: JSONValue, into workspace: WorkspaceID
  ) throws(ConsoleProblem) -> JSONValue {
    if let kind = body["kind"]?.stringValue.flatMap(MadeCredential.Kind.init) {
      return try makeCredential(kind, in: workspace)
    }
    let credential = try credential(body, into: workspace)
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
    do throws(StateError) {
      try state.add(credential)
    } catch {
      core.log.line(
        .warning, "credentials", "imported only until the gateway stops",
        ["reason": .text("\(error)")])
    }
    core.log.line(
      .info, "credentials", "imported", ["credential": .text(credential.name)])
    return .object(JSONObject(["credential": .string(credential.name)]))
  }

  /// Makes a credential of one of Google's other kinds: good at once, its file in the state folder.
  private func makeCredential(
    _ kind: MadeCredential.Kind, in workspace: WorkspaceID
  ) throws(ConsoleProblem) -> JSONValue {
    guard let report else { throw ConsoleProblem(503, .notReady, "The gateway is starting.") }
    let made: MadeCredential?
    do throws(StateError) {
      made = try state.make(kind, workspace: workspace, port: report.gatewayPort)
    } catch {
      throw ConsoleProblem(409, .conflict, "The credential's file cannot be written: \(error).")
    }
    guard let made else {
      throw ConsoleProblem(
        409, .conflict, "The workspace '\(workspace)' has no service account to send as.")
    }
    do throws(CredentialDirectory.Conflict) {
      try made.add(to: core.credentials)
    } catch {
      throw ConsoleProblem(409, .conflict, "The credential \(made.name) is there already.")
    }
    core.log.line(.info, "credentials", "made", ["credential": .text(made.name)])
    let folder = state.paths.made
    let gateway = StateFolder.gatewayURL(host: state.gatewayHost, port: report.gatewayPort)
    var answer = JSONObject([
      "credential": .string(made.name), "path": .string(made.path(in: folder)),
      "file": .object(made.object(gateway: gateway, folder: folder)),
    ])
    if case .externalAccount(let external) = made.content {
      answer["subjectToken"] = .string(external.subjectToken)
    }
    return .object(answer)
  }

  /// The body is what `pushpit credentials import` sends: kind, ids and the public key in PEM.
  private func credential(_ body: JSONValue, into workspace: WorkspaceID) throws(ConsoleProblem)
    -> ImportedCredential
  {
    guard var object = body.objectValue else {
      throw ConsoleProblem(400, .badRequest, "A credential is a JSON object.")
    }
    object["workspace"] = .string(workspace.rawValue)
    do throws(StateError) {
      return try ImportedCredential(object, of: "the body")
    } catch {
      let reason = if case .unusable(_, let reason, _) = error { reason } else { "\(error)" }
      throw ConsoleProblem(
        400, .badRequest,
        "The body \(reason). Give kind apnsKey with keyID, teamID and publicKey (PEM), kind "
          + "serviceAccount with projectID, projectNumber, clientEmail, privateKeyID and publicKey, "
          + "or kind certificate with certificate (PEM); or only kind authorizedUser or "
          + "externalAccount, which are made here.")
    }
  }
}
