import Testing

@testable import pushpit

@Suite struct OptionSpecificationTests {
  @Test func `a flag has a variable and a name in files`() {
    let option = OptionSpecification("--console-token", "TOKEN", "help")
    #expect(option.environmentName == "PUSHPIT_CONSOLE_TOKEN")
    #expect(option.fileName == "consoleToken")
    #expect(OptionSpecification("--port", "N", "help").fileName == "port")
  }

  @Test func `choices stand for the value in the help`() {
    let option = OptionSpecification("--tokens", choices: ["open", "strict"], "help")
    #expect(option.placeholder == "open|strict")
    #expect(OptionSpecification("--json", nil, "help").placeholder == nil)
  }

  @Test func `every flag of serve is the documented one`() {
    #expect(
      serveOptions.map(\.name) == [
        "--port", "--listen", "--console-port", "--mtalk-port", "--bind", "--console-bind",
        "--host", "--state", "--data", "--config", "--import", "--tokens", "--auth", "--wire",
        "--streams", "--environment", "--console-token", "--record-credentials",
        "--callback-host", "--seed", "--ready-file", "--log-level", "--log-format",
      ])
  }

  @Test func `no command has a flag twice, and each has a line of help`() {
    for command in Main.commands {
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
      for option in command.options {
        #expect(option.name.hasPrefix("--") && !option.help.isEmpty)
        #expect(!option.help.hasSuffix("."))
        #expect(command.help.contains(option.name))
      }
      #expect(command.usage.contains("pushpit \(command.name)"))
    }
  }
}
