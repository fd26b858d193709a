import Testing

@testable import PushpitDevices

@Suite struct LinkPatternTests {
  private let values = ["id": "a*b", "n": "7"]

  @Test(arguments: [
    ("app://c/{id}", "app://c/a*b", true), ("app://c/{id}", "app://c/axxb", false),
    ("app://c/{id}/{n}", "app://c/a*b/7", true), ("*://c/{n}", "https://c/7", true),
    ("app://?/{n}", "app://x/7", true), ("app://?/{n}", "app:///7", false),
    ("*{n}*", "x7y", true), ("*{n}*", "xy", false), ("*", "", true), ("", "", true),
    ("", "x", false), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-b-d", false),
    ("app://c/{absent}", "app://c/", false), ("app://é/{n}", "app://é/7", true),
  ])
  func `a link has a pattern's form or not`(
    _ pattern: String, _ link: String, _ expected: Bool
  ) throws {
    #expect(try #require(LinkPattern(pattern)).matches(link) { values[$0] } == expected)
  }

  @Test(arguments: ["{", "{}", "a{b", String(repeating: "x", count: 257)])
  func `a pattern that cannot be is refused`(_ text: String) {
    #expect(LinkPattern(text) == nil)
  }

  @Test func `the only reference is found in a link`() throws {
    let pattern = try #require(LinkPattern("app://c/{id}/x"))
    #expect(pattern.onlyReference(in: "app://c/17/x") == "17")
    #expect(pattern.onlyReference(in: "app://c//x") == nil)
    #expect(pattern.onlyReference(in: "app://d/17/x") == nil)
    #expect(try #require(LinkPattern("{a}/{b}")).onlyReference(in: "1/2") == nil)
    #expect(try #require(LinkPattern("*{a}")).onlyReference(in: "1") == nil)
  }

  @Test func `an example says what is open`() throws {
    #expect(try #require(LinkPattern("a/{n}/{x}/*")).example { values[$0] } == "a/7/{x}/*")
  }

  @Test(.timeLimit(.minutes(5)))
  func `links and values have a limit, so that stars cost no more than their product`() throws {
    let stars = try #require(LinkPattern(String(repeating: "*a", count: 128)))
    let link = String(repeating: "a", count: LinkPattern.linkLimit - 1)
    #expect(!stars.matches(link + "b") { _ in nil })
    #expect(stars.matches(link + "a") { _ in nil })
    #expect(!stars.matches(link + "aa") { _ in nil })
    let value = try #require(LinkPattern("*{v}*"))
    #expect(!value.matches(link) { _ in link + "aaaa" })
  }
}
