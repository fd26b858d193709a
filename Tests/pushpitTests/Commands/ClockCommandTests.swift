import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct ClockCommandTests {
  private let clock: JSONValue = [
    "workspace": "ci", "now": "2026-01-15T01:30:15.010Z", "offset": "61m", "frozen": false,
  ]

  @Test(
    arguments: [
      ([], nil), (["advance", "61m"], ["advance": "61m"]),
      (["set", "2026-01-15T01:30:15Z"], ["set": "2026-01-15T01:30:15Z"]),
      (["freeze"], ["freeze": true]), (["unfreeze"], ["freeze": false]),
      (["reset"], ["reset": true]),
    ] as [([String], JSONValue?)])
  func `each word is a change, and none is a look`(words: [String], body: JSONValue?) async throws {
    let (run, requests) = try await FakeConsole.run(["clock"] + words, clock)
    #expect(requests == [.init((body == nil ? "GET" : "POST") + " /api/v1/clock", body)])
    #expect(run.status == 0 && run.output == "2026-01-15T01:30:15.010Z  offset 61m\n")
  }

  @Test func `a frozen one says so, and JSON is the console's`() async throws {
    let frozen: JSONValue = ["now": "T", "offset": "0s", "frozen": true]
    let (run, requests) = try await FakeConsole.run(["clock", "--workspace", "ci"], frozen)
    #expect(requests.map(\.line) == ["GET /api/v1/clock?workspace=ci"])
    #expect(run.output == "T  frozen\n")
    let (json, _) = try await FakeConsole.run(["clock", "--json"], frozen)
    #expect(try JSONReader.parse(json.output.utf8) == frozen)
  }
}
