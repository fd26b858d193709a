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
  private var state: StateFolder

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
    core.ledger.entries.first { $0.facts.id == id }
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
          + "or kind certificate with certificate (PEM).")
    }
  }
}
