import Testing

@testable import PushpitDevices

@Suite struct CallbackURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080/tokens", "127.0.0.1", 8080, "127.0.0.1:8080", "/tokens"),
    ("http://Hooks.Example", "hooks.example", 80, "hooks.example", "/"),
    ("HTTPS://a.b?x=1", "a.b", 443, "a.b", "/?x=1"),
    ("https://[::1]/a", "::1", 443, "[::1]", "/a"),
    ("http://[fd00::1]:81/a/b?c=d%20e", "fd00::1", 81, "[fd00::1]:81", "/a/b?c=d%20e"),
    ("http://h:443/", "h", 443, "h:443", "/"),
  ])
  func `a URL is taken apart`(
    source: String, host: String, port: Int, authority: String, target: String
  ) throws {
    let url = try CallbackURL(source)
    #expect(url.host == host && url.port == port && url.authority == authority)
    #expect(url.target(CallbackValues()) == target)
    #expect(url.isSecure == source.lowercased().hasPrefix("https"))
  }

  @Test func `values are percent-encoded, in path and query`() throws {
    let url = try CallbackURL("http://h/{app}/{deliveryID}?t={token}")
    let values = CallbackValues(token: "a:b/c+d", app: "com.example", deliveryID: "é?&#")
    #expect(url.target(values) == "/com.example/%C3%A9%3F%26%23?t=a%3Ab%2Fc%2Bd")
  }

  @Test(arguments: [
    "", "tokens", "/tokens", "ftp://h/", "http:/h/", "http://", "http:///a", "http://h:0/",
    "http://h:65536/", "http://h:x/", "http://h:/", "http://h:+80/", "http://user@h/",
    "http://u:p@h/", "http://{app}.example/", "http://h/#frag", "http://h/a b", "http://h/\n",
    "http://h/é", "http://é/", "http://h/{", "http://h/a\"b", "http://[::1/", "http://[h]/",
    "http://[fe80::1%25eth0]/", "http://::1/", "http://h/{tokenn}", "http://a\\b/",
  ])
  func `what is no URL for a callback is refused`(source: String) {
    #expect(throws: CallbackFault.self) { try CallbackURL(source) }
  }

  @Test func `the longest URL is taken, and one byte more is not`() throws {
    let start = "http://h/"
    let room = CallbackURL.lengthLimit - start.utf8.count
    _ = try CallbackURL(start + String(repeating: "a", count: room))
    #expect(throws: CallbackFault("has more than 2048 bytes")) {
      try CallbackURL(start + String(repeating: "a", count: room + 1))
    }
    #expect(throws: CallbackFault.self) {
      try CallbackURL(
        "http://" + String(repeating: "a", count: CallbackURL.hostLengthLimit + 1) + "/")
    }
  }
}
