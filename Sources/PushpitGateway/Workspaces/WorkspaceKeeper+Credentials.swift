internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitFCM
internal import PushpitJSON
internal import PushpitModel

/// The credentials of workspaces: brought, made, given out and removed.
///
/// What the default workspace has is in the state folder; what others have lives as long as they do.
extension WorkspaceKeeper {
  func credentials(of workspace: Workspace) -> [JSONValue] {
    var items = core.credentials.entries(of: workspace.id).map { entry in
      entry.json(hasFile: hasFile(entry, of: workspace))
    }
    items.append(["name": .string(Self.googleServices), "kind": "googleServices", "file": true])
    items.append(["name": .string(Self.authority), "kind": "authority", "file": true])
    return items
  }

  func credentialFile(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> [UInt8]? {
    if name == Self.authority { return status.state.certificates.authority }
    if let bytes = files(of: workspace)[name] { return bytes }
    guard workspace === core.workspaces.default else { return nil }
    do throws(StateError) {
      if name == Self.googleServices {
        return try status.state.contents(of: status.state.paths.googleServices)
      }
      guard let entry = entry(named: name, of: workspace) else { return nil }
      return try status.state.file(of: entry)
    } catch {
      throw ConsoleProblem(409, .conflict, "The file cannot be read: \(error).")
    }
  }

  func removeCredential(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> Bool {
    guard let entry = entry(named: name, of: workspace) else { return false }
    if workspace === core.workspaces.default {
      do throws(StateError) {
        try status.changeState { state throws(StateError) in try state.remove(entry) }
      } catch {
        throw ConsoleProblem(409, .conflict, "The credential's file cannot be removed: \(error).")
      }
    }
    setFile(nil, named: name, of: workspace)
    core.credentials.remove { $0 == entry }
    changed(workspace)
    // What was granted for it is worth nothing from now on.
    if case .serviceAccount(let account) = entry { core.fcm.forget(account) }
    core.log.line(.info, "credentials", "removed", ["credential": .text(name)])
    return true
  }

  private static let googleServices = "google-services.json"
  private static let authority = "ca.pem"

  private func entry(named name: String, of workspace: Workspace) -> CredentialEntry? {
    core.credentials.entries(of: workspace.id).first { $0.name == name }
  }

  private func hasFile(_ entry: CredentialEntry, of workspace: Workspace) -> Bool {
    if files(of: workspace)[entry.name] != nil { return true }
    guard workspace === core.workspaces.default else { return false }
    return switch entry {
    case .apnsKey(let key): key == status.state.defaults.apnsKey
    case .serviceAccount(let account): account == status.state.defaults.serviceAccount
    case .authorizedUser, .externalAccount: true
    case .certificate: false
    }
  }
}

extension CredentialEntry {
  /// As the console lists it: enough to tell it from others, nothing that could be used.
  fileprivate func json(hasFile: Bool) -> JSONValue {
    var object = JSONObject([
      "name": .string(name), "kind": .string(kind), "file": .bool(hasFile),
    ])
    switch self {
    case .apnsKey(let key):
      object["keyID"] = .string(key.keyID)
      object["teamID"] = .string(key.teamID)
      object["environments"] = .array(key.environments.map { .string($0.rawValue) })
      object["topics"] = key.topics.map { .array($0.map { .string($0) }) } ?? .null
    case .serviceAccount(let account):
      object["projectID"] = .string(account.projectID)
      object["serviceAccount"] = .string(account.clientEmail)
      object["privateKeyID"] = .string(account.privateKeyID)
      object["mayPush"] = .bool(account.mayPush)
    case .certificate(let certificate):
      object["subject"] = .string(certificate.subject)
      object["environments"] = .array(certificate.environments.map { .string($0.rawValue) })
      object["notAfter"] = .string(certificate.notAfter.rfc3339)
    case .authorizedUser(let user):
      object["projectID"] = .string(user.account.projectID)
      object["clientID"] = .string(user.clientID)
    case .externalAccount(let external):
      object["projectID"] = .string(external.account.projectID)
      object["audience"] = .string(external.audience)
    }
    return .object(object)
  }
}
