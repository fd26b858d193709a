import Testing

@testable import pushpit

@Suite struct ArgumentParserTests {
  private let options = [
    OptionSpecification("--port", "N", "a number"),
    OptionSpecification("--host", "NAME", repeatable: true, "names"),
    OptionSpecification("--tokens", choices: ["open", "strict"], "a choice"),
    OptionSpecification("--json", nil, "a flag"),
  ]

  private func parse(
    _ words: [String], limit: Int = 0, environment: [String: String] = [:]
  ) throws(UsageError) -> ParsedArguments {
    try ArgumentParser(options: options, positionalLimit: limit).parse(words) { environment[$0] }
  }

  /// The text of the misuse.
  private func misuse(_ words: [String], environment: [String: String] = [:]) -> String {
    do throws(UsageError) {
      _ = try parse(words, environment: environment)
      return "none"
    } catch {
      return error.message
    }
  }

  @Test func `a value follows its flag, or an equals sign`() throws {
    #expect(try parse(["--port", "1"]).text("--port") == "1")
    #expect(try parse(["--port=1"]).text("--port") == "1")
    #expect(try parse(["--port=a=b"]).text("--port") == "a=b")
    #expect(try parse(["--port", "--json"]).text("--port") == "--json")
  }

  @Test func `a flag without a value is true, and absent it is not`() throws {
    #expect(try parse(["--json"]).flag("--json"))
    #expect(try !parse([]).flag("--json"))
  }

  @Test func `a repeatable flag keeps every value in order`() throws {
    #expect(try parse(["--host", "a", "--host=b"]).list("--host") == ["a", "b"])
  }

  @Test func `flags win over the environment, lists included`() throws {
    let environment = ["PUSHPIT_PORT": "1", "PUSHPIT_HOST": "a, b ,c", "PUSHPIT_JSON": "yes"]
    let all = try parse([], environment: environment)
    #expect(all.text("--port") == "1" && all.flag("--json"))
    #expect(all.list("--host") == ["a", "b", "c"])
    let some = try parse(["--port", "2", "--host", "d"], environment: environment)
    #expect(some.text("--port") == "2" && some.list("--host") == ["d"])
    #expect(try !parse([], environment: ["PUSHPIT_JSON": "0"]).flag("--json"))
    #expect(try parse([], environment: ["PUSHPIT_PORT": ""]).text("--port") == nil)
  }

  @Test func `two hyphens end the flags`() throws {
    let parsed = try parse(["a", "--", "--json"], limit: 2)
    #expect(parsed.positionals == ["a", "--json"])
    #expect(try parse(["--", "--"], limit: 1).positionals == ["--"])
  }

  @Test(arguments: [
    (["--port"], "--port needs a value"),
    (["--json=true"], "--json takes no value"),
    (["--port", "1", "--port", "2"], "--port was given twice"),
    (["--tokens", "closed"], "--tokens takes open or strict, not 'closed'"),
    (["--prot", "1"], "unknown option '--prot'; did you mean --port?"),
    (["--completely-different"], "unknown option '--completely-different'"),
    (["word"], "unexpected argument 'word'"), (["-p"], "unexpected argument '-p'"),
  ])
  func `misuse is said with what was given`(words: [String], text: String) {
    #expect(misuse(words) == text)
  }

  @Test func `a bad value of the environment is said with the variable's name`() {
    #expect(
      misuse([], environment: ["PUSHPIT_JSON": "maybe"])
        == "PUSHPIT_JSON takes true or false, not 'maybe'")
    #expect(
      misuse([], environment: ["PUSHPIT_TOKENS": "closed"])
        == "PUSHPIT_TOKENS takes open or strict, not 'closed'")
  }

  @Test func `a number is held to its range`() throws {
    #expect(try parse(["--port", "0"]).integer("--port", in: 0...9) == 0)
    #expect(try parse([]).integer("--port", in: 0...9) == nil)
    for text in ["10", "-1", "1.0", "x", "", "0x1"] {
      let error = #expect(throws: UsageError.self) {
        try parse(["--port=\(text)"]).integer("--port", in: 0...9)
      }
      #expect(error?.message == "--port takes a number from 0 to 9, not '\(text)'")
    }
  }

  @Test func `a number of the environment is said with the variable's name`() {
    // A service called pushpit gives its neighbours in Kubernetes such a variable.
    let error = #expect(throws: UsageError.self) {
      try parse([], environment: ["PUSHPIT_PORT": "tcp://10.0.0.1:2197"])
        .integer("--port", in: 0...9)
    }
    #expect(error?.message == "PUSHPIT_PORT takes a number from 0 to 9, not 'tcp://10.0.0.1:2197'")
  }

  @Test func `text is trimmed at its ends`() {
    #expect(trimmed("  a b ") == "a b")
    #expect(trimmed("   ").isEmpty)
  }
}
