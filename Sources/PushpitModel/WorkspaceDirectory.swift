/// All workspaces by name, of which `default` always exists.
package final class WorkspaceDirectory {
  /// Why a workspace was not made.
  package enum Refusal: Error, Equatable {
    /// There is one of this name.
    case exists
    /// There are as many as there can be.
    case tooMany(limit: Int)
  }

  /// At most this many workspaces exist, `default` among them.
  package static let limit = 1_000

  package let `default`: Workspace
  package private(set) var all: [WorkspaceID: Workspace]
  private let policies: Policies

  /// Makes the directory with its `default`; workspaces that are made later begin with the same policies.
  package init(policies: Policies = Policies()) {
    self.policies = policies
    `default` = Workspace(id: .default, policies: policies)
    all = [.default: `default`]
  }

  /// The workspace of this name, or `default`.
  package subscript(id: WorkspaceID) -> Workspace {
    id == .default ? `default` : all[id] ?? `default`
  }

  /// The clock of this workspace, or of `default`.
  package func clock(of id: WorkspaceID) -> WorkspaceClock {
    id == .default ? `default`.clock : self[id].clock
  }

  /// Makes a workspace; its name must be well-formed.
  package func create(_ id: WorkspaceID) throws(Refusal) -> Workspace {
    guard all[id] == nil else { throw .exists }
    guard all.count < Self.limit else { throw .tooMany(limit: Self.limit) }
    let workspace = Workspace(id: id, policies: policies)
    all[id] = workspace
    return workspace
  }

  /// Forgets a workspace; `default` stays.
  package func remove(_ id: WorkspaceID) {
    if id != .default { all[id] = nil }
  }
}
