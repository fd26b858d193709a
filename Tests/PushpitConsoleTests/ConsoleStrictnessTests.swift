import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

/// What a call does not know is refused by name, in every route.
@Suite struct ConsoleStrictnessTests {
  /// Whether an answer refuses a value at this place, among others.
  private func refuses(_ answer: ReceivedResponse, _ kind: String, _ place: String) -> Bool {
    let errors = answer.json["errors"]?.arrayValue ?? []
    return answer.status == 400 && errors.contains { $0[kind] == .string(place) }
  }

  /// A call of the safety tests, on a fixture of its own with a device.
  private func send(_ call: ConsoleSafetyTests.Call, query: String = "", body: String = "")
    -> ReceivedResponse
  {
    let fixture = ConsoleFixture()
    let device = fixture.makeDevice()["id"]?.stringValue ?? ""
    var target = call.target.split(separator: "DEVICE", omittingEmptySubsequences: false)
      .joined(separator: device)
    if !query.isEmpty { target += (target.contains("?") ? "&" : "?") + query }
    return fixture.send(call.method, target, body: body)
  }

  @Test(arguments: ConsoleSafetyTests.calls.filter { $0.target != "/" })
  func `a parameter that a call does not know is refused by name`(call: ConsoleSafetyTests.Call) {
    let answer = send(call, query: "nonsense=1", body: call.body)
    #expect(refuses(answer, "parameter", "nonsense"))
  }

  @Test(arguments: ConsoleSafetyTests.calls.filter { !$0.body.isEmpty && $0.method != "DELETE" })
  func `a member that a call does not know is refused by name`(call: ConsoleSafetyTests.Call) {
    // What adds credentials is the gateway's to read.
    guard !call.target.hasSuffix("/credentials") else { return }
    #expect(refuses(send(call, body: #"{"a/b":1}"#), "pointer", "/a~1b"))
    #expect(refuses(send(call, body: "[]"), "pointer", ""))
    #expect(refuses(send(call, body: "{"), "pointer", ""))
  }

  @Test(arguments: [
    ("/api/v1/events?kind=", "kind"), ("/api/v1/events?kind=envelope,", "kind"),
    ("/api/v1/devices/stream?device=", "device"), ("/api/v1/devices/stream?device=a,,b", "device"),
    ("/api/v1/envelopes?status=99", "status"), ("/api/v1/envelopes?status=600", "status"),
    ("/api/v1/envelopes?limit=1.0", "limit"), ("/api/v1/envelopes?limit=1&limit=2", "limit"),
    ("/api/v1/envelopes?q=", "q"), ("/api/v1/events?for=1.5s", "for"),
  ])
  func `a value that makes no sense is refused with its parameter`(target: String, name: String) {
    #expect(refuses(ConsoleFixture().send("GET", target), "parameter", name))
  }

  @Test func `a header that makes no sense is refused with its name`() {
    let answer = ConsoleFixture().send(
      "GET", "/api/v1/events", fields: ["last-event-id": "first"])
    #expect(refuses(answer, "header", "last-event-id"))
  }

  @Test func `a path is told the methods of its own route alone`() {
    let answer = ConsoleFixture().send("DELETE", "/api/v1/devices/stream")
    #expect(answer.status == 405)
    #expect(answer.head.fields.text("allow") == "GET, HEAD")
  }

  @Test func `a whole number may be written with a fraction of zero`() {
    let fixture = ConsoleFixture()
    for (value, status) in [("5.0", 200), ("5e0", 200), ("5.5", 400), ("1e400", 400)] {
      let answer = fixture.send(
        "PATCH", "/api/v1/workspaces/default",
        body: #"{"settings":{"providerTokenUpdates":\#(value)}}"#)
      #expect(answer.status == status)
    }
    #expect(fixture.workspaces.default.apns.providerTokenUpdates == 5)
  }
}
