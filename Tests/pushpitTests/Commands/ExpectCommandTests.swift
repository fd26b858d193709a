import Foundation
import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct ExpectCommandTests {
  private let match: JSONValue = [
    "id": "e7", "receivedAt": "2026-01-15T01:30:15.010Z", "service": "apns", "outcome": "accepted",
    "topic": "com.example.app", "payload": ["aps": ["alert": "Hi"]],
  ]

  @Test func `flags become the body, and what is not given is left out`() async throws {
    let (run, requests) = try await FakeConsole.run(
      [
        "expect", "--match", "token=abc", "--match", "/aps/alert/title=Hi=1", "--match",
        "status=410",
        "--match", #"topic={"glob":"com.*"}"#, "--count", "at-least:2", "--within", "2s", "--of",
        "deliveries", "--strict", "--since", "e3",
      ], ["count": 1, "elapsed": "12ms", "matches": [match]])
    #expect(
      requests == [
        .init(
          "POST /api/v1/expect",
          [
            "match": [
              "token": "abc", "/aps/alert/title": "Hi=1", "status": ["oneOf": [410, "410"]],
              "topic": ["glob": "com.*"],
            ],
            "count": ["atLeast": 2], "within": "2s", "of": "deliveries", "strict": true,
            "since": "e3",
          ])
      ])
    #expect(run.status == 0 && run.talk.isEmpty)
    #expect(
      run.output
        == "met: 1 matched after 12ms\n01:30:15.010  apns  accepted  com.example.app  \"Hi\"\n")
    let (_, plain) = try await FakeConsole.run(["expect"], ["matches": []])
    #expect(plain.map(\.body) == [["match": [:]]])
  }

  @Test func `one that is not met is 1, with the sentence and near misses`() async throws {
    let problem: JSONValue = [
      "title": "Not met", "status": 417, "detail": "Wanted 1, found 0 within 5 s.", "matches": [],
      "nearMisses": [
        [
          "envelope": "e6", "outcome": "rejected", "status": 400, "reason": "BadDeviceToken",
          "differs": [
            ["field": "token", "expected": "abc", "found": "abd"],
            ["field": "/aps/alert", "expected": ["contains": "x"], "found": .null],
            ["field": "status", "expected": ["oneOf": [410, "410"]], "found": 200],
          ],
        ]
      ],
    ]
    let (run, _) = try await FakeConsole.run(["expect"], answering: 417, problem)
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(
      run.talk == """
        Error: Wanted 1, found 0 within 5 s.
          near miss e6: token is "abd", expected "abc"; /aps/alert is absent, expected \
        {"contains":"x"}; status is 200, expected 410; it was refused: 400 BadDeviceToken

        """)
    let (json, _) = try await FakeConsole.run(["expect", "--json"], answering: 417, problem)
    #expect(json.status == 1 && json.talk == "Error: Wanted 1, found 0 within 5 s.\n")
    #expect(try JSONReader.parse(json.output.utf8) == problem)
  }

  @Test func `a delivery has its device and state, and what strict forbids says so`() async throws {
    let (run, _) = try await FakeConsole.run(
      ["expect", "--of", "deliveries"],
      [
        "count": 1,
        "matches": [["delivery": ["device": "d1", "state": "tapped"], "envelope": match]],
      ])
    #expect(
      run.output == "met: 1 matched\n"
        + "d1  tapped  01:30:15.010  apns  accepted  com.example.app  \"Hi\"\n")
    let (strict, _) = try await FakeConsole.run(
      ["expect", "--strict"], answering: 417,
      ["detail": "No.", "nearMisses": [["envelope": "e9", "outcome": "accepted", "differs": []]]])
    #expect(strict.talk == "Error: No.\n  near miss e9: nothing of the kind was expected\n")
  }

  @Test(
    arguments: [
      (["id": 7, "pushes": 12], "connection 7  12 pushes"),
      (["keyID": "K", "sha256": "c0ffee", "requests": 3], "key K  3 requests"),
      (
        ["code": "c", "severity": "error", "what": "w", "fix": "f", "evidence": ["e1", "e2"]],
        "error  c: w\n  fix: f\n  seen in e1 e2"
      ),
    ] as [(JSONValue, String)])
  func `what senders do is told by its own facts`(match: JSONValue, lines: String) {
    #expect(
      ExpectationText.met(["count": 1, "matches": [match]]).dropFirst().joined(separator: "\n")
        == lines)
  }

  @Test func `only the first near misses are printed`() {
    let misses = (1...9).map { JSONValue.object(JSONObject(["envelope": .string("e\($0)")])) }
    let text = ExpectationText.missed(["nearMisses": .array(misses)], hasDetails: true)
    #expect(text.split(separator: "\n").count == 1 + ExpectationText.nearMissLimit)
  }

  @Test func `a wrong field is misuse, too many waiters are a failure`() async throws {
    let (wrong, _) = try await FakeConsole.run(
      ["expect", "--match", "tokn=a"], answering: 400,
      ["title": "Not valid", "errors": [["pointer": "/match/tokn", "detail": "Unknown field."]]])
    #expect(wrong.status == 64 && wrong.talk.contains("/match/tokn Unknown field."))
    let (full, _) = try await FakeConsole.run(["expect"], answering: 429, ["title": "Too many"])
    #expect(full.status == 1 && full.talk == "Error: the console answered 429: Too many\n")
  }

  @Test func `a body comes from a file`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let path = file.path(percentEncoded: false)
    try Data(#"{"match":{"a":1}}"#.utf8).write(to: file)
    let (run, requests) = try await FakeConsole.run(["expect", "--body", path], ["matches": []])
    #expect(run.status == 0)
    #expect(requests.map(\.body) == [["match": ["a": 1]]])
    try Data("{".utf8).write(to: file)
    #expect(try await FakeConsole.run(["expect", "--body", path]).run.status == 64)
    // Standard input is empty here.
    #expect(try await FakeConsole.run(["expect", "--body", "-"]).run.status == 64)
    let missing = try await FakeConsole.run(["expect", "--body", path + "x"]).run
    #expect(missing.status == 1 && missing.talk.contains("cannot read"))
  }

  @Test(
    arguments: [
      ("abc", "abc"), ("7", ["oneOf": [7, "7"]]), ("true", ["oneOf": [true, "true"]]),
      (#""7""#, "7"), ("null", .null), ("[1]", [1]), (#"{"not":1}"#, ["not": 1]), ("", ""),
      ("7x", "7x"),
    ] as [(String, JSONValue)])
  func `a value is JSON where it is JSON`(text: String, condition: JSONValue) {
    #expect(ExpectationBody.condition(text) == condition)
  }
}
