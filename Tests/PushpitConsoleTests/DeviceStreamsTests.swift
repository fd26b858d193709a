import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

/// Several devices on one connection, and devices that acknowledge what they get.
@Suite struct DeviceStreamsTests {
  private let fixture = ConsoleFixture()
  private let path = "/api/v1/devices"

  private func makeDevices(_ count: Int) throws -> [String] {
    try (0..<count).map { _ in try #require(fixture.makeDevice()["id"]?.stringValue) }
  }

  private func push(to id: String) throws {
    let device = try #require(fixture.devices.device(DeviceID(id)))
    let envelope = fixture.push { $0.recipient = device.apnsToken }
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.recipient = device.apnsToken
    outcome.deviceMessage = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
    fixture.devices.deliver(outcome, envelope: envelope)
  }

  @Test(arguments: [",", "&device="])
  func `several devices are online on one connection, and each event names its own`(
    _ separator: String
  ) throws {
    let ids = try makeDevices(3)
    let reader = try #require(
      fixture.open(path + "/stream?device=" + ids.joined(separator: separator)))
    for id in [ids[2], ids[0], ids[2]] { try push(to: id) }
    #expect(reader.events.map(\.name) == ["push", "push", "push"])
    #expect(reader.events.map { $0.data["device"]?.stringValue } == [ids[2], ids[0], ids[2]])
    #expect(reader.events.map { $0.data["event"] } == [1, 1, 2])
    #expect(reader.events.map(\.id) == ["1", "2", "3"])
    for id in ids { #expect(fixture.send("GET", path + "/\(id)").json["online"] == true) }
    reader.close()
    for id in ids { #expect(fixture.send("GET", path + "/\(id)").json["online"] == false) }
  }

  @Test func `a connection of several devices resumes them all, in their common order`() throws {
    let ids = try makeDevices(2)
    let target = path + "/stream?device=\(ids[0]),\(ids[1]),\(ids[0])"
    let first = try #require(fixture.open(target))
    for id in [ids[0], ids[1], ids[0], ids[1]] { try push(to: id) }
    first.close()
    let second = try #require(fixture.open(target, fields: ["last-event-id": "1"]))
    #expect(second.events.map(\.id) == ["2", "3", "4"])
    #expect(second.events.map { $0.data["device"]?.stringValue } == [ids[1], ids[0], ids[1]])
  }

  @Test func `a resumed connection is told when events are no longer kept`() throws {
    let ids = try makeDevices(2)
    let target = path + "/stream?device=\(ids[0]),\(ids[1])"
    let first = try #require(fixture.open(target))
    for _ in 0..<Device.eventLimit + 2 { try push(to: ids[0]) }
    first.close()
    for (last, notices) in [("1", 1), ("2", 0)] {
      let second = try #require(fixture.open(target, fields: ["last-event-id": last]))
      #expect(second.events.count { $0.name == "notice" } == notices)
      #expect(second.events.count { $0.name == "push" } == Device.eventLimit)
      second.close()
    }
  }

  @Test func `a connection goes on without a device that was removed, and ends with the last`()
    throws
  {
    let ids = try makeDevices(2)
    let reader = try #require(fixture.open(path + "/stream?device=\(ids[0]),\(ids[1])"))
    #expect(fixture.send("DELETE", path + "/\(ids[0])").status == 204)
    try push(to: ids[1])
    #expect(reader.events.map(\.name) == ["notice", "push"])
    #expect(!reader.isFinished)
    #expect(fixture.send("DELETE", path + "/\(ids[1])").status == 204)
    #expect(reader.isFinished)
  }

  @Test func `a thousand devices fit on a connection, and one more is refused`() throws {
    let ids = try makeDevices(DeviceStream.deviceLimit + 1)
    let target = path + "/stream?device="
    // The longest head of a request that the listener takes is 16 KiB.
    #expect((target + ids.dropLast().joined(separator: ",")).utf8.count < 15_000)
    let reader = try #require(fixture.open(target + ids.dropLast().joined(separator: ",")))
    try push(to: ids[999])
    #expect(reader.events.count == 1)
    let response = fixture.send("GET", target + ids.joined(separator: ","))
    #expect(response.status == 400)
    #expect(response.text.contains("at most 1000 devices"))
  }

  @Test(arguments: [
    ("", 400), ("?device=", 400), ("?device=d0", 404), ("?device=ID,d0", 404),
    ("?device=ID&ack=automatic", 400), ("?device=ID&for=x", 400), ("?device=ID&x=1", 400),
    ("?device=ID&workspace=other", 404),
  ])
  func `what is wrong with a connection of several devices is a problem`(
    _ query: String, _ status: Int
  ) throws {
    let id = try makeDevices(1)[0]
    let response = fixture.send(
      "GET", path + "/stream" + query.replacing("ID", with: id))
    #expect(response.status == status)
    #expect(fixture.send("GET", path + "/\(id)").json["online"] == false)
  }

  @Test func `what was stored is written although a later device has no room`() throws {
    let ids = try makeDevices(2)
    try push(to: ids[0])
    for _ in 0..<Device.streamLimit { _ = fixture.open(path + "/\(ids[1])/stream") }
    let reader = try #require(fixture.open(path + "/stream?device=\(ids[0]),\(ids[1])"))
    #expect(reader.events.map(\.name) == ["push", "notice"])
    #expect(reader.isFinished)
    #expect(fixture.send("GET", path + "/\(ids[0])").json["online"] == false)
  }

  // MARK: Acknowledgement

  @Test func `with ack=manual a push is delivered when it is acknowledged`() throws {
    let id = try makeDevices(1)[0]
    let first = try #require(fixture.open(path + "/\(id)/stream?ack=manual"))
    try push(to: id)
    try push(to: id)
    #expect(fixture.send("GET", path + "/\(id)").json["stored"] == 2)
    let answer = fixture.send("POST", path + "/\(id)/ack", body: #"{"upTo":1}"#)
    #expect(answer.status == 200)
    #expect(answer.json == ["device": .string(id), "stored": 1])
    first.close()
    let second = try #require(fixture.open(path + "/stream?device=\(id)&ack=manual"))
    #expect(second.events.map { $0.data["event"] } == [2])
    #expect(fixture.send("POST", path + "/\(id)/ack", body: #"{"upTo":2}"#).json["stored"] == 0)
    let inbox = fixture.send("GET", path + "/\(id)").json["inbox"]?.arrayValue ?? []
    #expect(inbox.map { $0["state"] } == ["displayed", "displayed"])
  }

  @Test(arguments: [
    ("", 400), ("{}", 400), ("[]", 400), (#"{"upTo":"1"}"#, 400), (#"{"upTo":-1}"#, 400),
    (#"{"upTo":1.5}"#, 400), (#"{"upTo":1,"x":1}"#, 400), (#"{"upTo":1}"#, 409),
    (#"{"upTo":0}"#, 200), (#"{"upTo":9223372036854775807}"#, 409),
  ])
  func `what cannot be acknowledged is a problem`(_ body: String, _ status: Int) throws {
    let id = try makeDevices(1)[0]
    #expect(fixture.send("POST", path + "/\(id)/ack", body: body).status == status)
  }
}
