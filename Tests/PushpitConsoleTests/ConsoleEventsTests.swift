import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitConsole

@Suite struct ConsoleEventsTests {
  private let path = "/api/v1/events"

  @Test func `events are sent as they happen`() throws {
    let fixture = ConsoleFixture()
    fixture.push()
    let reader = try #require(fixture.open(path))
    fixture.push()
    let step = DeliveryStep(
      device: DeviceID("d1"), state: .delivered, at: fixture.time.now, cause: "online")
    fixture.events.post(.delivery(2, step), workspace: .default, at: fixture.time.now)
    #expect(reader.events.map(\.id) == ["2", "3"])
    #expect(reader.events.map(\.name) == ["envelope", "delivery"])
    let envelope = reader.events[0].data
    #expect(envelope["type"] == "envelope")
    #expect(envelope["at"] == "2026-01-15T01:30:15.010Z")
    #expect(envelope.pointer("/envelope/id") == "e2")
    let delivery = reader.events[1].data
    #expect(delivery.pointer("/delivery/envelope") == "e2")
    #expect(delivery.pointer("/delivery/state") == "delivered")
  }

  @Test func `an event is rendered once for all its streams`() throws {
    let fixture = ConsoleFixture()
    let readers = try (1...3).map { _ in try #require(fixture.open(path)) }
    fixture.events.post(.connection(4), workspace: nil, at: fixture.time.now)
    fixture.events.post(.connection(5), workspace: nil, at: fixture.time.now)
    #expect(fixture.status.lookupCount == 2)
    for reader in readers {
      #expect(reader.events.map(\.id) == ["1", "2"])
      #expect(reader.events.map { $0.data.pointer("/connection/id") } == [4, 5])
    }
  }

  @Test func `a resumed stream shows an object as it is now`() throws {
    let fixture = ConsoleFixture()
    let live = try #require(fixture.open(path))
    let number = fixture.push()
    fixture.store.remove(EnvelopeQuery())
    let resumed = try #require(fixture.open(path, fields: ["last-event-id": "0"]))
    #expect(number == 1)
    #expect(live.events[0].data.pointer("/envelope/gone") == nil)
    #expect(resumed.events[0].data.pointer("/envelope/gone") == true)
  }

  @Test func `a stream resumes after the last event`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...3 { fixture.push() }
    let reader = try #require(fixture.open(path, fields: ["last-event-id": "1"]))
    fixture.push()
    #expect(reader.events.map(\.id) == ["2", "3", "4"])
  }

  @Test func `a stream says that events it missed are gone`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...25 { fixture.push() }
    let reader = try #require(fixture.open(path, fields: ["last-event-id": "2"]))
    #expect(reader.events.first?.name == "notice")
    #expect(reader.events.first?.id == nil)
    #expect(reader.events.first?.data.pointer("/notice/code") == "events-missed")
    #expect(reader.events.dropFirst().first?.id == "6")
    #expect(reader.events.count == 21)
  }

  @Test func `a stream of another run begins anew`() throws {
    let fixture = ConsoleFixture()
    fixture.push()
    let reader = try #require(fixture.open(path, fields: ["last-event-id": "900"]))
    #expect(reader.events.first?.data.pointer("/notice/code") == "gateway-restarted")
    #expect(reader.events.map(\.id) == [nil, "1"])
  }

  @Test func `a last event ID that is no number is refused`() {
    let fixture = ConsoleFixture()
    #expect(fixture.send("GET", path, fields: ["last-event-id": "x"]).status == 400)
  }

  @Test func `kinds and workspaces are filtered`() throws {
    let fixture = ConsoleFixture()
    let both = try #require(fixture.open(path + "?kind=device&kind=notice,connection"))
    let all = try #require(fixture.open(path + "?workspace=*"))
    let one = try #require(fixture.open(path))
    fixture.push()
    fixture.push(workspace: WorkspaceID("other"))
    fixture.events.post(.connection(4), workspace: nil, at: fixture.time.now)
    #expect(both.events.map(\.id) == ["3"])
    #expect(all.events.map(\.id) == ["1", "2", "3"])
    #expect(one.events.map(\.id) == ["1", "3"])
    #expect(both.events[0].data.pointer("/connection/gone") == true)
  }

  @Test func `a stream ends after the time that was asked for`() throws {
    let fixture = ConsoleFixture()
    let reader = try #require(fixture.open(path + "?for=1s"))
    fixture.timers.advance(by: .milliseconds(999))
    #expect(!reader.isFinished)
    fixture.timers.advance(by: .milliseconds(1))
    #expect(reader.isFinished)
    #expect(fixture.events.subscriberCount == 0)
    #expect(fixture.timers.count == 0)
  }

  @Test func `a stopping gateway ends every stream with a notice, and later ones at once`() throws {
    let fixture = ConsoleFixture()
    let first = try #require(fixture.open(path))
    fixture.console.endStreams()
    let second = try #require(fixture.open(path))
    for reader in [first, second] {
      let text = reader.text
      #expect(text.contains("gateway-stopping"))
      #expect(reader.isFinished)
    }
    #expect(fixture.events.subscriberCount == 0)
    #expect(fixture.timers.count == 0)
  }

  @Test func `a quiet stream has heartbeats until its reader goes`() throws {
    let fixture = ConsoleFixture()
    let reader = try #require(fixture.open(path))
    fixture.timers.advance(by: .seconds(31))
    #expect(reader.text == ": heartbeat\n\n: heartbeat\n\n")
    reader.close()
    #expect(fixture.timers.count == 0)
    #expect(fixture.events.subscriberCount == 0)
  }

  @Test func `a reader that is too slow gets a notice and its stream ends`() throws {
    let fixture = ConsoleFixture()
    let reader = try #require(fixture.open(path))
    reader.bufferedByteCount = EventStreamOutput.bufferLimit
    fixture.push()
    #expect(!reader.isFinished)
    reader.bufferedByteCount += 1
    fixture.push()
    #expect(reader.isFinished)
    #expect(reader.events.map(\.name) == ["envelope", "notice"])
    #expect(reader.events[1].data.pointer("/notice/code") == "reader-too-slow")
    #expect(fixture.events.subscriberCount == 0)
  }

  @Test func `what was missed waits for its reader`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...3 { fixture.push() }
    let reader = try #require(
      fixture.open(
        path, fields: ["last-event-id": "0"], unread: EventStream.catchUpLimit + 1))
    fixture.push()
    #expect(reader.events.isEmpty)
    reader.bufferedByteCount = 0
    fixture.timers.advance(by: EventStream.catchUpPause)
    fixture.push()
    #expect(reader.events.map(\.id) == ["1", "2", "3", "4", "5"])
  }

  @Test func `a stream beyond the limit is refused`() {
    let fixture = ConsoleFixture()
    let readers = (0..<EventHub.subscriberLimit).compactMap { _ in fixture.open(path) }
    #expect(readers.count == EventHub.subscriberLimit)
    #expect(fixture.send("GET", path).status == 429)
    readers.first?.close()
    #expect(fixture.open(path) != nil)
  }

  @Test func `a device that is removed is told as gone`() throws {
    let fixture = ConsoleFixture()
    let id = try #require(fixture.makeDevice()["id"]?.stringValue)
    let reader = try #require(fixture.open(path))
    #expect(fixture.send("DELETE", "/api/v1/devices/\(id)").status == 204)
    #expect(reader.events.map(\.name) == ["device"])
    #expect(reader.events[0].data.pointer("/device/id") == .string(id))
    #expect(reader.events[0].data.pointer("/device/gone") == true)
  }
}
