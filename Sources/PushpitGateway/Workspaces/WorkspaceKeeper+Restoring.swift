internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork

/// Workspaces that come back after a restart.
extension WorkspaceKeeper {
  /// What of a workspace outlives a restart; nil for `default`, which is made anew, and for those that are
  /// gone.
  func image(of id: WorkspaceID) -> JSONValue? {
    guard let workspace = core.workspaces.all[id], let own = belongings[id] else { return nil }
    let credentials = own.credentials
    let brought = core.credentials.entries(of: id).compactMap(ImportedCredential.init(entry:))
      .filter {
        $0.entry != .apnsKey(credentials.apnsKey)
          && $0.entry != .serviceAccount(credentials.account)
      }
    return [
      "settings": WorkspaceSettings.values(of: workspace), "madeWith": own.madeWith,
      "clock": workspace.clock.image, "port": own.port.map { .int($0.number) } ?? .null,
      "keyID": .string(credentials.apnsKey.keyID), "teamID": .string(credentials.apnsKey.teamID),
      "apnsKey": .string(String(decoding: credentials.apnsKeyPEM, as: UTF8.self)),
      "serviceAccount": .object(credentials.accountFile),
      "googleServices": .object(credentials.googleServices),
      "imported": .array(brought.map { .object($0.object) }),
    ]
  }

  /// Makes a workspace again from its image.
  /// - Returns: False when the image cannot be read, or what it has is taken.
  func restore(_ id: WorkspaceID, from image: JSONValue) -> Bool {
    guard id.isWellFormed, let credentials = WorkspaceCredentials(image: image, workspace: id),
      let workspace = try? core.workspaces.create(id)
    else { return false }
    _ = WorkspaceSettings.change(image["madeWith"] ?? [:], of: workspace)
    workspace.settle()
    _ = WorkspaceSettings.change(image["settings"] ?? [:], of: workspace)
    workspace.clock = WorkspaceClock(image: image["clock"] ?? .null)
    do throws(CredentialDirectory.Conflict) {
      try credentials.add(to: core.credentials)
    } catch {
      core.workspaces.remove(id)
      return false
    }
    keep(credentials, of: workspace, madeWith: image["madeWith"] ?? [:], port: port(image, id))
    for object in image["imported"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
      // One that another workspace got meanwhile is that one's.
      try? ImportedCredential(object, of: "the kept credential").add(to: core.credentials)
    }
    return true
  }

  /// The port that it had, or another when that is taken.
  private func port(_ image: JSONValue, _ id: WorkspaceID) -> WorkspacePorts.Port? {
    guard let number = image["port"]?.intValue else { return nil }
    return (try? ports.open(for: id, number: number)) ?? (try? ports.open(for: id))
  }
}

extension WorkspaceCredentials {
  /// Reads those of an image.
  fileprivate init?(image: JSONValue, workspace: WorkspaceID) {
    func text(_ name: String) -> String? { image[name]?.stringValue }
    guard let keyID = text("keyID"), let teamID = text("teamID"), let pem = text("apnsKey"),
      let account = image["serviceAccount"]?.objectValue,
      let project = account["project_id"]?.stringValue,
      let accountKey = account["private_key"]?.stringValue,
      let key = try? PrivateKey(pem: Array(pem.utf8)),
      let rsa = try? PrivateKey(pem: Array(accountKey.utf8))
    else { return nil }
    self.init(
      apnsKey: APNsKey(
        keyID: keyID, teamID: teamID, publicKey: key.publicKey.spki, workspace: workspace),
      apnsKeyPEM: Array(pem.utf8),
      account: ServiceAccount(
        projectID: project, projectNumber: ProjectNumber.standard(of: project),
        clientEmail: account["client_email"]?.stringValue ?? "",
        privateKeyID: account["private_key_id"]?.stringValue ?? "",
        publicKey: rsa.publicKey.spki, workspace: workspace),
      accountFile: account, googleServices: image["googleServices"]?.objectValue ?? JSONObject())
  }
}

extension ImportedCredential {
  /// The public half of a credential; nil for the kinds that are made only.
  fileprivate init?(entry: CredentialEntry) {
    switch entry {
    case .apnsKey(let key): self = .apnsKey(key)
    case .serviceAccount(let account): self = .serviceAccount(account)
    case .certificate(let certificate): self = .certificate(certificate)
    case .authorizedUser, .externalAccount: return nil
    }
  }
}
