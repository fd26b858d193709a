import PushpitDevices
import PushpitModel
import Testing

/// The table "Delivery" of the design, row by row; evidence: Apple, "Sending notification requests
/// to APNs"; Firebase, "About FCM messages" and the reference of `AndroidConfig.ttl`.
@Suite struct DeliveryTests {
  let fixture = Fixture()

  @Test func `a push for nobody known does nothing`() {
    let outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    fixture.directory.deliver(outcome, envelope: 1)
    #expect(fixture.steps.isEmpty)
  }

  @Test func `a push to an undeclared token does nothing`() {
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.recipient = fixture.tokens.adopt([0x61], kind: .apns, workspace: .default)
    fixture.directory.deliver(outcome, envelope: 1)
    #expect(fixture.steps.isEmpty)
  }

  @Test func `an online device gets pushes at once, in order of acceptance`() throws {
    for device in [try fixture.ios(online: true), try fixture.android(online: true)] {
      for envelope in 1...5 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
      #expect(device.inbox.map(\.envelope) == [1, 2, 3, 4, 5])
      #expect(device.inbox.allSatisfy { $0.state == .delivered })
    }
    #expect(fixture.steps.prefix(2) == ["1 delivered", "2 delivered"])
    let step = try #require(fixture.recorder.steps.first?.step)
    #expect(step.cause == "the device is online")
    #expect(step.at == fixture.time.now)
  }

  @Test func `a device starts offline, and the push is stored`() throws {
    let device = try fixture.ios()
    fixture.push(1, to: device)
    #expect(fixture.steps == ["1 stored"])
    #expect(device.inbox.isEmpty)
    #expect(device.storedCount == 1)
  }

  @Test func `steps are at the time of the device's workspace`() throws {
    let device = try fixture.ios(online: true)
    fixture.workspaces.default.clock.offset = .seconds(60)
    fixture.push(1, to: device)
    #expect(fixture.recorder.steps.first?.step.at == fixture.time.now + .seconds(60))
    #expect(fixture.recorder.steps.first?.workspace == .default)
  }

  @Test func `the inbox keeps the newest thousand`() throws {
    let device = try fixture.ios(online: true)
    for envelope in 1...1001 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    #expect(device.inbox.count == Device.inboxLimit)
    #expect(device.inbox.first?.envelope == 2)
    #expect(device.inbox.last?.envelope == 1001)
  }

  // MARK: APNs

  @Test func `APNs stores the newest push only`() throws {
    let device = try fixture.ios()
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    #expect(fixture.steps == ["1 stored", "1 dropped", "2 stored", "2 dropped", "3 stored"])
    #expect(fixture.recorder.steps[1].step.cause == "replaced by a newer push")
    let stream = try fixture.open(device)
    #expect(stream.log == ["1 push 3"])
    #expect(fixture.steps.last == "3 delivered")
    #expect(fixture.recorder.steps.last?.step.cause == "the device came online")
  }

  @Test func `apns-expiration 0 is now or never`() throws {
    let device = try fixture.ios()
    fixture.push(1, to: device)
    fixture.push(2, to: device) { $0.expiration = 0 }
    #expect(fixture.steps == ["1 stored", "2 dropped"])
    #expect(device.storedCount == 1)
    try fixture.open(device).subscription?.close()
    fixture.advance(by: .seconds(1))
    let stream = try fixture.open(device)
    fixture.push(3, to: device) { $0.expiration = 0 }
    #expect(stream.log == ["2 push 3"])
  }

  // A sender writes `apns-expiration` by its own clock, which never moved.
  @Test func `an expiration is by the clock's lead when the push came, and ages after it`() throws {
    let device = try fixture.ios()
    fixture.workspaces.default.clock.offset = .seconds(3600)
    fixture.push(1, to: device) { $0.expiration = 1_800_000_060 }
    #expect(fixture.steps == ["1 stored"])
    fixture.workspaces.default.clock.offset = .seconds(3659)
    #expect(try fixture.open(device).log == ["1 push 1"])
    let other = try fixture.ios()
    fixture.push(2, to: other) { $0.expiration = 1_800_000_060 }
    fixture.workspaces.default.clock.offset = .seconds(3719)
    #expect(try fixture.open(other).log.isEmpty)
    #expect(fixture.steps.last == "2 expired")
  }

  @Test func `a stored message expires when the clock is moved, without waiting`() throws {
    let device = try fixture.android()
    fixture.push(1, to: device) { $0.timeToLive = .seconds(60) }
    fixture.workspaces.default.clock.offset = .seconds(60)
    #expect(try fixture.open(device).log.isEmpty)
    #expect(fixture.steps == ["1 stored", "1 expired"])
  }

  @Test(arguments: [1, 1_799_999_999, 1_800_000_000, -5, Int64.min] as [Int64])
  func `an expiration that is past expires at once when offline`(_ expiration: Int64) throws {
    let device = try fixture.ios()
    fixture.push(1, to: device) { $0.expiration = expiration }
    #expect(fixture.steps == ["1 expired"])
  }

  @Test func `a past expiration does not matter to an online device`() throws {
    let device = try fixture.ios(online: true)
    fixture.push(1, to: device) { $0.expiration = 1 }
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test(arguments: [
    (1_800_000_060 as Int64?, Duration.seconds(60)), (nil, .seconds(30 * 86_400)),
    (4_000_000_000, .seconds(30 * 86_400)), (Int64.max, .seconds(30 * 86_400)),
  ])
  func `a stored push is kept to its expiration, 30 days at most`(
    _ expiration: Int64?, _ lifetime: Duration
  ) throws {
    for (wait, expected) in [(lifetime - .milliseconds(1), "1 delivered"), (lifetime, "1 expired")]
    {
      let fixture = Fixture()
      let device = try fixture.ios()
      fixture.push(1, to: device) { $0.expiration = expiration }
      fixture.advance(by: wait)
      let stream = try fixture.open(device)
      #expect(fixture.steps == ["1 stored", expected])
      #expect(stream.events.count == (expected == "1 delivered" ? 1 : 0))
    }
  }

  @Test func `a stored push that is past its time when a newer comes is expired, not dropped`()
    throws
  {
    let device = try fixture.ios()
    fixture.push(1, to: device) { $0.expiration = 1_800_000_010 }
    fixture.advance(by: .seconds(11))
    fixture.push(2, to: device)
    #expect(fixture.steps == ["1 stored", "1 expired", "2 stored"])
  }

  @Test func `an FCM message to an iOS device is stored as APNs does`() throws {
    let device = try fixture.directory.create(
      DeviceSpecification(platform: .ios, hasFirebase: true))
    for envelope in 1...2 as ClosedRange<UInt64> {
      fixture.push(envelope, to: device) {
        $0.service = .fcm
        $0.recipient = device.fcmToken
      }
    }
    #expect(fixture.steps == ["1 stored", "1 dropped", "2 stored"])
  }

  // MARK: FCM

  @Test func `FCM stores a hundred messages in order`() throws {
    let device = try fixture.android()
    for envelope in 1...100 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    #expect(device.storedCount == 100)
    let stream = try fixture.open(device)
    #expect(stream.log == (1...100).map { "\($0) push \($0)" })
  }

  @Test func `the 101st message drops all, and the device is told once`() throws {
    let device = try fixture.android()
    for envelope in 1...101 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    #expect(fixture.steps.suffix(101) == (1...101).map { "\($0) dropped" })
    fixture.push(102, to: device)
    let stream = try fixture.open(device)
    #expect(stream.log == ["1 deleted-messages", "2 push 102"])
    stream.subscription?.close()
    #expect(try fixture.open(device).log.isEmpty)
  }

  @Test func `messages past their time make room before all are dropped`() throws {
    let device = try fixture.android()
    fixture.push(1, to: device) { $0.timeToLive = .seconds(5) }
    for envelope in 2...100 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    fixture.advance(by: .seconds(5))
    fixture.push(101, to: device)
    #expect(fixture.steps.suffix(2) == ["1 expired", "101 stored"])
    #expect(device.storedCount == 100)
  }

  @Test(arguments: [Duration.zero, .milliseconds(999)])
  func `a ttl of no whole second is now or never`(_ timeToLive: Duration) throws {
    let device = try fixture.android()
    fixture.push(1, to: device) { $0.timeToLive = timeToLive }
    #expect(fixture.steps == ["1 dropped"])
    #expect(fixture.recorder.steps[0].step.cause == "the device is offline and its ttl is 0")
    let stream = try fixture.open(device)
    fixture.push(2, to: device) { $0.timeToLive = timeToLive }
    #expect(stream.log == ["1 push 2"])
  }

  @Test(arguments: [
    (Duration.milliseconds(1900) as Duration?, Duration.seconds(1)), (.seconds(60), .seconds(60)),
    (nil, .seconds(28 * 86_400)), (.seconds(90 * 86_400), .seconds(28 * 86_400)),
  ])
  func `a message is kept for its ttl in whole seconds, 4 weeks at most`(
    _ timeToLive: Duration?, _ lifetime: Duration
  ) throws {
    for (wait, expected) in [(lifetime - .milliseconds(1), "1 delivered"), (lifetime, "1 expired")]
    {
      let fixture = Fixture()
      let device = try fixture.android()
      fixture.push(1, to: device) { $0.timeToLive = timeToLive }
      fixture.advance(by: wait)
      _ = try fixture.open(device)
      #expect(fixture.steps == ["1 stored", expected])
    }
  }

  @Test func `a message with the same collapse key replaces the stored one`() throws {
    let device = try fixture.android()
    for (envelope, key) in [(1, "a"), (2, "b"), (3, ""), (4, "a"), (5, "")] as [(UInt64, String)] {
      fixture.push(envelope, to: device) { $0.collapse = Array(key.utf8)[...] }
    }
    #expect(
      fixture.steps == [
        "1 stored", "2 stored", "3 stored", "1 collapsed", "4 stored", "5 stored",
      ])
    #expect(try fixture.open(device).log == ["1 push 2", "2 push 3", "3 push 4", "4 push 5"])
  }

  @Test func `a fifth collapse key drops the oldest`() throws {
    let device = try fixture.android()
    for (envelope, key) in zip(1..., ["a", "b", "", "c", "d", "e"]) as Zip2Sequence {
      fixture.push(EnvelopeNumber(envelope), to: device) { $0.collapse = Array(key.utf8)[...] }
    }
    #expect(fixture.steps.suffix(2) == ["1 dropped", "6 stored"])
    #expect(device.storedCount == 5)
  }

  @Test func `messages past their time leave their collapse keys to live ones`() throws {
    let device = try fixture.android()
    for (envelope, key) in zip(1..., ["a", "b", "c", "d", "e"]) as Zip2Sequence {
      if key == "e" { fixture.advance(by: .seconds(5)) }
      fixture.push(EnvelopeNumber(envelope), to: device) {
        $0.collapse = Array(key.utf8)[...]
        if key == "b" { $0.timeToLive = .seconds(5) }
      }
    }
    #expect(fixture.steps.suffix(2) == ["2 expired", "5 stored"])
    #expect(device.storedCount == 4)
  }

  // Google, "Non-collapsible and collapsible messages": by default with the package name as the key.
  @Test func `of 101 notification messages the newest is stored, by the package name`() throws {
    let device = try fixture.android()
    for envelope in 1...101 as ClosedRange<UInt64> {
      fixture.push(envelope, to: device) { $0.collapsesByApp = true }
    }
    #expect(device.storedCount == 1)
    #expect(fixture.steps.suffix(2) == ["100 collapsed", "101 stored"])
    fixture.push(102, to: device)
    fixture.push(103, to: device) { $0.collapse = Array(device.app.utf8)[...] }
    #expect(fixture.steps.suffix(3) == ["102 stored", "101 collapsed", "103 stored"])
    #expect(try fixture.open(device).log == ["1 push 102", "2 push 103"])
  }

  @Test func `a collapse key does not matter to an online device`() throws {
    let device = try fixture.android(online: true)
    for envelope in 1...2 as ClosedRange<UInt64> {
      fixture.push(envelope, to: device) { $0.collapse = [0x61] }
    }
    #expect(fixture.steps == ["1 delivered", "2 delivered"])
  }

  // MARK: Expiry

  @Test func `a stored push expires when its time is over, with nobody looking`() throws {
    let devices = [try fixture.ios(), try fixture.android()]
    for (envelope, device) in zip(1..., devices) as Zip2Sequence {
      fixture.push(EnvelopeNumber(envelope), to: device) {
        $0.expiration = 1_800_000_060
        $0.timeToLive = .seconds(60)
      }
    }
    #expect(fixture.directory.nextAlarm(at: fixture.time.now) == fixture.time.now + .seconds(60))
    fixture.advance(by: .seconds(59))
    fixture.directory.wake(at: fixture.time.now)
    #expect(fixture.steps == ["1 stored", "2 stored"])
    fixture.advance(by: .seconds(1))
    fixture.directory.wake(at: fixture.time.now)
    #expect(fixture.steps.suffix(2) == ["1 expired", "2 expired"])
    #expect(devices.allSatisfy { $0.storedCount == 0 })
    #expect(fixture.directory.nextAlarm(at: fixture.time.now) == nil)
  }

  @Test func `each stored message expires in its turn, whatever came and went before`() throws {
    let device = try fixture.android()
    for (envelope, seconds) in [(1, 30), (2, 10), (3, 20)] as [(UInt64, Int64)] {
      fixture.push(envelope, to: device) { $0.timeToLive = .seconds(seconds) }
    }
    _ = try fixture.open(device).subscription?.close()
    fixture.push(4, to: device) { $0.timeToLive = .seconds(40) }
    fixture.push(5, to: device) { $0.timeToLive = .seconds(15) }
    for _ in 0..<40 {
      fixture.advance(by: .seconds(1))
      fixture.directory.wake(at: fixture.time.now)
    }
    #expect(fixture.steps.suffix(2) == ["5 expired", "4 expired"])
    #expect(fixture.recorder.steps.last?.step.at == fixture.time.now)
  }

  // The clock can be set to the end of its range, and a deadline beyond it would never come.
  @Test func `a push is stored no longer than the clock can show`() throws {
    let end = WorkspaceClock.writable.upperBound
    fixture.workspaces.default.clock.offset = end - fixture.time.now - .seconds(10)
    for device in [try fixture.ios(), try fixture.android()] { fixture.push(1, to: device) }
    fixture.advance(by: .seconds(10))
    fixture.directory.wake(at: fixture.time.now)
    #expect(fixture.steps.suffix(2) == ["1 expired", "1 expired"])
    #expect(fixture.directory.nextAlarm(at: fixture.time.now) == nil)
  }

  @Test func `steps are counted by their state`() throws {
    let device = try fixture.ios(online: true)
    fixture.show(1, on: device)
    fixture.show(2, on: device)
    #expect(fixture.directory.stepCount(.delivered) == 2)
    #expect(fixture.directory.stepCount(.displayed) == 2)
    #expect(fixture.directory.stepCount(.dropped) == 0)
    #expect(Set(DeliveryState.allCases.map(\.index)).count == DeliveryState.allCases.count)
  }

  // MARK: Property

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `each push ends in one final state and none is lost or delivered twice`(
    _ seed: UInt64
  ) throws {
    let fixture = Fixture(seed: seed)
    let random = RandomSource(seed: seed)
    let device = try seed.isMultiple(of: 2) ? fixture.ios() : fixture.android()
    var stream: Stream?
    var received: [EnvelopeNumber] = []
    func close() {
      stream?.subscription?.close()
      for event in stream?.events ?? [] {
        if case .push(let push) = event.content { received.append(push.envelope) }
      }
      stream = nil
    }
    for envelope in 1...400 as ClosedRange<UInt64> {
      switch random.next() % 12 {
      case 0:
        close()
        stream = try fixture.open(device)
        stream?.closesAfter = Int(random.next() % 8)
      case 1: close()
      case 2: fixture.advance(by: .seconds(Int64(random.next() % 40)))
      default: break
      }
      fixture.push(envelope, to: device) { fixture.vary(&$0, random) }
    }
    close()
    stream = try fixture.open(device)
    close()
    let final = fixture.recorder.steps.filter { $0.step.state != .stored }.map(\.envelope)
    #expect(final.sorted() == Array(1...400))
    let delivered = fixture.recorder.steps.filter { $0.step.state == .delivered }.map(\.envelope)
    #expect(received == delivered)
    #expect(delivered == delivered.sorted())
  }
}
