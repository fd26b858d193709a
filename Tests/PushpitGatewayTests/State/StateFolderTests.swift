import Foundation
import PushpitCrypto
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct StateFolderTests {
  private let state = TemporaryState()

  @Test func `a first start makes every file of the folder`() throws {
    let folder = try state.open()
    let keyID = folder.defaults.apnsKey.keyID
    #expect(
      try state.contents().keys.sorted() == [
        ".lock", "AuthKey_\(keyID).p8", "ca-bundle.pem", "ca.key", "ca.pem", "credentials.json",
        "google-services.json", "provider-ca.key", "provider-ca.pem", "server.key", "server.pem",
        "service-account.json", "state.json",
      ])
    #expect(FileManager.default.fileExists(atPath: folder.paths.workspaces))
    let version = try JSONReader.parse(try state.read("state.json"))
    #expect(version == ["version": 1])
    #expect(folder.paths.folder == state.path)
  }

  @Test func `private files are their owner's only, and so is the folder`() throws {
    let keyID = try state.open().defaults.apnsKey.keyID
    for name in [
      "ca.key", "server.key", "provider-ca.key", "AuthKey_\(keyID).p8", "service-account.json",
      "credentials.json", "google-services.json",
    ] {
      #expect(try state.mode(name) == 0o600, "\(name)")
    }
    for name in ["ca.pem", "server.pem", "ca-bundle.pem", "provider-ca.pem"] {
      #expect(try state.mode(name) & 0o444 == 0o444, "\(name)")
    }
    #expect(try state.mode("") == 0o700 && state.mode("workspaces") == 0o700)
  }

  @Test func `a later start reuses everything and writes nothing`() throws {
    let first = try state.open(hosts: ["pushpit", "10.1.2.3"])
    let before = try state.contents()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: state.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: state.path)
    }
    try FileManager.default.removeItem(atPath: first.paths.lock)
    let second = try state.open(hosts: ["pushpit", "10.1.2.3"])
    #expect(second == first)
    // Without a lock, for whoever may only read finds everything there.
    #expect(try state.contents() == before.filter { $0.key != ".lock" })
  }

  @Test func `two first starts at once make one folder`() async throws {
    let state = state
    let path = state.path
    let folders = try await withThrowingTaskGroup(of: StateFolder.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try StateFolder.open(path: path, hosts: [], time: FixedTime(TemporaryState.now))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(folders.allSatisfy { $0 == folders[0] })
    let files = try state.contents().keys.filter { $0.contains("tmp") || $0.contains("AuthKey") }
    #expect(files.count == 1)
  }

  @Test func `the credentials are those of the files`() throws {
    let state = try TemporaryState.made()
    let folder = try state.open()
    let key = try PrivateKey(pem: state.read("AuthKey_\(folder.defaults.apnsKey.keyID).p8"))
    let known = try PublicKey(spki: folder.apnsKeys[0].publicKey)
    #expect(known.isValidES256(message: [1], signature: key.signES256([1])))
    #expect(folder.apnsKeys[0].teamID.count == 10 && folder.apnsKeys[0].keyID.count == 10)
    let account = try JSONReader.parse(state.read("service-account.json"))
    #expect(account["type"] == "service_account")
    #expect(account["universe_domain"] == "googleapis.com")
    #expect(account["token_uri"] == "https://pushpit:2197/token")
    let pem = Array(try #require(account["private_key"]?.stringValue).utf8)
    let rsa = try PublicKey(spki: folder.serviceAccounts[0].publicKey)
    #expect(rsa.isValidRS256(message: [1], signature: try PrivateKey(pem: pem).signRS256([1])))
    let google = try JSONReader.parse(state.read("google-services.json"))
    #expect(google.pointer("/project_info/project_id") == account["project_id"])
    #expect(
      google.pointer("/client/0/client_info/android_client_info/package_name")
        == "com.example.app")
  }

  @Test func `the token endpoint follows the port and the host, and nothing else changes`() throws {
    let state = try TemporaryState.made()
    var folder = try state.open(hosts: TemporaryState.hosts)
    let before = try state.read("service-account.json")
    try folder.setTokenEndpoint(port: 2197)
    #expect(try state.read("service-account.json") == before)
    folder = try state.open(hosts: ["::1"])
    try folder.setTokenEndpoint(port: 8443)
    let text = String(decoding: try state.read("service-account.json"), as: UTF8.self)
    #expect(
      text
        == String(decoding: before, as: UTF8.self).replacing(
          "https://pushpit:2197/token", with: "https://[::1]:8443/token"))
    #expect(try state.mode("service-account.json") == 0o600)
  }

  @Test func `a newer version is refused`() throws {
    let state = try TemporaryState.made()
    try state.write("state.json", #"{"version":2}"#)
    #expect(
      state.problem()
        == "state.json is of version 2, this pushpit knows 1; "
        + "use a newer pushpit, or another folder with --state")
  }

  /// What is written into which file, and the beginning of what is said.
  static let damages = [
    ("state.json", "{", "state.json is damaged (line 1, column 2"),
    ("state.json", "[]", "state.json is damaged (it is not a JSON object)"),
    ("state.json", #"{"version":"1"}"#, "state.json is damaged (it has no version)"),
    ("ca.pem", "x", "ca.pem is damaged (no start line); move it and ca.key away"),
    ("ca.key", "x", "ca.key is damaged ("),
    ("server.pem", "x", "server.pem is damaged (no start line); move it away"),
    ("server.key", "x", "server.key is damaged ("),
    ("provider-ca.pem", "", "provider-ca.pem is damaged ("),
    ("credentials.json", "{}", "credentials.json is damaged (it has no text 'projectNumber')"),
    (
      "service-account.json", "{}", "service-account.json is damaged (it has no text 'private_key')"
    ),
  ]

  @Test(arguments: damages)
  func `a damaged file is named with a way out, and left as it is`(
    name: String, text: String, problem: String
  ) throws {
    let state = try TemporaryState.made()
    try state.write(name, text)
    let said = try #require(state.problem())
    #expect(said.hasPrefix(problem), "\(said)")
    #expect(said.contains("; ") && !said.contains("\n"))
    #expect(try state.read(name) == Array(text.utf8))
  }

  @Test(arguments: [
    ("{}", "made/x.json is damaged (it has no text 'type')"),
    (#"{"type":"service_account"}"#, "made/x.json is damaged (no such type of credential"),
    (
      #"{"type":"authorized_user","client_id":"a","client_secret":"b","refresh_token":"c","#
        + #""account":"nobody@x"}"#, "made/x.json is of the unknown account 'nobody@x'; remove it"
    ),
  ])
  func `a made credential that cannot be used is named`(text: String, problem: String) throws {
    let state = try TemporaryState.made()
    try FileSystem.makeFolder(state.path + "/made")
    try state.write("made/x.json", text)
    let said = try #require(state.problem())
    #expect(said.hasPrefix(problem), "\(said)")
  }

  @Test func `a damaged signing key is named`() throws {
    let state = try TemporaryState.made()
    let name = "AuthKey_\(try state.open().defaults.apnsKey.keyID).p8"
    try state.write(name, "x")
    #expect(state.problem()?.hasPrefix("\(name) is damaged (") == true)
    try state.remove(name)
    #expect(state.problem() == nil)
  }

  @Test func `a place that cannot be written is one line`() throws {
    let error = #expect(throws: StateError.self) {
      _ = try StateFolder.open(
        path: "/proc/pushpit/state", hosts: [], time: FixedTime(TemporaryState.now))
    }
    #expect(error?.description.hasPrefix("cannot make the folder /proc/pushpit") == true)
  }
}
