package import PushpitJSON
package import PushpitModel

/// What a workspace is to be.
package struct WorkspaceWish: Sendable, Equatable {
  /// Nil for a name that the gateway makes.
  package var id: WorkspaceID?
  /// An object of settings by their names.
  package var settings: JSONValue = [:]
  /// Whether it gets a gateway port of its own.
  package var hasListener = false

  package init() {}
}

/// A workspace that was made, with what its senders need.
package struct NewWorkspace {
  package let workspace: Workspace
  /// Keys and files, whole.
  package let credentials: JSONValue

  package init(workspace: Workspace, credentials: JSONValue) {
    self.workspace = workspace
    self.credentials = credentials
  }
}

/// Makes and removes workspaces for the console; the gateway implements it.
package protocol ConsoleWorkspaces: AnyObject {
  /// Makes a workspace, and calls back on the loop when its credentials are made.
  func make(
    _ wish: WorkspaceWish, then answer: @escaping (Result<NewWorkspace, ConsoleProblem>) -> Void)
  /// Makes a workspace as it was when it was made; its credentials stay.
  func reset(_ workspace: Workspace)
  /// Settings or the clock of a workspace were changed.
  func changed(_ workspace: Workspace)
  /// Removes a workspace, which is not `default`, and all that is its own.
  func remove(_ workspace: Workspace)
  /// What vouches for its senders, and the files that they use, each with `name` and `kind`.
  func credentials(of workspace: Workspace) -> [JSONValue]
  /// Adds a credential from the body of `POST /workspaces/{id}/credentials`, and calls back on the loop
  /// with what the console answers with 201.
  func addCredential(
    _ body: JSONValue, to workspace: Workspace,
    then answer: @escaping (Result<JSONValue, ConsoleProblem>) -> Void)
  /// The file of a credential; nil when there is none of this name, or only its public half is known.
  func credentialFile(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> [UInt8]?
  /// Removes a credential; false when there is none of this name.
  func removeCredential(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> Bool
  /// Where its senders push to, and the number of its own port when it has one.
  func gateway(of workspace: WorkspaceID) -> (url: String, port: Int?)
}
