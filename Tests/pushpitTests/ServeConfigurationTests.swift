import PushpitGateway
import PushpitModel
import Testing

@testable import pushpit

@Suite struct ServeConfigurationTests {
  private func make(_ words: [String], environment: [String: String] = [:]) throws(UsageError)
    -> GatewayConfiguration
  {
    let parser = ArgumentParser(options: serveOptions, positionalLimit: 0)
    return try ServeConfiguration.make(
      try parser.parse(words) { environment[$0] }, state: "/default")
  }

  private func misuse(_ words: String...) -> String {
    do throws(UsageError) {
      _ = try make(words)
      return "none"
    } catch {
      return error.message
    }
  }

  @Test func `without flags everything is as documented`() throws {
    let made = try make([])
    #expect(made.port == 2197 && made.consolePort == 8197 && made.mtalkPort == 5228)
    #expect(made.binds.isEmpty && made.consoleBind == nil && made.hosts.isEmpty)
    #expect(made.state == .folder("/default") && made.publicHost == "localhost")
    #expect(made.policies == Policies() && made.streams == .apple)
    #expect(made.environment == .sandbox && made.consoleToken == nil)
    #expect(!made.recordsCredentials && made.seed == nil && made.readyFile == nil)
    #expect(made.logLevel == .info && made.logFormat == .text)
    #expect(made.extraListeners.isEmpty && made.imports.isEmpty && made.callbackHosts.isEmpty)
  }

  @Test func `a host for callbacks is a name, and not the vendors'`() {
    #expect(
      misuse("--callback-host", "http://app:80")
        == "--callback-host takes a host like hooks.example.com, without scheme or port, "
        + "not 'http://app:80'")
    #expect(
      misuse("--callback-host", "fcm.googleapis.com")
        == "--callback-host takes no host of Apple's or Google's, not 'fcm.googleapis.com'")
  }

  @Test func `an empty state folder, as of an unset variable, is misuse`() {
    #expect(misuse("--state", "") == "--state needs the path of a folder")
  }

  @Test func `every flag is taken`() throws {
    let made = try make([
      "--port", "0", "--console-port", "1", "--mtalk-port", "65535", "--bind", "127.0.0.2",
      "--bind", "::1", "--console-bind", "127.0.0.1", "--host", "pushpit", "--host", "10.0.0.1",
      "--state", "/s", "--import", "a.json", "--import", "b.json", "--tokens", "strict",
      "--auth", "shape", "--wire", "documented", "--streams", "fixed:7", "--environment",
      "production", "--console-token", "t", "--record-credentials", "--callback-host", "app",
      "--seed", "18446744073709551615", "--ready-file", "/r", "--log-level", "debug",
      "--log-format", "json", "--listen", "production=[::1]:443",
    ])
    #expect(made.port == 0 && made.consolePort == 1 && made.mtalkPort == 65_535)
    #expect(made.binds == ["127.0.0.2", "::1"] && made.consoleBind == "127.0.0.1")
    #expect(made.hosts == ["pushpit", "10.0.0.1"] && made.publicHost == "pushpit")
    #expect(made.state == .folder("/s") && made.imports == ["a.json", "b.json"])
    #expect(made.policies.tokens == .strict && made.policies.authentication == .shape)
    #expect(made.policies.wire == .documented && made.streams == .fixed(7))
    #expect(made.environment == .production && made.consoleToken == "t")
    #expect(made.recordsCredentials && made.callbackHosts == ["app"])
    #expect(made.seed == .max && made.readyFile == "/r")
    #expect(made.logLevel == .debug && made.logFormat == .json)
    #expect(
      made.extraListeners == [.init(environment: .production, host: "::1", port: 443)])
  }

  @Test func `every flag has its variable`() throws {
    let made = try make(
      [],
      environment: [
        "PUSHPIT_PORT": "1", "PUSHPIT_HOST": "a,b", "PUSHPIT_LISTEN": "h:1,sandbox=h:2",
        "PUSHPIT_RECORD_CREDENTIALS": "true", "PUSHPIT_STREAMS": "throttle",
      ])
    #expect(made.port == 1 && made.hosts == ["a", "b"])
    #expect(made.extraListeners.map(\.port) == [1, 2])
    #expect(made.recordsCredentials && made.streams == .throttle)
  }

  @Test(arguments: [
    ("h:443", nil, "h", 443), ("127.0.0.1:0", nil, "127.0.0.1", 0),
    ("sandbox=localhost:2195", APNsEnvironment.sandbox, "localhost", 2195),
    ("production=[fd00::1]:443", .production, "fd00::1", 443),
  ])
  func `listen takes an environment, a host and a port`(
    text: String, environment: APNsEnvironment?, host: String, port: Int
  ) throws {
    let listener = try ServeConfiguration.listener(text)
    #expect(listener == .init(environment: environment, host: host, port: port))
  }

  @Test(arguments: [
    "443", ":443", "h", "h:", "h:x", "h:65536", "h:-1", "staging=h:443", "=h:443", "::1:443",
    "[]:443", "production=", "",
  ])
  func `any other form of listen is misuse`(text: String) {
    #expect(
      misuse("--listen=\(text)")
        == "--listen takes [sandbox=|production=]HOST:PORT, e.g. production=[::1]:443, "
        + "not '\(text)'")
  }

  @Test func `bad values are said with what is taken`() {
    #expect(misuse("--port", "65536") == "--port takes a number from 0 to 65535, not '65536'")
    #expect(
      misuse("--console-port", "x") == "--console-port takes a number from 0 to 65535, not 'x'")
    #expect(misuse("--seed", "-1") == "--seed takes a whole number from 0, not '-1'")
    for text in ["fixed:0", "fixed:10001", "fixed:", "fast"] {
      #expect(
        misuse("--streams", text)
          == "--streams takes apple, throttle or fixed:N (N 1 to 10000), not '\(text)'")
    }
    #expect(misuse("--tokens", "x") == "--tokens takes open or strict, not 'x'")
    #expect(misuse("--auth", "x") == "--auth takes verify or shape, not 'x'")
    #expect(misuse("--wire", "x") == "--wire takes observed or documented, not 'x'")
    #expect(misuse("--environment", "x") == "--environment takes sandbox or production, not 'x'")
    #expect(misuse("--log-format", "x") == "--log-format takes text or json, not 'x'")
    #expect(
      misuse("--log-level", "x") == "--log-level takes error or warning or info or debug, not 'x'")
    #expect(misuse("--data", "") == "--data needs the path of a file")
  }

  @Test(arguments: ["0.0.0.0", "::", "192.168.1.2", "127.example.org", "127.0.0.1.example.org"])
  func `beyond loopback the console needs a token`(address: String) throws {
    #expect(
      misuse("--bind", address)
        == "the console would listen on \(address), beyond this machine; give it a "
        + "--console-token, or keep it here with --console-bind 127.0.0.1")
    #expect(misuse("--console-bind", address).hasPrefix("the console would listen on"))
    #expect(try make(["--bind", address, "--console-token", "t"]).binds == [address])
    #expect(try make(["--bind", address, "--console-bind", "::1"]).consoleBind == "::1")
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
  func `loopback needs no token`(address: String) throws {
    #expect(try make(["--bind", address]).binds == [address])
  }

  @Test func `an empty console token is misuse`() {
    #expect(misuse("--console-token=") == "--console-token takes a token, not an empty text")
  }

  @Test func `the state folder is that of XDG, then of the home folder`() throws {
    func state(_ environment: [String: String], _ words: [String] = []) throws(UsageError)
      -> String
    {
      let parser = ArgumentParser(options: serveOptions, positionalLimit: 0)
      return try ServeCommand.defaultState(try parser.parse(words) { _ in nil }) {
        environment[$0]
      }
    }
    #expect(try state(["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/pushpit")
    #expect(try state(["XDG_STATE_HOME": "", "HOME": "/h"]) == "/h/.local/state/pushpit")
    #expect(try state([:], ["--state", "/s"]) == "/s")
    let error = #expect(throws: UsageError.self) { try state([:]) }
    #expect(error?.message == "there is no home folder to keep state in; give one with --state")
  }
}
