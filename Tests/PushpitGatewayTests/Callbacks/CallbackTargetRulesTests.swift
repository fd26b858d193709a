import PushpitNetwork
import Testing

@testable import PushpitGateway

@Suite struct CallbackTargetRulesTests {
  private let rules = CallbackTargetRules(names: ["Hooks.Example.", "203.0.113.5", "[2001:db8::1]"])

  private func isAllowed(_ text: String, host: String = "other.example") throws -> Bool {
    rules.refusal(of: try #require(IPAddress(text)), host: host) == nil
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255",
    "192.168.0.1", "192.168.255.255", "::1", "fc00::1", "fd12:3456::1", "::ffff:127.0.0.1",
    "::ffff:10.1.2.3",
  ])
  func `this machine and private networks are allowed`(address: String) throws {
    #expect(try isAllowed(address))
  }

  @Test(arguments: [
    "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "126.0.0.1", "128.0.0.1", "172.15.255.255",
    "172.32.0.0", "192.167.255.255", "192.169.0.0", "100.64.0.1", "168.63.129.16", "2001:db8::2",
    "fbff::1", "fe00::1", "::ffff:8.8.8.8", "::ffff:0:7f00:1", "64:ff9b::808:808",
  ])
  func `all else needs the name of its host`(address: String) throws {
    #expect(try !isAllowed(address))
    #expect(try isAllowed(address, host: "hooks.example"))
    #expect(try isAllowed(address, host: "HOOKS.example."))
    #expect(try !isAllowed(address, host: "sub.hooks.example"))
    #expect(try !isAllowed(address, host: "hooks.example.evil"))
  }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.1", "169.254.255.255", "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "::169.254.169.254", "2002:a9fe:a9fe::1",
    "0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0", "17.0.0.1", "17.255.255.255", "::ffff:17.1.2.3",
    "fe80::1", "febf::1", "ff02::1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "fd00:ec2::254",
    "fd20:ce::254",
  ])
  func `some addresses are never allowed, whatever name they have`(address: String) throws {
    #expect(try !isAllowed(address))
    #expect(try !isAllowed(address, host: "hooks.example"))
    #expect(try !isAllowed(address, host: "localhost"))
  }

  @Test func `an address can be named too`() throws {
    #expect(try isAllowed("203.0.113.5", host: "203.0.113.5"))
    #expect(try isAllowed("2001:db8::1", host: "2001:db8::1"))
    #expect(try !isAllowed("203.0.113.6", host: "203.0.113.6"))
  }

  @Test(arguments: [
    "api.push.apple.com", "apple.com", "API.Push.Apple.Com.", "fcm.googleapis.com",
    "oauth2.googleapis.com", "www.google.com", "metadata.google.internal", "gateway.icloud.com",
  ])
  func `the vendors' hosts are never allowed, whatever address they have here`(host: String) {
    let rules = CallbackTargetRules(names: [host])
    #expect(rules.refusal(ofHost: host) != nil)
    #expect(CallbackTargetRules.problem(ofName: host) == "takes no host of Apple's or Google's")
  }

  @Test(arguments: ["notapple.com", "apple.com.evil.example", "pineapple.com", "localhost", "::1"])
  func `names that only look like theirs are judged by their addresses`(host: String) {
    #expect(rules.refusal(ofHost: host) == nil)
    #expect(CallbackTargetRules.problem(ofName: host) == nil)
  }

  @Test(arguments: ["", ".", "http://h", "h/", "h:80", "h h", "u@h"])
  func `what is no name is not taken as one`(name: String) {
    #expect(
      CallbackTargetRules.problem(ofName: name)
        == "takes a host like hooks.example.com, without scheme or port")
  }

  @Test func `a refusal says what to do`() throws {
    #expect(
      rules.refusal(of: try #require(IPAddress("8.8.8.8")), host: "dns.example")
        == "dns.example is 8.8.8.8, neither this machine nor of a private network; allow it with "
        + "--callback-host dns.example")
  }
}
