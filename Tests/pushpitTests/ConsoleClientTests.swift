import PushpitJSON
import Testing

@testable import pushpit

@Suite struct ConsoleClientTests {
  @Test func `a problem is one line: its title, and its errors or else its detail`() {
    #expect(
      ConsoleClient.explanation(404, ["title": "There is no such thing", "detail": "No d1."])
        == "the console answered 404: There is no such thing; No d1.")
    #expect(
      ConsoleClient.explanation(
        400,
        [
          "title": "Not valid", "detail": "expected a",
          "errors": [
            ["pointer": "/a", "detail": "expected a"], ["pointer": "", "detail": "b is missing"],
          ],
        ]) == "the console answered 400: Not valid; /a expected a; b is missing")
    #expect(ConsoleClient.explanation(502, nil) == "the console answered 502")
  }
}
