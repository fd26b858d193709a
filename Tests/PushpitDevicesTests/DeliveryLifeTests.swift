import PushpitDevices
import PushpitModel
import Testing

/// Whatever happens to a device, each push takes one way through its states.
@Suite struct DeliveryLifeTests {
  /// What may follow a state; nil is the beginning.
  private static let next: [DeliveryState?: Set<DeliveryState>] = [
    nil: [.stored, .delivered, .expired, .dropped],
    .stored: [.delivered, .collapsed, .expired, .dropped],
    .delivered: [.displayed, .suppressed, .duplicate],
    .displayed: [.tapped, .dismissed, .collapsed],
    .tapped: [.opened],
  ]
  /// How a vendor's part ends.
  private static let ends: Set<DeliveryState> = [.delivered, .expired, .dropped]

  private static let changes = [
    #"{"online":true}"#, #"{"online":false}"#, #"{"online":null}"#,
    #"{"permission":"denied"}"#, #"{"permission":"granted"}"#,
    #"{"foreground":false}"#, #"{"foreground":{"conversation":"c-1"}}"#,
  ]
  private static let power = [
    Platform.ios: [#"{"powerSaving":true}"#, #"{"powerSaving":false}"#],
    .android: [#"{"dozing":true}"#, #"{"dozing":false}"#],
  ]

  private static func payload(_ random: RandomSource, on platform: Platform) -> String {
    let message =
      #"{"type":"message","conversation_id":"c-1","message_id":"m-\#(random.next() % 20)","#
      + #""deep_link":"respondo://conversation/c-1"}"#
    let campaign = #"{"delivery_id":"d-1"}"#
    let content = random.next() % 2 == 0 ? message : campaign
    let isMessage = random.next() % 2 == 0
    let hasAlert = random.next() % 4 > 0
    if platform == .ios {
      return
        #"{"aps":{\#(hasAlert ? #""alert":"A""# : "")}\#(isMessage ? #","respondo":\#(content)"# : "")}"#
    }
    let escaped = content.replacing("\"", with: "\\\"")
    return #"{\#(hasAlert ? #""notification":{"title":"A"},"# : "")"data":{"#
      + (isMessage ? #""respondo":"\#(escaped)""# : "") + "}}"
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `each push takes one way through its states, and ends`(_ seed: UInt64) throws {
    let fixture = Fixture(seed: seed)
    let random = RandomSource(seed: seed)
    let platform = seed.isMultiple(of: 2) ? Platform.ios : .android
    let device = try fixture.directory.create(DeviceSpecification(platform: platform))
    let changes = Self.changes + (Self.power[platform] ?? [])
    if seed % 4 < 2 { fixture.workspaces.default.delivery.backgroundPerHour = 3 }
    for envelope in 1...300 as ClosedRange<UInt64> {
      switch random.next() % 8 {
      case 0, 1, 2: try fixture.change(device, changes[Int(random.next() % UInt64(changes.count))])
      case 3: _ = try? fixture.directory.tap(device.id)
      case 4: _ = try? fixture.directory.dismiss(device.id)
      case 5:
        fixture.advance(by: .seconds(Int64(random.next() % 40)))
        fixture.directory.wake(at: fixture.time.now)
      case 6 where random.next() % 20 == 0: try fixture.directory.reinstall(device.id)
      default: break
      }
      fixture.push(envelope, to: device) { outcome in
        fixture.vary(&outcome, random)
        outcome.manner = PushManner(
          isUrgent: random.next() % 2 == 0, isBackground: platform == .ios && random.next() % 4 == 0
        )
        outcome.deviceMessage = Array(Self.payload(random, on: platform).utf8)
      }
    }
    try fixture.change(device, #"{"permission":"granted"}"#)
    try fixture.change(device, try #require(Self.power[platform]?[1]))
    try fixture.change(device, #"{"online":true}"#)
    var states: [EnvelopeNumber: [DeliveryState]] = [:]
    for (envelope, step, _) in fixture.recorder.steps {
      let allowed = Self.next[states[envelope]?.last] ?? []
      #expect(
        allowed.contains(step.state), "e\(envelope): \(step.state) after \(states[envelope] ?? [])")
      states[envelope, default: []].append(step.state)
    }
    #expect(states.count == 300)
    for (envelope, taken) in states {
      let ends = taken.filter(Self.ends.contains).count
      // Replaced while it was stored: the other collapse is of what was displayed.
      let isReplaced = taken.last == .collapsed && !taken.contains(.delivered)
      #expect(ends + (isReplaced ? 1 : 0) == 1, "e\(envelope): \(taken)")
    }
    let delivered = fixture.recorder.steps.filter { $0.step.state == .delivered }.map(\.envelope)
    #expect(device.inbox.map(\.envelope) == delivered)
    #expect(Set(fixture.recorder.steps.map(\.step.state)).count > 6)
  }
}
