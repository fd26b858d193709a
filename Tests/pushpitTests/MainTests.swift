import Foundation
import PushpitCrypto
import PushpitTestSupport
import Testing

@testable import pushpit

/// The program as the shell sees it: exit codes, and what goes where.
@Suite(.timeLimit(.minutes(5))) struct MainTests {
  private func run(
    _ words: String..., environment: [String: String] = [:]
  ) async throws -> ProgramRun {
    try await ProgramRun.of(words, environment: environment)
  }

  private func run(
    _ words: [String], environment: [String: String] = [:]
  ) async throws -> ProgramRun {
    try await ProgramRun.of(words, environment: environment)
  }

  @Test func `help and version are results`() async throws {
    for words in ["--help", "-h", "help"] {
      let run = try await run(words)
      #expect(run.status == 0 && run.talk.isEmpty)
      #expect(run.output.hasPrefix("APNs and FCM on your own machine.\n\nUsage: pushpit COMMAND"))
    }
    for words in ["--version", "version"] {
      #expect(try await run(words).output.hasPrefix("pushpit 0."))
    }
  }

  @Test func `every command has help`() async throws {
    for command in Main.commands {
      let run = try await run(command.name, "--help")
      #expect(run.status == 0 && run.talk.isEmpty)
      #expect(run.output == command.help + "\n")
    }
  }

  @Test func `misuse is Error, Usage and See on standard error, with 64`() async throws {
    let command = try await run("sevre")
    #expect(command.status == 64 && command.output.isEmpty)
    #expect(
      command.talk == "Error: unknown command 'sevre'\nUsage: pushpit COMMAND [options]\n"
        + "See 'pushpit --help'\n")
    let flag = try await run("serve", "--prot", "1")
    #expect(flag.status == 64 && flag.output.isEmpty)
    #expect(
      flag.talk == "Error: unknown option '--prot'; did you mean --port?\n"
        + "Usage: pushpit serve [options]\nSee 'pushpit serve --help'\n")
    #expect(try await run().status == 64)
  }

  @Test func `without a gateway a credential is imported into the folder of serve`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)
    let key = path + "/AuthKey_ABCDE12345.p8"
    try Data(try PrivateKey.generateP256().pem).write(to: URL(filePath: key))
    let environment = ["XDG_STATE_HOME": path, "PUSHPIT_CONSOLE": "http://127.0.0.1:1"]
    let first = try await run(
      "credentials", "import", key, "--team", "TEAM123456", environment: environment)
    #expect(first.status == 0)
    #expect(
      first.output == "imported the APNs key ABCDE12345 into \(path)/pushpit, as no gateway "
        + "answers\n")
    let again = try await run(
      "credentials", "import", key, "--team", "TEAM123456", environment: environment)
    #expect(again.status == 1)
    #expect(
      again.talk
        == "Error: the APNs key ABCDE12345 is known already, in the workspace 'default'\n")
  }

  @Test func `without a gateway a certificate is made and known in the folder of serve`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)
    let environment = ["XDG_STATE_HOME": path, "PUSHPIT_CONSOLE": "http://127.0.0.1:1"]
    let make = ["credentials", "create-certificate", "--app", "com.example.app"]
    let first = try await run(make + ["--environment", "sandbox"], environment: environment)
    let state = "\(path)/pushpit"
    #expect(first.status == 0 && first.talk.isEmpty)
    #expect(
      first.output == """
        made \(state)/com.example.app.p12 with the password 'pushpit'
        made \(state)/com.example.app.pem, certificate and key in clear text
        imported it into \(state), as no gateway answers

        """)
    let second = try await run(make, environment: environment)
    #expect(second.status == 1)
    #expect(
      second.talk == "Error: \(state)/com.example.app.p12 is there already; move it away, or name "
        + "another file with --out\n")
    let imported = try await run(
      "credentials", "import", "\(state)/com.example.app.p12", environment: environment)
    #expect(imported.status == 1)
    #expect(imported.talk.hasSuffix("is known already, in the workspace 'default'\n"))
  }

  @Test func `a chosen password is not printed, and the named workspace is kept`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)
    let environment = ["XDG_STATE_HOME": path, "PUSHPIT_CONSOLE": "http://127.0.0.1:1"]
    let make = [
      "credentials", "create-certificate", "--password", "s3cret", "--workspace", "team-b",
    ]
    let plain = try await run(make + ["--app", "com.example.a"], environment: environment)
    #expect(plain.status == 0 && !plain.output.contains("s3cret"))
    #expect(plain.output.contains("com.example.a.p12 with the password given\n"))
    let json = try await run(make + ["--app", "com.example.b", "--json"], environment: environment)
    #expect(json.status == 0 && !json.output.contains("s3cret"))
    let again = try await run(
      "credentials", "import", "\(path)/pushpit/com.example.a.p12", "--password", "s3cret",
      environment: environment)
    #expect(again.talk.hasSuffix("is known already, in the workspace 'team-b'\n"), "\(again.talk)")
  }

  @Test func `without a gateway a service account is made and known in the folder of serve`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)
    let environment = ["XDG_STATE_HOME": path, "PUSHPIT_CONSOLE": "http://127.0.0.1:1"]
    let make = [
      "credentials", "create-service-account", "--project", "other-project", "--without-role",
      "--out", "\(path)/account.json",
    ]
    let first = try await run(make, environment: environment)
    #expect(first.status == 0 && first.talk.isEmpty)
    #expect(
      first.output == """
        made \(path)/account.json
        imported it into \(path)/pushpit, as no gateway answers

        """)
    let second = try await run(make, environment: environment)
    #expect(second.status == 1 && second.talk.contains("account.json is there already"))
    let list = try await run(
      "credentials", "list", "--state", "\(path)/pushpit", environment: environment)
    #expect(list.output.contains("fcm   project other-project  firebase-adminsdk-"))
    let wrong = try await run(
      "credentials", "create-service-account", "--project", "Other", environment: environment)
    #expect(wrong.status == 64)
  }

  @Test(arguments: [
    ([], "create-certificate needs --app, a bundle ID such as com.example.app"),
    (["--app", "a b"], "--app takes a bundle ID such as com.example.app, not 'a b'"),
    (["--app", "a/b"], "--app takes a bundle ID such as com.example.app, not 'a/b'"),
    (["--app", "a.b", "--kind", "x"], "--kind takes universal or voip, not 'x'"),
    (
      ["--app", "a.b", "--environment", "x"],
      "--environment takes sandbox or production or both, not 'x'"
    ),
    (
      ["--app", "a.b", "--out", "a.pem"],
      "--out takes the name of a file that ends with .p12, not 'a.pem'; its .pem is beside it"
    ),
  ])
  func `misuse of create-certificate is 64 and says what to give`(
    words: [String], message: String
  ) async throws {
    let run = try await run(["credentials", "create-certificate"] + words)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.talk.hasPrefix("Error: \(message)\n"))
  }

  @Test(arguments: [
    ["send"], ["send", "sms"], ["send", "apns"], ["send", "fcm"], ["credentials"],
    ["credentials", "import"], ["credentials", "create"], ["credentials", "create", "robot"],
    ["credentials", "import", "f", "--scope", "topics"],
    ["credentials", "import", "f", "--scope", "team", "--topics", "a"], ["tail", "x"],
    ["device", "--platform", "vms"], ["env", "--console", "8197"], ["ready", "--timeout", "-1"],
    ["serve", "--bind", "0.0.0.0"], ["serve", "--config", "/nonexistent"],
    ["envelopes", "--limit", "0"], ["clock", "forward"], ["clock", "advance"],
    ["clock", "freeze", "1m"], ["envelopes", "--as", "curl"], ["envelopes", "e1", "--q", "x"],
    ["envelopes", "e1", "--as", "wget"], ["envelopes", "--delete", "--limit", "1"],
    ["envelopes", "e1", "e2"], ["expect", "--match", "token"], ["expect", "--match", "=x"],
    ["expect", "--match", "a=1", "--match", "a=2"], ["expect", "--count", "some"],
    ["expect", "--count", "at-least:"], ["expect", "--count", "-1"], ["expect", "--of", "devices"],
    ["expect", "--body", "x", "--strict"], ["workspace"], ["workspace", "delete"],
    ["workspace", "list", "x"], ["workspace", "create", "x", "--settings", "[]"],
    ["workspace", "change", "x"], ["workspace", "delete", "x", "--listener"], ["reset", "x"],
    ["credentials", "show"], ["credentials", "delete"], ["report", "--fail-on", "info"],
  ])
  func `misuse of a command is 64`(words: [String]) async {
    #expect(await Main.run(words) { ["HOME": "/nonexistent"][$0] } == 64)
  }

  @Test(arguments: [
    ["ready"], ["device"], ["tail"], ["envelopes"], ["send", "apns"], ["env"],
    ["credentials", "list"], ["clock"], ["expect"], ["report"], ["workspace", "list"], ["reset"],
  ])
  func `without a gateway a command fails with 1 and says what to do`(words: [String]) async throws
  {
    // Port 1 of this machine: nobody listens there.
    let run = try await run(
      words[0], words.count > 1 ? words[1] : "--json",
      environment: [
        "PUSHPIT_CONSOLE": "http://127.0.0.1:1", "PUSHPIT_TOKEN": "00",
      ])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(
      run.talk == "Error: cannot reach the console at http://127.0.0.1:1: cannot connect to "
        + "127.0.0.1:1: connection refused; is 'pushpit serve' running?\n")
  }
}
