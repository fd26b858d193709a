/// A token of a project as the key of a dictionary, its bytes hashed in one go.
struct ProjectToken: Hashable {
  let project: String
  let token: [UInt8]

  init(_ project: String, _ token: [UInt8]) {
    self.project = project
    self.token = token
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(project)
    token.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension TokenRecord {
  /// The project under which the topics and groups of a token are kept: its own, else the sender's.
  ///
  /// A device whose tokens any project may send to has none, and the same topics for all of them.
  package func topicProject(of sender: String) -> String { isDeclared ? project ?? "" : sender }
}
