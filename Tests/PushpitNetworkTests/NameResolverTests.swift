import Testing

@testable import PushpitNetwork

@Suite(.timeLimit(.minutes(5))) struct NameResolverTests {
  @Test func `a name has the addresses that the system knows`() async throws {
    let probe = try LoopProbe()
    let found = try await probe.addresses(of: "localhost")
    let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
    #expect(!found.isEmpty && found.allSatisfy(loopback.contains))
    #expect(Set(found).count == found.count)
    await probe.stop()
  }

  @Test(arguments: ["127.0.0.1", "::1", "fd00::1"])
  func `an address is its own`(text: String) async throws {
    let probe = try LoopProbe()
    #expect(try await probe.addresses(of: text) == [try #require(IPAddress(text))])
    await probe.stop()
  }

  @Test func `a short form of an address is resolved as the system does`() async throws {
    let probe = try LoopProbe()
    // What is judged is the address, so no spelling leads past a rule.
    #expect(try await probe.addresses(of: "127.1").map(\.description) == ["127.0.0.1"])
    await probe.stop()
  }

  @Test func `a name that nobody has is an error that names it`() async throws {
    let probe = try LoopProbe()
    let error = await #expect(throws: NetworkError.self) {
      // RFC 6761 section 6.4: never an address.
      try await probe.addresses(of: "nowhere.invalid")
    }
    #expect(error?.description.hasPrefix("cannot find the address of nowhere.invalid: ") == true)
    await probe.stop()
  }

  @Test func `a loop that stops meanwhile lets the answer come`() async throws {
    let probe = try LoopProbe()
    async let found = probe.addresses(of: "localhost")
    await probe.stop()
    #expect(try await !found.isEmpty)
  }
}

@Suite struct IPAddressTests {
  @Test func `addresses are read and written`() {
    #expect(IPAddress("10.1.2.255")?.bytes == [10, 1, 2, 255])
    #expect(IPAddress("10.1.2.255")?.description == "10.1.2.255")
    #expect(IPAddress("fd00:ec2::254")?.description == "fd00:ec2:0:0:0:0:0:254")
    #expect(IPAddress("fd00:ec2::254") == IPAddress("FD00:0ec2:0::0254"))
    #expect(IPAddress("localhost") == nil && IPAddress("") == nil && IPAddress("[::1]") == nil)
  }
}

extension LoopProbe {
  /// Asks on the loop's thread.
  fileprivate func addresses(of host: String) async throws -> [IPAddress] {
    try await NameResolver.addresses(of: host, loop)
  }
}
