import PushpitJSON
import Testing

@testable import pushpit

@Suite struct DeviceOptionsTests {
  private func options(_ words: String...) throws -> DeviceOptions {
    let parser = ArgumentParser(options: DeviceCommand.options, positionalLimit: 0)
    return try DeviceOptions(try parser.parse(words) { _ in nil })
  }

  @Test func `without options it is one iPhone`() throws {
    let options = try options()
    #expect(options.count == 1 && options.pushLimit == nil)
    #expect(!options.isJSON && !options.isKept)
    #expect(options.specification(0) == ["platform": "ios"])
  }

  @Test func `every option is in what the console is asked for`() throws {
    let options = try options(
      "--app", "com.example.a", "--environment", "production", "--contract", "respondo", "--name",
      "Ann", "--token", "aa", "--token-kind", "voip,pushToStart", "--token-delay", "1500ms",
      "--firebase", "--exit-after", "3", "--json", "--keep")
    #expect(options.pushLimit == 3 && options.isJSON && options.isKept)
    #expect(
      options.specification(0) == [
        "platform": "ios", "app": "com.example.a", "environment": "production",
        "contract": "respondo", "tokenDelay": "1500ms", "firebase": true,
        "tokens": ["apns": "aa", "voip": true, "pushToStart": true], "name": "Ann",
      ])
    #expect(
      try self.options("--platform", "android", "--token", "x:y").specification(0)
        == ["platform": "android", "tokens": ["fcm": "x:y"]])
  }

  @Test func `several devices are numbered`() throws {
    let options = try options("--count", "\(DeviceOptions.countLimit)", "--name", "Ann")
    #expect(options.count == 1000)
    #expect(options.specification(0)["name"] == "Ann 1")
    #expect(options.specification(999)["name"] == "Ann 1000")
    #expect(throws: UsageError("--count takes a number from 1 to 1000, not '1001'")) {
      try self.options("--count", "1001")
    }
  }

  @Test(arguments: ["--environment=sandbox", "--firebase", "--token-kind=voip"])
  func `what only iPhones have is refused for others`(flag: String) {
    let name = flag.prefix { $0 != "=" }
    #expect(throws: UsageError("\(name) is for --platform ios, not for android")) {
      try options("--platform", "android", flag)
    }
  }

  @Test func `a token for several devices and a delay that is none are refused`() {
    #expect(throws: UsageError.self) { try options("--count", "2", "--token", "aa") }
    #expect(throws: UsageError.self) { try options("--token-delay", "soon") }
  }
}
