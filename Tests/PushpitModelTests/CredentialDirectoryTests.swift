import PushpitModel
import Testing

@Suite struct CredentialDirectoryTests {
  private func account(_ key: String, workspace: WorkspaceID = .default) -> ServiceAccount {
    ServiceAccount(
      projectID: "demo", projectNumber: "42", clientEmail: "a@demo", privateKeyID: key,
      publicKey: [], workspace: workspace)
  }

  @Test func `a second import of a key names the workspace it belongs to`() throws {
    let directory = CredentialDirectory()
    let key = APNsKey(
      keyID: "ABCDEFGHIJ", teamID: "TEAM000000", publicKey: [1], workspace: WorkspaceID("one"))
    try directory.add(key)
    #expect(throws: CredentialDirectory.Conflict.belongs(to: WorkspaceID("one"))) {
      try directory.add(key)
    }
  }

  @Test func `a certificate is known by its public key, whatever else it says`() throws {
    func certificate(_ userID: String, key: UInt8, workspace: String) -> ProviderCertificate {
      ProviderCertificate(
        subject: "UID=\(userID)", userID: userID, topics: [], environments: [.sandbox],
        publicKey: [key], notBefore: Timestamp(milliseconds: 0),
        notAfter: Timestamp(milliseconds: 1), der: [], fingerprint: "",
        workspace: WorkspaceID(workspace))
    }
    let directory = CredentialDirectory()
    try directory.add(certificate("a", key: 1, workspace: "one"))
    try directory.add(certificate("a", key: 2, workspace: "two"))
    #expect(throws: CredentialDirectory.Conflict.belongs(to: WorkspaceID("one"))) {
      try directory.add(certificate("b", key: 1, workspace: "two"))
    }
    #expect(directory.providerCertificates[[2]]?.workspace == WorkspaceID("two"))
    #expect(directory.providerCertificates[[3]] == nil)
  }

  @Test func `an account may have several keys, all in one workspace`() throws {
    let directory = CredentialDirectory()
    try directory.add(account("k1"))
    try directory.add(account("k2"))
    #expect(throws: CredentialDirectory.Conflict.belongs(to: .default)) {
      try directory.add(account("k1"))
    }
    #expect(throws: CredentialDirectory.Conflict.belongs(to: .default)) {
      try directory.add(account("k3", workspace: WorkspaceID("two")))
    }
  }

  @Test(arguments: ["demo", "42"])
  func `a project is found by its id and by its number`(project: String) throws {
    let directory = CredentialDirectory()
    try directory.add(account("k1"))
    #expect(directory.serviceAccount(project: project)?.clientEmail == "a@demo")
    #expect(directory.serviceAccount(project: "other") == nil)
  }

  @Test(arguments: ["demo", "42"])
  func `a project's names are its ID and its number`(project: String) throws {
    let directory = CredentialDirectory()
    #expect(directory.names(ofProject: project) == [project])
    try directory.add(account("k1"))
    #expect(directory.names(ofProject: project) == ["demo", "42"])
    #expect(directory.names(ofProject: "other") == ["other"])
  }
}
