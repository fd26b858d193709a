import Testing

@testable import PushpitDevices

@Suite struct CallbackTextTests {
  private let values = CallbackValues(
    token: "t:1", platform: "ios", app: "a.b", device: "d1", deliveryID: "x\"y", messageID: "m")

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("{token}", "t:1"), ("{token}{app}", "t:1a.b"),
    ("a {device} b", "a d1 b"), (#"{"t":"{token}"}"#, #"{"t":"t:1"}"#), ("{}", "{}"), ("{", "{"),
    ("}{platform}{", "}ios{"), ("{{token}}", "{t:1}"), ("{ token }", "{ token }"),
    ("{deliveryID}/{messageID}", "x\"y/m"), ("{tok\u{E9}n}", "{tok\u{E9}n}"),
  ])
  func `names in braces become values, other braces are text`(
    source: String, expected: String
  ) throws {
    let text = try CallbackText(source)
    #expect(text.text(values) == expected)
    #expect(text.source == source)
  }

  @Test func `each value is escaped, and nothing else is`() throws {
    #expect(try CallbackText("<{token}>").text(values) { "[\($0)]" } == "<[t:1]>")
  }

  @Test func `a value with braces is not looked at again`() throws {
    let text = try CallbackText("{deliveryID}{messageID}")
    let values = CallbackValues(deliveryID: "{messageID}", messageID: "m")
    #expect(text.text(values) == "{messageID}m")
  }

  @Test(arguments: ["{tokens}", "a{Token}b", "{x}", #"{"t":"{fcmToken}"}"#])
  func `an unknown name is refused by name`(source: String) throws {
    let fault = try #require(throws: CallbackFault.self) { try CallbackText(source) }
    let name = ["tokens", "Token", "x", "fcmToken"].first { source.contains("{\($0)}") }
    #expect(
      fault.detail.hasPrefix("unknown placeholder {\(try #require(name))}; known are {token}"))
  }
}
