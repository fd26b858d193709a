import PushpitCrypto
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct ServiceAccountMakerTests {
  private let state: TemporaryState
  private let folder: StateFolder

  init() throws {
    state = try TemporaryState.made()
    folder = try state.open()
  }

  private func make(
    project: String? = nil, number: String? = nil, tokenURI: String? = nil, mayPush: Bool = true,
    path: String? = nil
  ) throws -> (file: JSONValue, account: ServiceAccount, path: String) {
    let made = try ServiceAccountMaker(folder).make(
      project: project, projectNumber: number, tokenURI: tokenURI, mayPush: mayPush, path: path,
      workspace: .default)
    guard case .serviceAccount(let account) = made.credential else {
      throw ConfigurationProblem()
    }
    return (try JSONReader.parse(FileSystem.contents(of: made.path)), account, made.path)
  }

  private struct ConfigurationProblem: Error {}

  @Test func `an account of the gateway's project has a file and a key of its own`() throws {
    let made = try make(mayPush: false)
    let own = folder.defaults.serviceAccount
    #expect(made.file["type"] == "service_account")
    #expect(made.file["project_id"]?.stringValue == own.projectID)
    #expect(made.file["client_email"]?.stringValue == made.account.clientEmail)
    #expect(made.file["token_uri"] == "https://localhost:2197/token")
    let pem = Array((made.file["private_key"]?.stringValue ?? "").utf8)
    #expect(try PrivateKey(pem: pem).publicKey.spki == made.account.publicKey)
    #expect(made.account.clientEmail != own.clientEmail)
    #expect(made.account.publicKey != own.publicKey)
    #expect(made.account.projectNumber == own.projectNumber)
    #expect(!made.account.mayPush)
    let name = made.account.clientEmail.prefix { $0 != "@" }
    #expect(made.path == "\(folder.paths.folder)/service-account-\(name).json")
    #expect(try state.mode("service-account-\(name).json") == 0o600)
  }

  @Test func `an account of another project has its number, or one made from its ID`() throws {
    let made = try make(
      project: "other-project", number: "42", tokenURI: "https://pushpit:1/token",
      path: "\(state.path)/other.json")
    #expect(made.account.projectID == "other-project" && made.account.projectNumber == "42")
    #expect(made.account.mayPush)
    #expect(made.file["token_uri"] == "https://pushpit:1/token")
    #expect(made.path == "\(state.path)/other.json")
    let second = try make(project: "other-project").account
    // Computed with another SHA-256.
    #expect(second.projectNumber == "415445544940")
    #expect(second.projectNumber != folder.defaults.serviceAccount.projectNumber)
  }

  @Test func `accounts of a project agree on its number, made here or imported`() throws {
    let made = try make(project: "other-project").account
    for project in ["other-project", "third-project"] {
      let object = try ServiceAccountMaker.object(
        project: project, tokenURI: "https://pushpit:1/token", keyPEM: PrivateKey.generateRSA().pem)
      let file = CredentialFile(name: "a.json", bytes: JSONValue.object(object).serialized())
      guard case .serviceAccount(let imported) = try file.credential(CredentialFile.Options())
      else { throw ConfigurationProblem() }
      #expect((imported.projectNumber == made.projectNumber) == (project == "other-project"))
    }
    // Of the gateway's own project too, in every new state folder.
    let fresh = TemporaryState()
    #expect(try fresh.open().defaults.serviceAccount.projectNumber == "201954567442")
  }

  @Test func `a file that is there is not overwritten`() throws {
    let path = "\(state.path)/other.json"
    _ = try make(path: path)
    let before = try FileSystem.contents(of: path)
    #expect(throws: StateError.self) { try make(path: path) }
    #expect(try FileSystem.contents(of: path) == before)
  }
}
