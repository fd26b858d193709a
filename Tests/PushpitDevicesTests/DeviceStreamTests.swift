import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct DeviceStreamTests {
  let fixture = Fixture()

  @Test func `an open stream makes a device online, the last closed one offline`() throws {
    let device = try fixture.ios()
    let first = try fixture.open(device)
    let second = try fixture.open(device)
    #expect(device.isOnline)
    first.subscription?.close()
    #expect(device.isOnline)
    second.subscription?.close()
    second.subscription?.close()
    #expect(!device.isOnline)
    #expect(fixture.recorder.changes.count == 3)
  }

  @Test func `stored pushes come first, in order`() throws {
    let device = try fixture.android()
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    let stream = try fixture.open(device)
    fixture.push(4, to: device)
    #expect(stream.log == ["1 push 1", "2 push 2", "3 push 3", "4 push 4"])
    #expect(stream.events.allSatisfy { $0.device == device.id })
  }

  @Test func `a device that is online by request stays so without streams`() throws {
    let device = try fixture.ios(online: true)
    try fixture.open(device).subscription?.close()
    #expect(device.isOnline)
    fixture.push(1, to: device)
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test func `offline by request wins over a stream, and the stream gets all when it ends`() throws
  {
    let device = try fixture.android(online: false)
    let stream = try fixture.open(device)
    #expect(!device.isOnline)
    fixture.push(1, to: device)
    fixture.push(2, to: device)
    #expect(stream.log.isEmpty)
    try fixture.directory.change(device.id, DeviceChange(json: ["online": .null]))
    #expect(stream.log == ["1 push 1", "2 push 2"])
  }

  @Test func `coming online by request puts stored pushes into the inbox`() throws {
    let device = try fixture.android()
    fixture.push(1, to: device)
    try fixture.directory.change(device.id, DeviceChange(json: ["online": true]))
    #expect(device.inbox.map(\.envelope) == [1])
    #expect(fixture.steps == ["1 stored", "1 delivered"])
  }

  @Test func `all streams of a device get its events`() throws {
    let device = try fixture.ios()
    let streams = [try fixture.open(device), try fixture.open(device)]
    fixture.push(1, to: device)
    for stream in streams { #expect(stream.log == ["1 push 1"]) }
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test func `nothing is replayed without being asked`() throws {
    let device = try fixture.ios(online: true)
    fixture.push(1, to: device)
    let stream = try fixture.open(device)
    fixture.push(2, to: device)
    #expect(stream.log == ["2 push 2"])
  }

  @Test func `a stream that resumes gets what followed, then what was stored`() throws {
    let device = try fixture.android()
    let first = try fixture.open(device)
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    first.subscription?.close()
    fixture.push(4, to: device)
    let second = try fixture.open(device, resumeAfter: 1)
    #expect(second.log == ["2 push 2", "3 push 3", "4 push 4"])
    #expect(second.subscription?.missedEventCount == 0)
    #expect(fixture.steps.count { $0.hasSuffix("delivered") } == 4)
  }

  @Test func `a stream that resumes after what is kept is told how much it missed`() throws {
    let device = try fixture.ios(online: true)
    let count = UInt64(Device.eventLimit + 5)
    for envelope in 1...count { fixture.push(envelope, to: device) }
    let stream = try fixture.open(device, resumeAfter: 2)
    #expect(stream.subscription?.missedEventCount == 3)
    #expect(stream.events.count == Device.eventLimit)
    #expect(stream.events.first?.id == 6)
    #expect(try fixture.open(device, resumeAfter: 5).subscription?.missedEventCount == 0)
  }

  @Test(arguments: [0, 3, 9, UInt64.max])
  func `a resume point that never was replays what follows it, if anything`(
    _ resumeAfter: UInt64
  ) throws {
    let device = try fixture.ios(online: true)
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    let stream = try fixture.open(device, resumeAfter: resumeAfter)
    #expect(stream.events.count == (resumeAfter == 0 ? 3 : 0))
    #expect(stream.subscription?.missedEventCount == 0)
  }

  @Test func `a stream that is closed while stored pushes come leaves the rest stored`() throws {
    let device = try fixture.android()
    let first = try fixture.open(device)
    fixture.directory.observer = nil
    try fixture.directory.change(device.id, DeviceChange(json: ["online": false]))
    fixture.directory.observer = fixture.recorder
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    first.closesAfter = 2
    try fixture.directory.change(device.id, DeviceChange(json: ["online": .null]))
    #expect(first.log == ["1 push 1", "2 push 2"])
    #expect(device.storedCount == 1)
    #expect(try fixture.open(device).log == ["3 push 3"])
  }

  @Test func `a closed stream gets nothing more`() throws {
    let device = try fixture.ios(online: true)
    let stream = try fixture.open(device)
    stream.subscription?.close()
    fixture.push(1, to: device)
    #expect(stream.log.isEmpty)
    #expect(stream.end == nil)
  }

  @Test func `one stream more than the limit is refused`() throws {
    let device = try fixture.ios()
    let streams = try (0..<Device.streamLimit).map { _ in try fixture.open(device) }
    #expect(throws: DeviceError.tooManyStreams(limit: Device.streamLimit)) {
      try fixture.open(device)
    }
    streams.first?.subscription?.close()
    _ = try fixture.open(device)
  }

  @Test func `a stream of no device is refused`() {
    #expect(throws: DeviceError.unknownDevice(DeviceID("d0"))) {
      try fixture.directory.openStream(DeviceID("d0"), receiver: Stream())
    }
  }
}
