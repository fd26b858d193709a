import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct EnvelopesCommandTests {
  private let envelope: JSONValue = [
    "id": "e7", "receivedAt": "2026-01-15T01:30:15.010Z", "answeredAt": "2026-01-15T01:30:15.011Z",
    "service": "apns", "method": "POST", "path": "/3/device/ab12", "outcome": "accepted",
    "status": 200, "topic": "com.example.app", "token": "ab12",
    "headers": [["apns-topic", "com.example.app"], ["x", "a\u{1B}b"]],
    "payload": ["aps": ["alert": "Hi"]], "connection": 3, "stream": 5, "protocol": "h2",
    "tls": "TLSv1.3", "credential": ["kind": "providerToken", "keyID": "K"],
    "deliveries": [
      ["device": "d1", "history": [["at": "T", "state": "delivered", "cause": "online"]]]
    ],
  ]

  @Test func `filters become parameters`() async throws {
    let (run, requests) = try await FakeConsole.run(
      [
        "envelopes", "--push-type", "voip", "--status", "410", "--q", "two words", "--device", "d1",
        "--workspace", "ci", "--limit", "3",
      ], ["items": [envelope], "total": 9])
    #expect(run.status == 0)
    #expect(
      requests.map(\.line) == [
        "GET /api/v1/envelopes?pushType=voip&status=410&device=d1&q=two%20words&limit=3&workspace=ci"
      ])
    #expect(run.output.hasPrefix("01:30:15.010  apns  accepted  com.example.app  ab12  \"Hi\"\n"))
    #expect(run.talk == "1 of 9; --limit shows more\n")
  }

  @Test func `one is shown whole, without control characters`() async throws {
    let (run, requests) = try await FakeConsole.run(["envelopes", "e7"], envelope)
    #expect(requests.map(\.line) == ["GET /api/v1/envelopes/e7"])
    #expect(
      run.output == """
        01:30:15.010  apns  accepted  com.example.app  ab12  "Hi"

        POST /3/device/ab12
        apns-topic: com.example.app
        x: a b

        {
          "aps": {
            "alert": "Hi"
          }
        }

        credential  providerToken  K
        token       ab12
        received    2026-01-15T01:30:15.010Z
        answered    2026-01-15T01:30:15.011Z
        came by     connection 3, stream 5, h2, TLSv1.3
        T  d1  delivered  online

        """)
  }

  @Test func `with --json it is the console's JSON`() async throws {
    let (run, _) = try await FakeConsole.run(["envelopes", "e7", "--json"], envelope)
    #expect(try JSONReader.parse(run.output.utf8) == envelope)
  }

  @Test func `an export is printed as it is`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["envelopes", "e7", "--as", "curl"], bytes: Array("curl é".utf8))
    #expect(requests.map(\.line) == ["GET /api/v1/envelopes/e7/as/curl"])
    #expect(run.output == "curl é" && run.talk.isEmpty)
  }

  @Test func `what fits no form is a failure that says why`() async throws {
    let (run, _) = try await FakeConsole.run(
      ["envelopes", "e7", "--as", "adb"], answering: 409, ["title": "Conflict", "detail": "No."])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.talk == "Error: the console answered 409: Conflict; No.\n")
  }

  @Test func `deleting has the same filters`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["envelopes", "--delete", "--service", "fcm"], answering: 204)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(requests.map(\.line) == ["DELETE /api/v1/envelopes?service=fcm"])
  }
}
