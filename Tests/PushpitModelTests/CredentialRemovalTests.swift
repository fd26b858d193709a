import Testing

@testable import PushpitModel

@Suite struct CredentialRemovalTests {
  private let directory = CredentialDirectory()

  private func account(_ key: String, _ workspace: WorkspaceID) -> ServiceAccount {
    ServiceAccount(
      projectID: "p-\(workspace)", projectNumber: "1", clientEmail: "a@\(workspace)",
      privateKeyID: key,
      publicKey: [], workspace: workspace)
  }

  @Test func `the credentials of one workspace go, those of others stay`() throws {
    let ci = WorkspaceID("ci")
    for workspace in [WorkspaceID.default, ci] {
      try directory.add(
        APNsKey(keyID: "K\(workspace)", teamID: "T", publicKey: [], workspace: workspace))
      try directory.add(account("1\(workspace)", workspace))
      try directory.add(
        AuthorizedUser(
          clientID: "1-\(workspace)abcdefgh", clientSecret: "", refreshToken: "",
          account: account("1\(workspace)", workspace)))
      try directory.add(
        ExternalAccount(
          audience: "//iam/\(workspace)", subjectToken: "",
          account: account("1\(workspace)", workspace)))
    }
    let kinds = directory.entries(of: ci).map(\.kind)
    #expect(kinds == ["apnsKey", "authorizedUser", "externalAccount", "serviceAccount"])
    directory.remove { $0.workspace == ci }
    #expect(directory.entries(of: ci).isEmpty && directory.generation == 1)
    #expect(directory.entries(of: .default).count == 4)
    #expect(directory.serviceAccounts["a@ci"] == nil)
  }

  @Test func `one key of an account can go alone`() throws {
    try directory.add(account("1", .default))
    try directory.add(account("2", .default))
    let name = CredentialEntry.serviceAccount(account("1", .default)).name
    directory.remove { $0.name == name }
    #expect(directory.serviceAccounts["a@default"]?.map(\.privateKeyID) == ["2"])
  }
}
