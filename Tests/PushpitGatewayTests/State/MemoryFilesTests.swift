import PushpitCrypto
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// States that are kept in memory.
@Suite struct MemoryFilesTests {
  private func makeState() throws -> StateFolder {
    try StateFolder.inMemory(hosts: [], time: SystemTime())
  }

  @Test func `a state in memory has all that one on the disk has`() throws {
    let state = try makeState()
    let disk = try TemporaryState.current(of: "gateway")
    let folder = try StateFolder.open(path: disk.path, hosts: [], time: SystemTime())
    let paths: [KeyPath<StatePaths, String>] = [
      \.state, \.authority, \.authorityKey, \.authorityBundle, \.server, \.serverKey,
      \.providerAuthority, \.providerAuthorityKey, \.credentials, \.serviceAccount,
      \.googleServices,
    ]
    for path in paths {
      #expect(try !folder.contents(of: folder.paths[keyPath: path]).isEmpty)
      #expect(try !state.contents(of: state.paths[keyPath: path]).isEmpty)
    }
    let key = state.paths.apnsKey(state.defaults.apnsKey.keyID)
    #expect(try PrivateKey(pem: state.contents(of: key)).publicKey.kind == .p256)
  }

  @Test func `states in memory share one RSA key and nothing else`() throws {
    let (one, other) = (try makeState(), try makeState())
    #expect(one.certificates.authority != other.certificates.authority)
    #expect(one.defaults.apnsKey.publicKey != other.defaults.apnsKey.publicKey)
    let accounts = (one.defaults.serviceAccount, other.defaults.serviceAccount)
    #expect(accounts.0.publicKey == accounts.1.publicKey)
    #expect(accounts.0.clientEmail != accounts.1.clientEmail)
    #expect(accounts.0.privateKeyID != accounts.1.privateKeyID)
  }

  @Test func `a token endpoint and made credentials are kept, and nothing touches the disk`() throws
  {
    var state = try makeState()
    try state.setTokenEndpoint(port: 4242)
    let text = try state.contents(of: state.paths.serviceAccount)
    #expect(try JSONReader.parse(text)["token_uri"]?.stringValue == "https://localhost:4242/token")
    let made = MadeCredential.make(.authorizedUser, for: state.defaults.serviceAccount)
    try state.add(made, port: 4242)
    #expect(try !state.contents(of: made.path(in: state.paths.made)).isEmpty)
    #expect(FileSystem.exists(state.paths.folder) == false)
    #expect(throws: StateError.self) { try state.contents(of: "\(state.paths.folder)/none") }
  }

  @Test func `a copy on the disk is a state folder, and goes with its folder`() throws {
    var state = try makeState()
    try state.add(
      MadeCredential.make(.externalAccount, for: state.defaults.serviceAccount), port: 4242)
    let folder = try FileSystem.makeTemporaryFolder("pushpit-copy")
    let paths = try state.copy(to: folder, port: 4242)
    let opened = try StateFolder.open(path: folder, hosts: [], time: SystemTime())
    #expect(opened.certificates == state.certificates && opened.defaults == state.defaults)
    #expect(paths == opened.paths)
    #expect(opened.made == state.made)
    FileSystem.removeFolder(folder)
    #expect(FileSystem.exists(folder) == false)
  }
}
