import Foundation
import PushpitCrypto
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct ImportedCredentialTests {
  private let state: TemporaryState

  init() throws {
    state = try TemporaryState.made()
  }

  private func keyFile(_ name: String = "AuthKey_ABCDE12345.p8") throws -> CredentialFile {
    CredentialFile(name: name, bytes: try PrivateKey.generateP256().pem)
  }

  private func options(_ change: (inout CredentialFile.Options) -> Void = { _ in })
    -> CredentialFile.Options
  {
    var options = CredentialFile.Options()
    options.teamID = "TEAM123456"
    change(&options)
    return options
  }

  @Test func `an APNs key is imported, and only its public half is kept`() throws {
    var folder = try state.open()
    let file = try keyFile()
    let credential = try file.credential(
      options {
        $0.topics = ["com.example.app"]
        $0.environments = [.sandbox]
        $0.relatedKeyID = "RELATED123"
        $0.workspace = WorkspaceID("other")
      })
    try folder.add(credential)
    let again = try state.open()
    #expect(again == folder)
    let key = try #require(again.apnsKeys.last)
    #expect(key.keyID == "ABCDE12345" && key.teamID == "TEAM123456")
    #expect(key.topics == ["com.example.app"] && key.environments == [.sandbox])
    #expect(key.relatedKeyID == "RELATED123" && key.workspace == WorkspaceID("other"))
    #expect(key.publicKey == (try PrivateKey(pem: file.bytes).publicKey.spki))
    let kept = try state.read("imported/apns-key-ABCDE12345.json")
    #expect(!String(decoding: kept, as: UTF8.self).contains("PRIVATE"))
    #expect(try state.mode("imported/apns-key-ABCDE12345.json") == 0o600)
  }

  @Test func `a service account is imported`() throws {
    var folder = try state.open()
    let other = TemporaryState()
    let account = try other.open().serviceAccounts[0]
    let file = try CredentialFile(path: "\(other.path)/service-account.json")
    try folder.add(try file.credential(options { $0.projectNumber = "123456789012" }))
    let imported = try #require(try state.open().serviceAccounts.last)
    #expect(imported.clientEmail == account.clientEmail)
    #expect(imported.publicKey == account.publicKey)
    #expect(imported.projectNumber == "123456789012" && imported.mayPush)
    let known = #expect(throws: StateError.self) { try folder.add(file.credential(options())) }
    #expect(known?.description.hasSuffix("is known already, in the workspace 'default'") == true)
  }

  @Test func `a key ID that is known is refused, also that of the gateway's own key`() throws {
    var folder = try state.open()
    try folder.add(keyFile().credential(options { $0.workspace = WorkspaceID("first") }))
    let error = #expect(throws: StateError.self) {
      try folder.add(keyFile().credential(options()))
    }
    #expect(
      error?.description == "the APNs key ABCDE12345 is known already, in the workspace 'first'")
    let own = folder.defaults.apnsKey.keyID
    #expect(throws: StateError.self) {
      try folder.add(keyFile("AuthKey_\(own).p8").credential(options()))
    }
    #expect(try state.open().imported.count == 1)
  }

  @Test func `a folder opened before another process imported sees the conflict`() throws {
    var first = try state.open()
    var second = try state.open()
    try first.add(keyFile().credential(options()))
    #expect(throws: StateError.self) { try second.add(keyFile().credential(options())) }
    #expect(second.apnsKeys.count == 2)
  }

  @Test func `what is missing to import a key is said`() throws {
    func problem(_ file: CredentialFile, _ options: CredentialFile.Options) -> String? {
      #expect(throws: CredentialFile.Failure.self) { try file.credential(options) }?.description
    }
    #expect(
      problem(try keyFile("key.p8"), options())
        == "cannot import key.p8: its name is not AuthKey_<KEYID>.p8; say --key-id")
    #expect(
      problem(try keyFile(), options { $0.teamID = nil })
        == "cannot import AuthKey_ABCDE12345.p8: an APNs key needs --team")
    #expect(
      problem(try keyFile(), options { $0.keyID = "abc" })
        == "cannot import AuthKey_ABCDE12345.p8: "
        + "--key-id 'abc' is not ten capital letters and digits")
    let rsa = CredentialFile(name: "a.p8", bytes: try PrivateKey.generateRSA().pem)
    #expect(
      problem(rsa, options()) == "cannot import a.p8: it is not a P-256 key, as Apple's are")
    #expect(
      problem(CredentialFile(name: "a.p8", bytes: Array("x".utf8)), options())?
        .hasPrefix("cannot import a.p8: read the private key: ") == true)
    #expect(
      problem(CredentialFile(name: "a.json", bytes: Array("{}".utf8)), options())
        == "cannot import a.json: its 'type' is not 'service_account'")
  }

  @Test func `a damaged imported file is named`() throws {
    var folder = try state.open()
    try folder.add(keyFile().credential(options()))
    try state.write("imported/apns-key-ABCDE12345.json", "{}")
    #expect(state.problem()?.hasPrefix("imported/apns-key-ABCDE12345.json is damaged (") == true)
  }
}
