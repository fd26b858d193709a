import PushpitJSON
import Testing

@testable import PushpitClient

@Suite struct ConsoleCallErrorTests {
  @Test func `a problem is one line: its title, and its errors or else its detail`() {
    #expect(
      ConsoleCallError.explanation(404, ["title": "There is no such thing", "detail": "No d1."])
        == "the console answered 404: There is no such thing; No d1.")
    #expect(
      ConsoleCallError.explanation(
        400,
        [
          "title": "Not valid", "detail": "expected a",
          "errors": [
            ["pointer": "/a", "detail": "expected a"], ["pointer": "", "detail": "b is missing"],
          ],
        ]) == "the console answered 400: Not valid; /a expected a; b is missing")
    #expect(ConsoleCallError.explanation(502, nil) == "the console answered 502")
  }
}
