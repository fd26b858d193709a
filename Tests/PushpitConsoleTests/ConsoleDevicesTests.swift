import PushpitDevices
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleDevicesTests {
  private let path = "/api/v1/devices"

  /// Brings an accepted push to the device with this JSON.
  private func deliver(_ fixture: ConsoleFixture, to device: JSONValue) throws {
    let token = try #require(device.pointer("/tokens/apns")?.stringValue)
    let record = try #require(fixture.tokens.record(of: Array(token.utf8)))
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.recipient = record
    outcome.deviceMessage = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
    let number = fixture.push()
    fixture.devices.deliver(outcome, envelope: number)
  }

  @Test func `a device is made, shown, changed, listed and removed`() throws {
    let fixture = ConsoleFixture()
    let made = fixture.send("POST", path, body: #"{"platform":"ios","name":"Ada's"}"#)
    #expect(made.status == 201)
    let id = try #require(made.json["id"]?.stringValue)
    #expect(made.head.fields.text("location") == "/api/v1/devices/\(id)")
    #expect(made.json["online"] == false)
    #expect(fixture.send("GET", path + "/\(id)").json["name"] == "Ada's")
    let changed = fixture.send("PATCH", path + "/\(id)", body: #"{"online":true}"#)
    #expect(changed.status == 200)
    #expect(changed.json["online"] == true)
    let list = fixture.send("GET", path)
    #expect(list.ids == [id])
    #expect(list.json["total"] == 1)
    #expect(fixture.send("DELETE", path + "/\(id)").status == 204)
    #expect(fixture.send("GET", path + "/\(id)").status == 404)
  }

  @Test func `devices are listed page by page`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...3 { _ = fixture.makeDevice() }
    let first = fixture.send("GET", path + "?limit=2")
    #expect(first.ids.count == 2)
    let cursor = try #require(first.json["next"]?.stringValue)
    let second = fixture.send("GET", path + "?limit=2&cursor=\(cursor)")
    #expect(second.ids.count == 1)
    #expect(second.json["next"] == .null)
  }

  @Test(arguments: [
    (#"{"platform":"palm"}"#, "/platform"), (#"{"platform":"ios","colour":1}"#, "/colour"),
    (#"{"platform":"ios","tokens":{"apns":"x"}}"#, "/tokens/apns"), ("{", ""), ("[]", ""),
  ])
  func `a wrong body is refused by pointer`(body: String, pointer: String) throws {
    let response = ConsoleFixture().send("POST", path, body: body)
    #expect(response.status == 400)
    let faults = try #require(response.json["errors"]?.arrayValue)
    #expect(faults.contains { $0["pointer"] == .string(pointer) })
  }

  @Test func `a token of another device is a conflict`() {
    let fixture = ConsoleFixture()
    let token = String(repeating: "ab", count: 32)
    let body = #"{"platform":"ios","tokens":{"apns":"\#(token)"}}"#
    #expect(fixture.send("POST", path, body: body).status == 201)
    #expect(fixture.send("POST", path, body: body).status == 409)
  }

  @Test(arguments: [
    ("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/stream"), ("POST", "/tap"),
    ("POST", "/uninstall"), ("POST", "/expire-token"),
  ])
  func `an unknown device is not found`(method: String, action: String) {
    let body = method == "PATCH" ? "{}" : ""
    let response = ConsoleFixture().send(method, path + "/d0" + action, body: body)
    #expect(response.status == 404)
  }

  @Test func `an open stream is the device, and gets its pushes in order`() throws {
    let fixture = ConsoleFixture()
    let device = fixture.makeDevice()
    let id = try #require(device["id"]?.stringValue)
    try deliver(fixture, to: device)
    let reader = try #require(fixture.open(path + "/\(id)/stream"))
    try deliver(fixture, to: device)
    #expect(reader.events.map(\.name) == ["push", "push"])
    #expect(reader.events.map { $0.data["envelope"] } == ["e1", "e2"])
    #expect(fixture.send("GET", path + "/\(id)").json["online"] == true)
    reader.close()
    #expect(fixture.send("GET", path + "/\(id)").json["online"] == false)
    #expect(fixture.timers.count == 0)
  }

  @Test func `a device's stream resumes after the last event`() throws {
    let fixture = ConsoleFixture()
    let device = fixture.makeDevice()
    let id = try #require(device["id"]?.stringValue)
    let first = try #require(fixture.open(path + "/\(id)/stream"))
    try deliver(fixture, to: device)
    try deliver(fixture, to: device)
    first.close()
    let last = try #require(first.events[0].id)
    let second = try #require(
      fixture.open(path + "/\(id)/stream?for=1s", fields: ["last-event-id": last]))
    #expect(second.events.map { $0.data["envelope"] } == ["e2"])
    fixture.timers.advance(by: .seconds(1))
    #expect(second.isFinished)
  }

  @Test func `the stream of a removed device ends`() throws {
    let fixture = ConsoleFixture()
    let id = try #require(fixture.makeDevice()["id"]?.stringValue)
    let reader = try #require(fixture.open(path + "/\(id)/stream"))
    #expect(fixture.send("DELETE", path + "/\(id)").status == 204)
    #expect(reader.isFinished)
    #expect(reader.events.last?.data.pointer("/notice/code") == "stream-ended")
  }

  @Test func `a tap opens what is shown`() throws {
    let fixture = ConsoleFixture()
    let device = fixture.makeDevice()
    let id = try #require(device["id"]?.stringValue)
    #expect(fixture.send("POST", path + "/\(id)/tap").status == 409)
    #expect(fixture.send("PATCH", path + "/\(id)", body: #"{"online":true}"#).status == 200)
    try deliver(fixture, to: device)
    let wrong = fixture.send("POST", path + "/\(id)/tap", body: #"{"envelope":1}"#)
    #expect(wrong.json.pointer("/errors/0/pointer") == "/envelope")
    #expect(fixture.send("POST", path + "/\(id)/tap", body: #"{"push":"e1"}"#).status == 400)
    let tapped = fixture.send("POST", path + "/\(id)/tap", body: #"{"envelope":"e1"}"#)
    #expect(tapped.status == 200)
    #expect(tapped.json.pointer("/inbox/0/state") == "tapped")
  }

  @Test func `an uninstalled app's token is dead`() throws {
    let fixture = ConsoleFixture()
    let device = fixture.makeDevice()
    let id = try #require(device["id"]?.stringValue)
    #expect(fixture.send("POST", path + "/\(id)/uninstall").status == 200)
    let token = try #require(device.pointer("/tokens/apns")?.stringValue)
    let record = try #require(fixture.tokens.record(of: Array(token.utf8)))
    #expect(record.state != .active)
  }

  @Test func `a token expires when asked, the main one unless another is named`() throws {
    let fixture = ConsoleFixture()
    let made = fixture.send(
      "POST", path, body: #"{"platform":"ios","tokens":{"voip":true,"pushToStart":true}}"#)
    #expect(made.status == 201)
    let id = try #require(made.json["id"]?.stringValue)
    func state(_ kind: String) throws -> TokenRecord.State? {
      let token = try #require(made.json.pointer("/tokens/\(kind)")?.stringValue)
      return fixture.tokens.record(of: Array(token.utf8))?.state
    }
    let action = path + "/\(id)/expire-token"
    #expect(fixture.send("POST", action, body: #"{"token":"voip"}"#).status == 200)
    #expect(try state("voip") == .expired(since: fixture.time.now))
    #expect(try state("apns") == .active)
    #expect(fixture.send("POST", action).status == 200)
    #expect(try state("apns") == .expired(since: fixture.time.now))
    #expect(fixture.send("POST", action, body: #"{"token":"fcm"}"#).status == 409)
    for (body, pointer) in [
      (#"{"token":"x"}"#, "/token"), (#"{"token":1}"#, "/token"), (#"{"kind":"voip"}"#, "/kind"),
      ("[]", ""),
    ] {
      let wrong = fixture.send("POST", action, body: body)
      #expect(wrong.status == 400)
      #expect(wrong.json.pointer("/errors/0/pointer") == .string(pointer))
    }
  }

  @Test func `a token is replaced when asked, the main one unless another is named`() throws {
    let fixture = ConsoleFixture()
    let made = fixture.send("POST", path, body: #"{"platform":"ios","firebase":true}"#)
    let id = try #require(made.json["id"]?.stringValue)
    let action = path + "/\(id)/rotate-token"
    for (kind, body) in [("apns", ""), ("fcm", #"{"token":"fcm"}"#)] {
      let old = try #require(made.json.pointer("/tokens/\(kind)")?.stringValue)
      let rotated = fixture.send("POST", action, body: body)
      #expect(rotated.status == 200)
      let new = try #require(rotated.json.pointer("/tokens/\(kind)")?.stringValue)
      #expect(new != old)
      #expect(
        fixture.tokens.record(of: Array(old.utf8))?.state == .rotated(at: fixture.time.now))
      #expect(fixture.tokens.record(of: Array(new.utf8))?.state == .active)
    }
    #expect(fixture.send("POST", action, body: #"{"token":"voip"}"#).status == 409)
    #expect(fixture.send("POST", action, body: #"{"token":"x"}"#).status == 400)
    #expect(fixture.send("POST", path + "/\(id)/uninstall").status == 200)
    #expect(fixture.send("POST", action).status == 409)
  }

  @Test
  func `an app that logged out keeps its tokens, and one that is installed again has new ones`()
    throws
  {
    let fixture = ConsoleFixture()
    let made = fixture.send("POST", path, body: #"{"platform":"ios","firebase":true}"#).json
    let id = try #require(made["id"]?.stringValue)
    let kinds = ["apns", "fcm"]
    let records = try kinds.map { kind in
      let token = try #require(made.pointer("/tokens/\(kind)")?.stringValue)
      return try #require(fixture.tokens.record(of: Array(token.utf8)))
    }
    let cleared = fixture.send("POST", path + "/\(id)/clear-token")
    #expect(cleared.status == 200 && cleared.json["tokens"] == made["tokens"])
    #expect(records.allSatisfy { $0.isCleared && $0.state == .active })
    let again = fixture.send("POST", path + "/\(id)/reinstall")
    #expect(again.status == 200 && again.json["installed"] == true)
    #expect(
      records.map(\.state)
        == Array(repeating: .unregistered(since: fixture.time.now), count: 2))
    for kind in kinds {
      let new = again.json.pointer("/tokens/\(kind)")?.stringValue ?? ""
      let record = try #require(fixture.tokens.record(of: Array(new.utf8)))
      #expect(record.state == .active && !record.isCleared)
    }
    #expect(fixture.send("POST", path + "/\(id)/uninstall").status == 200)
    #expect(fixture.send("POST", path + "/\(id)/clear-token").status == 409)
  }
}
