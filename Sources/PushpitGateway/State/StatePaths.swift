internal import PushpitModel

/// The absolute paths of a state folder's files.
package struct StatePaths: Sendable, Equatable {
  /// The folder itself, without a slash at its end.
  package let folder: String

  init(folder: String) {
    self.folder = folder
  }

  package var state: String { "\(folder)/state.json" }
  package var authority: String { "\(folder)/ca.pem" }
  package var authorityKey: String { "\(folder)/ca.key" }
  /// The system's authorities and ours, for variables that replace the trust store.
  package var authorityBundle: String { "\(folder)/ca-bundle.pem" }
  package var server: String { "\(folder)/server.pem" }
  package var serverKey: String { "\(folder)/server.key" }
  package var providerAuthority: String { "\(folder)/provider-ca.pem" }
  package var providerAuthorityKey: String { "\(folder)/provider-ca.key" }
  /// The identifiers of the default workspace's credentials.
  package var credentials: String { "\(folder)/credentials.json" }
  package var serviceAccount: String { "\(folder)/service-account.json" }
  package var googleServices: String { "\(folder)/google-services.json" }
  package var workspaces: String { "\(folder)/workspaces" }
  /// The public halves of the credentials that users brought.
  package var imported: String { "\(folder)/imported" }
  /// The credentials of Google's other kinds that were made on request.
  package var made: String { "\(folder)/made" }
  /// Where the files of a workspace's credentials are that were made on request.
  func made(in workspace: WorkspaceID) -> String {
    workspace == .default ? made : "\(workspaces)/\(workspace.rawValue)"
  }
  package var lock: String { "\(folder)/.lock" }

  /// The private key of a provider token.
  package func apnsKey(_ keyID: String) -> String { "\(folder)/AuthKey_\(keyID).p8" }
}
