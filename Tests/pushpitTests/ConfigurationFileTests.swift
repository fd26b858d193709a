import Foundation
import PushpitJSON
import Testing

@testable import pushpit

@Suite struct ConfigurationFileTests {
  /// Reads a file of this text beside the words of a command line.
  private func merge(_ text: String, _ words: [String] = []) throws -> ConfigurationFile.Merged {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let path = url.path(percentEncoded: false)
    let parser = ArgumentParser(options: serveOptions, positionalLimit: 0)
    let arguments = try parser.parse(["--config", path] + words) { _ in nil }
    do throws(UsageError) {
      return try ConfigurationFile.merge(into: arguments)
    } catch {
      throw UsageError(error.message.replacing(path, with: "FILE"))
    }
  }

  private func misuse(_ text: String) throws -> String {
    do {
      _ = try merge(text)
      return "none"
    } catch let error as UsageError {
      return error.message
    }
  }

  @Test func `the file has flags in camelCase, of every kind`() throws {
    let merged = try merge(
      #"{"port": 0, "consoleToken": "t", "host": ["a", "b"], "bind": "::1", "#
        + #""recordCredentials": true, "tokens": "strict"}"#)
    #expect(merged.arguments.text("--port") == "0")
    #expect(merged.arguments.text("--console-token") == "t")
    #expect(merged.arguments.list("--host") == ["a", "b"])
    #expect(merged.arguments.list("--bind") == ["::1"])
    #expect(merged.arguments.flag("--record-credentials"))
    #expect(merged.devices.isEmpty)
  }

  @Test func `flags win over the file`() throws {
    let merged = try merge(#"{"port": 1, "host": ["a"]}"#, ["--port", "2", "--host", "b"])
    #expect(merged.arguments.text("--port") == "2")
    #expect(merged.arguments.list("--host") == ["b"])
  }

  @Test func `devices of the default workspace are declared`() throws {
    let merged = try merge(
      #"{"workspaces": [{"name": "default", "devices": [{"platform": "ios"}]}]}"#)
    #expect(merged.devices == [["platform": "ios"]])
  }

  @Test func `callbacks of all devices are taken as they are`() throws {
    let text = #"{"callbacks": {"clear": {"url": "http://h/"}}, "callbackHost": ["h"]}"#
    let merged = try merge(text)
    #expect(merged.callbacks == ["clear": ["url": "http://h/"]])
    #expect(merged.arguments.list("--callback-host") == ["h"])
  }

  @Test func `settings of the default workspace are taken, but where a flag says otherwise`() throws
  {
    let text = #"{"workspaces": [{"settings": {"wire": "documented", "wedge": "off"}}]}"#
    #expect(try merge(text).settings == [["wire": "documented", "wedge": "off"]])
    #expect(try merge(text, ["--wire", "observed"]).settings == [["wedge": "off"]])
  }

  @Test func `an unknown key is said with file, line and pointer`() throws {
    #expect(try misuse("{\n  \"port\": 1,\n  \"prot\": 2\n}") == "FILE:3: /prot: unknown key")
    #expect(try misuse(#"{"config": "x"}"#) == "FILE:1: /config: unknown key")
    #expect(
      try misuse("{\"workspaces\": [\n{},\n{\"faults\": []}]}")
        == "FILE:3: /workspaces/1/faults: unknown key, or not built yet")
  }

  @Test(arguments: [
    (#"{"port": true}"#, "FILE:1: /port: takes a string or a number"),
    (#"{"port": null}"#, "FILE:1: /port: takes a string or a number"),
    (#"{"port": [1]}"#, "FILE:1: /port: takes a string or a number"),
    (#"{"host": [1]}"#, "FILE:1: /host: takes strings"),
    (#"{"recordCredentials": "yes"}"#, "FILE:1: /recordCredentials: takes true or false"),
    (#"{"tokens": "closed"}"#, "FILE:1: /tokens: takes open or strict"),
    (#"{"workspaces": {}}"#, "FILE:1: /workspaces: takes an array"),
    (#"{"workspaces": [1]}"#, "FILE:1: /workspaces/0: takes an object"),
    (#"{"workspaces": [{"settings": 1}]}"#, "FILE:1: /workspaces/0/settings: takes an object"),
    (#"{"workspaces": [{"devices": {}}]}"#, "FILE:1: /workspaces/0/devices: takes an array"),
    (
      #"{"workspaces": [{"name": "other"}]}"#,
      "FILE:1: /workspaces/0/name: only 'default' is built yet"
    ),
    ("[]", "FILE:1: the configuration is a JSON object"),
  ])
  func `a value of the wrong kind is said with its pointer`(text: String, problem: String) throws {
    #expect(try misuse(text) == problem)
  }

  @Test func `a file that is no JSON is said with line and column`() throws {
    #expect(try misuse("{\n \"port\": }").hasPrefix("FILE:2:10: "))
  }

  @Test func `a bad number of the file is said with the file`() throws {
    let arguments = try merge(#"{"port": 70000}"#).arguments
    let error = #expect(throws: UsageError.self) {
      try arguments.integer("--port", in: 0...65_535)
    }
    #expect(error?.message.hasSuffix(": /port takes a number from 0 to 65535, not '70000'") == true)
  }

  @Test func `a missing file is said`() throws {
    let parser = ArgumentParser(options: serveOptions, positionalLimit: 0)
    let arguments = try parser.parse(["--config", "/nonexistent/p.json"]) { _ in nil }
    let error = #expect(throws: UsageError.self) { try ConfigurationFile.merge(into: arguments) }
    #expect(
      error?.message == "cannot read the configuration file: cannot read /nonexistent/p.json: "
        + "no such file or directory")
  }
}
