import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct ReportCommandTests {
  private func report(_ severity: String) -> JSONValue {
    [
      "verdict": "3 pushes: it was sent again, twice.",
      "findings": [
        [
          "code": "retry-after-refusal", "severity": .string(severity), "what": "it was sent again",
          "fix": "do not", "evidence": ["e1", "e2"],
        ]
      ],
      "tokens": [
        "prune": ["total": 1, "items": [["token": "ab", "why": "the vendor says so"]]],
        "keep": ["total": 2, "items": [["token": "cd", "why": "it was accepted"]]],
        "fix": ["total": 1, "items": [["token": "e\u{1B}f", "why": "it was refused"]]],
      ],
    ]
  }

  @Test func `findings have a fix and evidence, and tokens to act on are listed`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["report", "--workspace", "ci"], report("error"))
    #expect(requests.map(\.line) == ["GET /api/v1/report?workspace=ci"])
    #expect(run.status == 0)
    #expect(
      run.output == """
        3 pushes: it was sent again, twice.
        error  retry-after-refusal: it was sent again
          fix: do not
          seen in e1 e2
        tokens  prune 1, keep 2, fix 1
        prune  ab  the vendor says so
        fix  e f  it was refused

        """)
  }

  @Test(
    arguments: [
      ("error", "error", 1), ("warning", "error", 0), ("error", "warning", 1),
      ("warning", "warning", 1),
    ] as [(String, String, Int32)])
  func `with --fail-on what was found decides`(
    severity: String, level: String, status: Int32
  ) async throws {
    let (run, _) = try await FakeConsole.run(
      ["report", "--fail-on", level, "--json"], report(severity))
    #expect(run.status == status)
    #expect(try JSONReader.parse(run.output.utf8) == report(severity))
  }

  @Test func `without findings nothing fails`() async throws {
    let (run, _) = try await FakeConsole.run(
      ["report", "--fail-on", "warning"], ["verdict": "Nothing was pushed.", "findings": []])
    #expect(run.status == 0)
    #expect(run.output == "Nothing was pushed.\ntokens  prune 0, keep 0, fix 0\n")
  }
}
