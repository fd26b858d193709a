import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct AcknowledgementTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  @Test func `a push is delivered when the device acknowledges it, and not before`() throws {
    let device = try fixture.ios()
    let stream = try fixture.open(device, acknowledgement: .manual)
    fixture.show(1, on: device)
    fixture.show(2, on: device)
    #expect(stream.log == ["1 push 1", "2 push 2"])
    #expect(fixture.steps == ["1 stored", "2 stored"])
    #expect(
      fixture.recorder.steps[0].step.cause == "sent to the device and not acknowledged")
    #expect(device.inbox.isEmpty)
    #expect(device.storedCount == 2)
    try directory.acknowledge(device.id, upTo: 1)
    #expect(fixture.steps.suffix(2) == ["1 delivered", "1 displayed"])
    #expect(fixture.recorder.steps[2].step.cause == "the device acknowledged it")
    #expect(device.inbox.map(\.envelope) == [1])
    #expect(stream.log.last == "3 push-changed")
    try directory.acknowledge(device.id, upTo: 2)
    try directory.acknowledge(device.id, upTo: 2)
    try directory.acknowledge(device.id, upTo: 1)
    #expect(device.inbox.map(\.envelope) == [1, 2])
    #expect(fixture.steps.filter { $0.hasSuffix("delivered") } == ["1 delivered", "2 delivered"])
  }

  @Test func `what was not acknowledged is sent again as the same event, and counts once`() throws {
    let device = try fixture.android()
    let first = try fixture.open(device, acknowledgement: .manual)
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    try directory.acknowledge(device.id, upTo: 1)
    first.subscription?.close()
    fixture.push(4, to: device)
    let second = try fixture.open(device, acknowledgement: .manual)
    #expect(second.log == ["2 push 2", "3 push 3", "4 push 4"])
    try directory.acknowledge(device.id, upTo: 4)
    #expect(device.inbox.map(\.envelope) == [1, 2, 3, 4])
    #expect(
      fixture.steps == [
        "1 stored", "2 stored", "3 stored", "1 delivered", "4 stored", "2 delivered",
        "3 delivered", "4 delivered",
      ])
  }

  @Test func `a position says nothing of acknowledged pushes, and the rest is sent once`() throws {
    let device = try fixture.android()
    let first = try fixture.open(device, acknowledgement: .manual)
    fixture.push(1, to: device)
    fixture.push(2, to: device)
    try directory.acknowledge(device.id, upTo: 1)
    try directory.rotateToken(device.id)
    first.subscription?.close()
    let second = try fixture.open(device, resumeAfter: 0, acknowledgement: .manual)
    #expect(second.log == ["2 push 2", "3 token-rotated"])
  }

  @Test func `an event that never was cannot be acknowledged`() throws {
    let device = try fixture.ios()
    #expect(throws: DeviceError.noEvent(1, newest: 0)) {
      try directory.acknowledge(device.id, upTo: 1)
    }
    try directory.acknowledge(device.id, upTo: 0)
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) {
      try directory.acknowledge(DeviceID("x"), upTo: 0)
    }
  }

  @Test func `a stream that acknowledges by itself speaks for the others`() throws {
    let device = try fixture.ios()
    let manual = try fixture.open(device, acknowledgement: .manual)
    fixture.push(1, to: device)
    let automatic = try fixture.open(device)
    #expect(automatic.log == ["1 push 1"])
    #expect(fixture.steps == ["1 stored", "1 delivered"])
    fixture.push(2, to: device)
    #expect(fixture.steps.suffix(1) == ["2 delivered"])
    automatic.subscription?.close()
    fixture.push(3, to: device)
    #expect(fixture.steps.suffix(1) == ["3 stored"])
    #expect(manual.log == ["1 push 1", "2 push 2", "3 push 3"])
  }

  @Test func `a device that is online without a stream gets what was not acknowledged`() throws {
    let device = try fixture.ios()
    let stream = try fixture.open(device, acknowledgement: .manual)
    fixture.push(1, to: device)
    try fixture.change(device, #"{"online":true}"#)
    #expect(fixture.steps == ["1 stored"])
    stream.subscription?.close()
    #expect(fixture.steps == ["1 stored", "1 delivered"])
    fixture.push(2, to: device)
    #expect(device.inbox.map(\.envelope) == [1, 2])
  }

  @Test func `what was not acknowledged expires while the connection is away`() throws {
    let device = try fixture.android()
    let stream = try fixture.open(device, acknowledgement: .manual)
    fixture.push(1, to: device) { $0.timeToLive = .seconds(10) }
    fixture.push(2, to: device) { $0.timeToLive = .seconds(30) }
    fixture.advance(by: .seconds(20))
    directory.wake(at: fixture.time.now)
    #expect(fixture.steps == ["1 stored", "2 stored"])
    stream.subscription?.close()
    directory.wake(at: fixture.time.now)
    #expect(fixture.steps.last == "1 expired")
    #expect(try fixture.open(device, acknowledgement: .manual).log == ["2 push 2"])
  }

  @Test func `what was not acknowledged is dropped with the app or the device`() throws {
    for removes in [true, false] {
      let fixture = Fixture()
      let device = try fixture.android()
      _ = try fixture.open(device, acknowledgement: .manual)
      fixture.push(1, to: device)
      if removes {
        try fixture.directory.remove(device.id)
      } else {
        try fixture.directory.uninstall(device.id)
      }
      #expect(fixture.steps == ["1 stored", "1 dropped"])
    }
  }

  @Test func `beyond a thousand unacknowledged pushes the rest is stored by the vendor`() throws {
    let device = try fixture.android()
    let stream = try fixture.open(device, acknowledgement: .manual)
    for envelope in 1...1003 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    #expect(stream.events.count == 1000)
    #expect(
      fixture.recorder.steps.last?.step.cause == "the device has not acknowledged 1000 pushes")
    try directory.acknowledge(device.id, upTo: 2)
    #expect(stream.events.count == 1002)
    try directory.acknowledge(device.id, upTo: 1002)
    try directory.acknowledge(device.id, upTo: 1003)
    #expect(device.storedCount == 0)
    #expect(fixture.steps.count { $0.hasSuffix("delivered") } == 1003)
  }

  @Test func `a push that is not to be stored is delivered when it is acknowledged`() throws {
    let device = try fixture.ios()
    _ = try fixture.open(device, acknowledgement: .manual)
    fixture.push(1, to: device) { $0.expiration = 0 }
    try directory.acknowledge(device.id, upTo: 1)
    #expect(fixture.steps == ["1 stored", "1 delivered"])
  }

  @Test func `a background push that is throttled is not sent to be acknowledged`() throws {
    let device = try fixture.ios()
    fixture.workspaces.default.delivery.backgroundPerHour = 1
    let stream = try fixture.open(device, acknowledgement: .manual)
    for envelope in 1...2 as ClosedRange<UInt64> {
      fixture.push(envelope, to: device) { $0.manner.isBackground = true }
    }
    #expect(stream.log == ["1 push 1"])
    try directory.acknowledge(device.id, upTo: 1)
    #expect(fixture.steps == ["1 stored", "2 dropped", "1 delivered"])
  }

  // MARK: Property

  /// A phone that remembers what it got, over connections that break.
  private final class Phone {
    var stream: Stream?
    var isManual = false
    /// Envelopes by the event that brought them.
    var got: [UInt64: EnvelopeNumber] = [:]
    var newest: UInt64 = 0

    /// Takes over what came; a crash loses what the stream still had.
    func read(upTo count: Int = .max) {
      for event in (stream?.events ?? []).prefix(count) {
        newest = max(newest, event.id)
        guard case .push(let push) = event.content else { continue }
        if let before = got.updateValue(push.envelope, forKey: event.id) {
          #expect(before == push.envelope)
        }
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `whatever breaks, each push ends once, and none is lost or doubled`(_ seed: UInt64) throws {
    let fixture = Fixture(seed: seed)
    let random = RandomSource(seed: seed)
    let device = try seed.isMultiple(of: 2) ? fixture.ios() : fixture.android()
    let phone = Phone()
    func close() {
      phone.stream?.subscription?.close()
      phone.stream = nil
    }
    func acknowledge() throws {
      guard phone.newest > 0 else { return }
      try fixture.directory.acknowledge(device.id, upTo: phone.newest)
    }
    for envelope in 1...300 as ClosedRange<UInt64> {
      switch random.next() % 14 {
      case 0:
        phone.read()
        close()
        phone.isManual = random.next() % 3 > 0
        phone.stream = try fixture.open(
          device, acknowledgement: phone.isManual ? .manual : .automatic,
          closesAfter: random.next() % 3 == 0 ? Int(random.next() % 8) : .max)
      case 1:
        // A crash: the phone has seen some of it, and acknowledged none.
        phone.read(upTo: phone.isManual ? Int(random.next() % 5) : .max)
        close()
      case 2, 3, 4:
        phone.read()
        try acknowledge()
      case 5:
        fixture.advance(by: .seconds(Int64(random.next() % 30)))
        fixture.directory.wake(at: fixture.time.now)
      case 6: try fixture.change(device, #"{"online":false}"#)
      case 7: try fixture.change(device, #"{"online":null}"#)
      default: break
      }
      fixture.push(envelope, to: device) { fixture.vary(&$0, random) }
    }
    phone.read()
    close()
    try fixture.change(device, #"{"online":null}"#)
    phone.stream = try fixture.open(device, acknowledgement: .manual)
    phone.read()
    try acknowledge()
    var steps: [EnvelopeNumber: [DeliveryState]] = [:]
    for (envelope, step, _) in fixture.recorder.steps {
      steps[envelope, default: []].append(step.state)
    }
    #expect(steps.count == 300)
    for (envelope, states) in steps {
      let ends = states.filter { $0 != .stored }
      #expect(ends.count == 1, "e\(envelope): \(states)")
      #expect(states.count { $0 == .stored } <= 1, "e\(envelope): \(states)")
    }
    let delivered = fixture.recorder.steps.filter { $0.step.state == .delivered }.map(\.envelope)
    #expect(device.inbox.map(\.envelope) == delivered)
    // No push came by two events, and what was delivered was there to be read.
    #expect(Set(phone.got.values).count == phone.got.count)
    #expect(Set(delivered).isSubset(of: phone.got.values))
  }
}
