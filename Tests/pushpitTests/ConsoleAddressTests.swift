import Testing

@testable import pushpit

@Suite struct ConsoleAddressTests {
  private func address(_ words: String...) throws(UsageError) -> ConsoleAddress {
    let parser = ArgumentParser(options: consoleOptions, positionalLimit: 0)
    return try ConsoleAddress(try parser.parse(words) { _ in nil })
  }

  @Test func `without flags it is the default port of this machine`() throws {
    let address = try address()
    #expect(address.host == "localhost" && address.port == 8197)
    #expect(address.token == nil && address.workspace == nil)
    #expect(address.url == "http://localhost:8197")
  }

  @Test(arguments: [
    ("http://pushpit:1", "pushpit", 1, "pushpit:1"),
    ("http://pushpit:1/", "pushpit", 1, "pushpit:1"),
    ("http://pushpit", "pushpit", 80, "pushpit:80"),
    ("http://[::1]:8197", "::1", 8197, "[::1]:8197"), ("http://[::1]", "::1", 80, "[::1]:80"),
  ])
  func `a URL has a host and a port`(url: String, host: String, port: Int, authority: String)
    throws
  {
    let address = try address("--console", url)
    #expect(address.host == host && address.port == port && address.authority == authority)
  }

  @Test(arguments: [
    "localhost:8197", "https://localhost:8197", "http://", "http://:1", "http://h:0",
    "http://h:65536", "http://h:x", "http://h/api", "http://[]:1", "http://::1", "http://::1:1",
  ])
  func `anything else is misuse`(url: String) {
    let error = #expect(throws: UsageError.self) { try address("--console", url) }
    #expect(
      error?.message == "--console takes a URL such as http://localhost:8197, not '\(url)'")
  }

  @Test func `calls say the workspace when it was named`() throws {
    #expect(try address().query.isEmpty)
    #expect(try address("--workspace", "w").query.map(\.1) == ["w"])
  }
}
