import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleExportsTests {
  private func fixture() -> ConsoleFixture {
    let fixture = ConsoleFixture()
    fixture.status.gateway = [
      "gateway": "https://localhost:2197", "gatewayClear": "http://localhost:2197", "state": "/s",
    ]
    fixture.push { $0.token = Array("ab12".utf8)[...] }
    return fixture
  }

  @Test(arguments: [
    ("curl", "text/plain; charset=utf-8"), ("simctl", "text/plain; charset=utf-8"),
    ("apns", "application/json"), ("http", "message/http"),
  ])
  func `an envelope is had in a form`(form: String, type: String) {
    let response = fixture().send("GET", "/api/v1/envelopes/e1/as/" + form)
    #expect(response.status == 200)
    #expect(response.head.fields.text("content-type") == type)
    #expect(response.head.fields.text("x-content-type-options") == "nosniff")
    #expect(
      response.head.fields.text("content-disposition")
        == (form == "apns" ? #"attachment; filename="e1.apns""# : nil))
  }

  @Test func `a form that does not fit says why`() {
    let response = fixture().send("GET", "/api/v1/envelopes/e1/as/adb")
    #expect(response.status == 409)
    #expect(response.json["detail"] == "Envelope e1 is no message of FCM's messages:send.")
  }

  @Test func `a request of a workspace with a port of its own goes there again`() {
    let fixture = fixture()
    fixture.status.keeper.ports[.default] = 4711
    let text = fixture.send("GET", "/api/v1/envelopes/e1/as/curl").text
    #expect(text.contains(" http://localhost:4711/3/device/abc\n"))
  }

  @Test func `an unknown form names those that are there`() {
    let response = fixture().send("GET", "/api/v1/envelopes/e1/as/wget")
    #expect(response.status == 404)
    #expect(
      response.json["detail"]
        == "There is no form \"wget\"; known: curl, simctl, adb, apns, http.")
  }

  @Test func `an envelope that is not there has no form`() {
    #expect(fixture().send("GET", "/api/v1/envelopes/e2/as/curl").status == 404)
    #expect(fixture().send("GET", "/api/v1/envelopes/e1/as/curl?workspace=x").status == 404)
  }

  @Test func `before the gateway listens there is nowhere to send to`() {
    let fixture = fixture()
    fixture.status.gateway = .null
    #expect(fixture.send("GET", "/api/v1/envelopes/e1/as/curl").status == 503)
  }
}
