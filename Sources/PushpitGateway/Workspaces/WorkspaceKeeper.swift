internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitDevices
internal import PushpitFCM
internal import PushpitHTTP
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork
internal import PushpitRecording

/// Makes workspaces with credentials of their own, resets them, and removes them with all that is theirs.
///
/// Owned by the loop.
final class WorkspaceKeeper: ConsoleWorkspaces {
  /// What a workspace has that was made here; `default` has none of it.
  struct Belongings {
    let credentials: WorkspaceCredentials
    /// The settings that it was made with.
    let madeWith: JSONValue
    /// The port of its own; nil when it has none.
    let port: WorkspacePorts.Port?
    /// Files of its credentials, by name.
    var files: [String: [UInt8]]
  }

  let core: GatewayCore
  let ports: WorkspacePorts
  let keys: KeyPool
  /// Certificates, and the files of the default workspace.
  unowned let status: GatewayStatus
  /// Keeps workspaces over restarts; nil where nothing is kept.
  var data: DataKeeper?
  private(set) var belongings: [WorkspaceID: Belongings] = [:]

  init(core: GatewayCore, ports: WorkspacePorts, keys: KeyPool, status: GatewayStatus) {
    self.core = core
    self.ports = ports
    self.keys = keys
    self.status = status
  }

  func make(
    _ wish: WorkspaceWish, then answer: @escaping (Result<NewWorkspace, ConsoleProblem>) -> Void
  ) {
    do throws(ConsoleProblem) {
      let workspace = try create(wish)
      keys.take { [weak self] key in
        guard let self else { return }
        do throws(ConsoleProblem) {
          answer(.success(try equip(workspace, key, hasPort: wish.hasListener)))
        } catch {
          remove(workspace)
          answer(.failure(error))
        }
      }
    } catch {
      answer(.failure(error))
    }
  }

  func changed(_ workspace: Workspace) {
    let isDefault = workspace === core.workspaces.default
    data?.changed(isDefault ? .clock : .workspace, workspace.id.rawValue)
  }

  func reset(_ workspace: Workspace) {
    clear(workspace)
    workspace.reset()
    changed(workspace)
    guard workspace === core.workspaces.default else { return }
    for problem in core.declareDevices() {
      core.log.line(.warning, "devices", "not declared again", ["reason": .text(problem)])
    }
  }

  func remove(_ workspace: Workspace) {
    let id = workspace.id
    if let port = belongings.removeValue(forKey: id)?.port { ports.close(port) }
    clear(workspace)
    core.credentials.remove { $0.workspace == id }
    status.state.storage.removeFolder(status.state.paths.made(in: id))
    core.workspaces.remove(id)
    changed(workspace)
    core.log.line(.info, "workspaces", "removed", ["workspace": .text(id.rawValue)])
  }

  func gateway(of workspace: WorkspaceID) -> (url: String, port: Int?) {
    guard let port = belongings[workspace]?.port?.number, let report = status.report else {
      return (status.gatewayURL, nil)
    }
    return (report.gatewayURL(port: port), port)
  }

  /// The files of a workspace's credentials that are not in the state folder, by name.
  func files(of workspace: Workspace) -> [String: [UInt8]] {
    belongings[workspace.id]?.files ?? [:]
  }

  /// Keeps the file of a credential as long as its workspace lives; nil to let go of it.
  func setFile(_ bytes: [UInt8]?, named name: String, of workspace: Workspace) {
    belongings[workspace.id]?.files[name] = bytes
  }

  /// Forgets what has come to a workspace: devices, envelopes, tokens, and what was granted.
  private func clear(_ workspace: Workspace) {
    core.devices.removeAll(in: workspace.id)
    core.tokens.removeUndeclared(of: workspace.id)
    core.store.remove(EnvelopeQuery(workspace: workspace.id))
    core.apns.forget(workspace.id)
    core.fcm.forget(workspace.id)
  }

  private func create(_ wish: WorkspaceWish) throws(ConsoleProblem) -> Workspace {
    let id = wish.id ?? freeID()
    let workspace: Workspace
    do throws(WorkspaceDirectory.Refusal) {
      workspace = try core.workspaces.create(id)
    } catch {
      switch error {
      case .exists:
        throw ConsoleProblem(409, .conflict, "There is a workspace \"\(id)\" already.")
      case .tooMany(let limit):
        throw ConsoleProblem(429, .tooMany, "There are \(limit) workspaces, the limit.")
      }
    }
    let problems = WorkspaceSettings.change(wish.settings, of: workspace)
    guard problems.isEmpty else {
      core.workspaces.remove(id)
      throw .invalid(
        problems.map { .init(.body(pointer: "/settings" + $0.pointer), $0.detail) })
    }
    workspace.settle()
    return workspace
  }

  private func freeID() -> WorkspaceID {
    while true {
      let id = WorkspaceID("ws-" + core.random.hex(8))
      if core.workspaces.all[id] == nil { return id }
    }
  }

  /// Gives a new workspace its credentials and its port.
  private func equip(
    _ workspace: Workspace, _ key: Result<RSAKeyPair, CryptoError>, hasPort: Bool
  ) throws(ConsoleProblem) -> NewWorkspace {
    guard core.workspaces.all[workspace.id] === workspace else {
      throw ConsoleProblem(409, .conflict, "The workspace was removed while it was made.")
    }
    let port = hasPort ? try openPort(for: workspace.id) : nil
    let credentials: WorkspaceCredentials
    do throws(ConsoleProblem) {
      credentials = try self.credentials(for: workspace.id, key, port: port?.number)
    } catch {
      if let port { ports.close(port) }
      throw error
    }
    keep(
      credentials, of: workspace, madeWith: WorkspaceSettings.values(of: workspace), port: port)
    data?.changed(.workspace, workspace.id.rawValue)
    core.log.line(.info, "workspaces", "made", ["workspace": .text(workspace.id.rawValue)])
    return NewWorkspace(
      workspace: workspace,
      credentials: credentials.json(authority: status.state.certificates.authority))
  }

  /// Makes credentials and port a workspace's.
  func keep(
    _ credentials: WorkspaceCredentials, of workspace: Workspace, madeWith: JSONValue,
    port: WorkspacePorts.Port?
  ) {
    workspace.project = credentials.account.projectID
    belongings[workspace.id] = Belongings(
      credentials: credentials, madeWith: madeWith, port: port, files: credentials.files)
  }

  private func openPort(for id: WorkspaceID) throws(ConsoleProblem) -> WorkspacePorts.Port {
    do throws(NetworkError) {
      return try ports.open(for: id)
    } catch {
      throw ConsoleProblem(503, .notReady, "No port can be opened: \(error).")
    }
  }

  private func credentials(
    for id: WorkspaceID, _ key: Result<RSAKeyPair, CryptoError>, port: Int?
  ) throws(ConsoleProblem) -> WorkspaceCredentials {
    let projectID = WorkspaceCredentials.projectID(for: id) {
      core.credentials.serviceAccount(project: $0) != nil
    }
    let port = port ?? status.report?.gatewayPort ?? StateFolder.defaultPort
    let credentials: WorkspaceCredentials
    do {
      credentials = try WorkspaceCredentials.make(
        for: id, projectID: projectID, key: key.get(), tokenURI: status.state.tokenURI(port: port))
    } catch {
      throw ConsoleProblem(503, .notReady, "The keys cannot be made: \(error).")
    }
    do throws(CredentialDirectory.Conflict) {
      try credentials.add(to: core.credentials)
    } catch {
      throw ConsoleProblem(409, .conflict, "The credentials are known already; try again.")
    }
    return credentials
  }
}
