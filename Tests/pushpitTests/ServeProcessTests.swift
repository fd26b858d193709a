import Foundation
import PushpitJSON
import PushpitTestSupport
import Testing

@testable import pushpit

/// `pushpit serve` as a process, and the commands beside it.
@Suite(.timeLimit(.minutes(5))) struct ServeProcessTests {
  /// A process whose standard error and output are read line by line.
  private final class Running {
    let process = ChildProcess()
    private let pipe = Pipe()
    private var read = ""

    init(_ words: [String], _ environment: [String: String] = [:]) throws {
      process.executableURL = ProgramRun.program
      process.arguments = words
      process.environment = environment
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
    }

    /// Reads until a line begins so, and returns what follows on it.
    func line(_ beginning: String) throws -> String {
      while true {
        for line in read.split(separator: "\n") where line.hasPrefix(beginning) {
          return String(line.dropFirst(beginning.count))
        }
        let piece = pipe.fileHandleForReading.availableData
        try #require(!piece.isEmpty, "ended with: \(read)")
        read += String(decoding: piece, as: UTF8.self)
      }
    }

    /// Everything that it still writes, and its exit status.
    func end() -> (status: Int32, text: String) {
      read += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, read)
    }
  }

  /// Starts a gateway on free ports, runs the body with its console's URL, and stops it.
  ///
  /// All of it blocks, so it has a thread that no other test needs.
  private func withServer(
    _ body: @escaping @Sendable (Running, _ console: String) throws -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try serve(body) })
      }
    }
  }

  private func serve(_ body: (Running, _ console: String) throws -> Void) throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: state) }
    let server = try Running(
      ["serve", "--port", "0", "--console-port", "0", "--state", state, "--log-level", "info"],
      ["HOME": "/nonexistent"])
    defer { server.process.terminate() }
    let port = try server.line("  console  127.0.0.1:")
    try body(server, "http://localhost:\(port)")
  }

  private func run(_ console: String, _ words: String...) throws -> (status: Int32, text: String) {
    try Running(words, ["PUSHPIT_CONSOLE": console]).end()
  }

  /// The names of the devices that the console lists.
  private func names(_ console: String) throws -> [String] {
    let process = ChildProcess()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "-s", console + "/api/v1/devices"]
    process.standardOutput = pipe
    try process.run()
    let list = try JSONReader.parse(Array(pipe.fileHandleForReading.readDataToEndOfFile()))
    process.waitUntilExit()
    return (list["items"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
  }

  @Test func `signals sent twice end the gateway with 0, as a terminal and timeout send them`()
    async throws
  {
    try await withServer { server, _ in
      kill(server.process.processIdentifier, SIGINT)
      for _ in 0..<20 { kill(server.process.processIdentifier, SIGTERM) }
      let ended = server.end()
      #expect(ended.status == 0)
      #expect(ended.text.contains("info gateway stopping because=SIGINT\ninfo gateway stopped\n"))
    }
  }

  @Test func `a value that the console does not understand is misuse`() async throws {
    try await withServer { _, console in
      let moved = try run(console, "clock", "advance", "61m")
      #expect(moved.status == 0 && moved.text.hasSuffix("  offset 61m\n"))
      let wrong = try run(console, "clock", "advance", "soon")
      #expect(wrong.status == 64 && wrong.text.contains("/advance Expected a duration like"))
      #expect(try run(console, "device", "--token", "xyz", "--exit-after", "1").status == 64)
    }
  }

  @Test func `a workspace is made, listed, emptied and deleted`() async throws {
    try await withServer { _, console in
      let made = try run(
        console, "workspace", "create", "ci", "--settings", #"{"tokens":"strict"}"#, "--listener")
      #expect(made.status == 0 && made.text.hasPrefix("made the workspace ci\ngateway  https://"))
      let shown = try run(console, "workspace", "show", "ci").text
      #expect(shown.hasPrefix("ci  https://") && shown.contains("\ntokens  \"strict\"\n"))
      #expect(try run(console, "workspace", "create", "ci").status == 1)
      #expect(try run(console, "workspace", "create", "c i").status == 64)
      let keys = try run(console, "credentials", "list", "--workspace", "ci").text
      #expect(keys.contains("fcm  project pushpit-ci  "))
      let file = keys.split(separator: "\n").first { $0.hasPrefix("apns  key") }?.split(
        separator: " "
      ).last
      let name = String(try #require(file))
      let key = try run(console, "credentials", "show", name, "--workspace", "ci")
      #expect(key.text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
      #expect(try run(console, "credentials", "delete", name, "--workspace", "ci").status == 0)
      #expect(try run(console, "credentials", "show", name, "--workspace", "ci").status == 1)
      #expect(try run(console, "workspace", "reset", "ci").text == "reset the workspace ci\n")
      #expect(try run(console, "workspace", "delete", "ci").status == 0)
      #expect(try run(console, "reset", "--workspace", "ci").status == 1)
      #expect(try run(console, "reset").text == "reset the workspace default\n")
    }
  }

  @Test func `an envelope is shown, exported and forgotten`() async throws {
    try await withServer { _, console in
      let token = String(repeating: "ab", count: 32)
      #expect(try run(console, "send", "apns", "--token", token, "--title", "Hi").status == 0)
      let whole = try run(console, "envelopes", "e1").text
      #expect(whole.contains("\nPOST /3/device/\(token)\n") && whole.contains("\"title\": \"Hi\""))
      let command = try run(console, "envelopes", "e1", "--as", "curl").text
      #expect(command.hasPrefix("curl ") && command.contains("$PROVIDER_TOKEN"))
      let misfit = try run(console, "envelopes", "e1", "--as", "adb")
      #expect(misfit.status == 1 && misfit.text.contains("no message of FCM"))
      #expect(
        try run(console, "envelopes", "--q", "Hi", "--push-type", "alert").text.contains("Hi"))
      #expect(try run(console, "envelopes", "--q", "Hi absent").text.isEmpty)
      #expect(try run(console, "envelopes", "--delete", "--service", "fcm").status == 0)
      #expect(try run(console, "envelopes", "e1").status == 0)
      #expect(try run(console, "envelopes", "--delete").status == 0)
      #expect(try run(console, "envelopes", "e1").status == 1)
    }
  }

  @Test func `an expectation is met, or is not and says what came near`() async throws {
    try await withServer { _, console in
      let token = String(repeating: "ab", count: 32)
      #expect(try run(console, "send", "apns", "--token", token, "--title", "Hi").status == 0)
      let met = try run(
        console, "expect", "--match", "token=\(token)", "--match", "/aps/alert/title=Hi", "--match",
        "status=200", "--count", "at-least:1")
      #expect(met.status == 0 && met.text.hasPrefix("met: 1 matched after "))
      let missed = try run(
        console, "expect", "--match", "/aps/alert/title=Ho", "--within", "10ms", "--strict")
      #expect(missed.status == 1 && missed.text.hasPrefix("Error: Expected at least 1 envelope"))
      #expect(
        missed.text.hasSuffix("\n  near miss e1: /aps/alert/title is \"Hi\", expected \"Ho\"\n"))
      #expect(try run(console, "expect", "--match", "tokn=x").status == 64)
      let report = try run(console, "report", "--fail-on", "warning")
      #expect(report.status == 0, "\(report.text)")
      #expect(report.text.hasSuffix("\ntokens  prune 0, keep 1, fix 0\n"))
      let connections = try run(
        console, "expect", "--of", "connections", "--count", "1", "--within", "1ms")
      #expect(connections.text.hasSuffix("  1 pushes\n"))
      #expect(try run(console, "expect", "--within", "5").status == 64)
    }
  }

  @Test func `a clock is frozen and goes on`() async throws {
    try await withServer { _, console in
      #expect(try run(console, "clock", "freeze").text.contains("frozen"))
      let moving = try run(console, "clock", "unfreeze")
      #expect(moving.status == 0 && !moving.text.contains("frozen"))
    }
  }

  @Test func `a certificate that the gateway does not take is named, with what to do`() async throws
  {
    try await withServer { _, console in
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        .path(percentEncoded: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let made = try run(
        console, "credentials", "create-certificate", "--app", "com.example.app", "--state", folder,
        "--workspace", "nowhere")
      #expect(made.status == 1)
      #expect(
        made.text.contains("made \(folder)/com.example.app.p12, but nothing knows it yet: "),
        "\(made.text)")
      #expect(made.text.contains("import it with 'pushpit credentials import'"))
      let imported = try run(console, "credentials", "import", "\(folder)/com.example.app.p12")
      #expect(imported.status == 0, "\(imported.text)")
    }
  }

  @Test func `a push of the tour reaches device and tail, and a refusal is explained`() async throws
  {
    try await withServer { _, console in
      let device = try Running(["device", "--exit-after", "1"], ["PUSHPIT_CONSOLE": console])
      let token = try device.line("apns token: ")
      let sent = try run(
        console, "send", "apns", "--token", token, "--title", "Hello", "--body", "World")
      #expect(sent.status == 0 && sent.text.hasPrefix("200 apns-id "))
      let seen = device.end()
      #expect(seen.status == 0 && seen.text.hasSuffix("push  Hello: World\n"))
      let refused = try run(console, "send", "fcm", "--topic", "bad topic")
      #expect(refused.status == 1)
      #expect(refused.text.hasPrefix("400 {"))
      #expect(refused.text.contains("\n  topic-invalid: ") && refused.text.contains("\n  fix: "))
      let list = try run(console, "envelopes", "--service", "apns")
      #expect(list.text.hasSuffix("\"Hello: World\"\n"))
      #expect(try run(console, "ready").text == "ready: \(console)\n")
    }
  }

  @Test func `a device with Firebase has both tokens, and FCM's reaches it too`() async throws {
    try await withServer { _, console in
      let device = try Running(
        ["device", "--firebase", "--exit-after", "2"], ["PUSHPIT_CONSOLE": console])
      let tokens = [try device.line("apns token: "), try device.line("fcm token: ")]
      for (vendor, token) in zip(["apns", "fcm"], tokens) {
        let sent = try run(console, "send", vendor, "--token", token, "--title", "By \(vendor)")
        #expect(sent.status == 0)
      }
      let seen = device.end()
      #expect(seen.status == 0)
      #expect(seen.text.contains("push  By apns") && seen.text.contains("push  By fcm"))
      #expect(try run(console, "device", "--firebase", "--platform", "web").status == 64)
    }
  }

  @Test func `an interrupted device is removed, and one that is kept stays`() async throws {
    try await withServer { _, console in
      for words in [["device"], ["device", "--keep", "--name", "kept"]] {
        let device = try Running(words, ["PUSHPIT_CONSOLE": console])
        let token = try device.line("apns token: ")
        // A push that it shows says that its stream is open, and the signals are watched.
        let sent = try run(console, "send", "apns", "--token", token)
        #expect(sent.status == 0)
        _ = try device.line("push")
        kill(device.process.processIdentifier, SIGINT)
        #expect(device.end().status == 0)
      }
      let env = try run(console, "env", "--json")
      #expect(env.status == 0 && env.text.contains("\"console\": \"\(console)\""))
      #expect(try names(console) == ["kept"])
    }
  }

  @Test func `a gateway that stops ends its followers with 1 and a reason`() async throws {
    try await withServer { server, console in
      let device = try Running(["device"], ["PUSHPIT_CONSOLE": console])
      let token = try device.line("apns token: ")
      _ = try run(console, "send", "apns", "--token", token)
      _ = try device.line("push")
      server.process.terminate()
      #expect(server.end().status == 0)
      let ended = device.end()
      #expect(ended.status == 1)
      #expect(
        ended.text.hasSuffix(
          "Error: the gateway at \(console) ended the stream: The gateway is stopping.\n"))
    }
  }
}
