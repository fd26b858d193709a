import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleClockTests {
  private let fixture = ConsoleFixture()

  private func post(_ body: String) -> ReceivedResponse {
    fixture.send("POST", "/api/v1/clock", body: body)
  }

  @Test func `a clock is read`() {
    let clock = fixture.send("GET", "/api/v1/clock").json
    #expect(
      clock == [
        "workspace": "default", "now": "2026-01-15T01:30:15.010Z",
        "real": "2026-01-15T01:30:15.010Z", "offset": "0s", "frozen": false,
      ])
  }

  @Test func `a clock is advanced, frozen, set and reset`() {
    let advanced = post(#"{"advance":"61m"}"#)
    #expect(advanced.status == 200)
    #expect(advanced.json["now"] == "2026-01-15T02:31:15.010Z")
    #expect(advanced.json["offset"] == "61m")
    #expect(
      fixture.workspaces.default.time(at: fixture.time.now).rfc3339.hasPrefix("2026-01-15T02"))
    #expect(post(#"{"freeze":true}"#).json["frozen"] == true)
    fixture.time.now = fixture.time.now + .seconds(5)
    #expect(fixture.send("GET", "/api/v1/clock").json["now"] == "2026-01-15T02:31:15.010Z")
    #expect(post(#"{"set":"2030-01-01T00:00:00Z"}"#).json["now"] == "2030-01-01T00:00:00.000Z")
    #expect(post(#"{"freeze":false}"#).json["frozen"] == false)
    #expect(post(#"{"reset":true}"#).json["offset"] == "0s")
    #expect(fixture.workspaces.default.clock == WorkspaceClock())
  }

  @Test func `a clock that runs behind has a negative offset`() {
    let clock = post(#"{"set":"2026-01-15T01:30:14.010Z"}"#).json
    #expect(clock["offset"] == "-1s")
  }

  @Test(arguments: [
    (#"{}"#, ""), (#"[]"#, ""), (#"{"advance":"1m","freeze":true}"#, ""),
    (#"{"advance":60}"#, "/advance"), (#"{"advance":"1 m"}"#, "/advance"),
    (#"{"advance":"-1m"}"#, "/advance"), (#"{"set":"tomorrow"}"#, "/set"),
    (#"{"freeze":"yes"}"#, "/freeze"), (#"{"reset":false}"#, "/reset"),
    (#"{"rewind":"1m"}"#, "/rewind"), (#"{"a/b":1}"#, "/a~1b"),
  ])
  func `a change that cannot be made is refused with its place`(body: String, pointer: String) {
    let answer = post(body)
    #expect(answer.status == 400)
    #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == pointer)
    #expect(fixture.workspaces.default.clock == WorkspaceClock())
  }

  @Test(arguments: [
    #"{"advance":"1000000000h"}"#, #"{"set":"1969-12-31T23:59:59Z"}"#,
    #"{"set":"9000-01-01T00:00:00Z"}"#,
  ])
  func `a clock does not leave the years that it can show`(body: String) {
    let answer = post(body)
    #expect(answer.status == 409)
    #expect(answer.json["code"] == "conflict")
    #expect(fixture.workspaces.default.clock == WorkspaceClock())
  }

  @Test func `a clock is of one workspace that exists`() {
    #expect(fixture.send("GET", "/api/v1/clock?workspace=default").status == 200)
    #expect(fixture.send("GET", "/api/v1/clock?workspace=nowhere").status == 404)
    #expect(fixture.send("GET", "/api/v1/clock?workspace=*").status == 400)
  }

  @Test(arguments: [
    ("0s", 0), ("1ms", 1), ("1500ms", 1500), ("90s", 90_000), ("20m", 1_200_000), ("2h", 7_200_000),
  ])
  func `durations are written as they are read`(text: String, milliseconds: Int) {
    #expect(DurationText.write(.milliseconds(milliseconds)) == text)
    #expect(DurationText.parse(text) == .milliseconds(milliseconds))
  }
}
