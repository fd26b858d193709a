import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct ScreenTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  @Test func `a push with an alert is delivered, then displayed`() throws {
    for device in [try fixture.ios(online: true), try fixture.android(online: true)] {
      fixture.show(1, on: device)
      #expect(device.inbox.map(\.state) == [.displayed])
    }
    #expect(fixture.steps == ["1 delivered", "1 displayed", "1 delivered", "1 displayed"])
    #expect(fixture.recorder.steps[1].step.cause == "shown on the screen")
  }

  @Test(arguments: [
    (Platform.ios, #"{"aps":{"content-available":1},"k":"v"}"#), (.ios, #"{"aps":{"badge":3}}"#),
    (.ios, #"{}"#), (.ios, #"{"aps":{"alert":""}}"#), (.ios, #"{"aps":{"alert":{}}}"#),
    (.ios, #"{"alert":"beside aps"}"#), (.android, #"{"data":{"k":"v"}}"#), (.android, "{}"),
    (.web, #"{"data":{"notification":"x"}}"#),
  ])
  func `a push with nothing to show is delivered and no more`(
    _ platform: Platform, _ payload: String
  ) throws {
    let device = try directory.create(DeviceSpecification(platform: platform))
    try fixture.change(device, #"{"online":true}"#)
    fixture.push(1, to: device) { $0.deviceMessage = Array(payload.utf8) }
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test(arguments: [
    #"{"aps":{"sound":"x","alert":{"body":"B"}}}"#, #"{"k":"v","aps":{"alert":"A"}}"#,
    "{ \"aps\" :\n{\"alert\"\t: { \"title\":\"T\" } } }", #"{"\u0061ps":{"alert":"A"}}"#,
  ])
  func `an alert is found however the payload is written`(_ payload: String) throws {
    let device = try fixture.ios(online: true)
    fixture.push(1, to: device) { $0.deviceMessage = Array(payload.utf8) }
    #expect(fixture.steps == ["1 delivered", "1 displayed"])
  }

  @Test func `a background push and one for another token of the app show nothing`() throws {
    let device = try directory.create(
      DeviceSpecification(platform: .ios, furtherTokens: [.voip: .minted]))
    try fixture.change(device, #"{"online":true}"#)
    fixture.show(1, on: device) { $0.manner.isBackground = true }
    fixture.show(2, on: device) { $0.recipient = device.furtherTokens.first }
    #expect(fixture.steps == ["1 delivered", "2 delivered"])
  }

  @Test func `a tap is on the newest push that is shown, and opens the app`() throws {
    let device = try fixture.ios(online: true)
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.show(envelope, on: device) }
    fixture.push(4, to: device)
    try directory.tap(device.id)
    try directory.tap(device.id)
    #expect(device.inbox.map(\.state) == [.displayed, .tapped, .tapped, .delivered])
    #expect(fixture.steps.suffix(2) == ["3 tapped", "2 tapped"])
    #expect(device.foreground == .open)
  }

  @Test func `a tap can name its envelope, and a second one changes nothing`() throws {
    let device = try fixture.ios(online: true)
    for envelope in 1...3 as ClosedRange<UInt64> { fixture.show(envelope, on: device) }
    try directory.tap(device.id, envelope: 1)
    try directory.tap(device.id, envelope: 1)
    try directory.dismiss(device.id, envelope: 1)
    #expect(fixture.steps.suffix(1) == ["1 tapped"])
  }

  @Test func `a push that is dismissed cannot be tapped`() throws {
    let device = try fixture.android(online: true)
    for envelope in 1...2 as ClosedRange<UInt64> { fixture.show(envelope, on: device) }
    try directory.dismiss(device.id)
    try directory.tap(device.id, envelope: 2)
    #expect(device.inbox.map(\.state) == [.displayed, .dismissed])
    try directory.dismiss(device.id)
    #expect(throws: DeviceError.nothingShown) { try directory.dismiss(device.id) }
    #expect(fixture.steps.suffix(2) == ["2 dismissed", "1 dismissed"])
    #expect(device.foreground == .closed)
  }

  @Test func `there is nothing to tap before a push arrives`() throws {
    let device = try fixture.ios()
    fixture.show(1, on: device)
    #expect(throws: DeviceError.nothingShown) { try directory.tap(device.id) }
    #expect(throws: DeviceError.notInInbox(1)) { try directory.tap(device.id, envelope: 1) }
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) { try directory.tap(DeviceID("x")) }
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) {
      try directory.dismiss(DeviceID("x"))
    }
  }

  @Test func `streams are told of what becomes of a push on the screen`() throws {
    let device = try fixture.ios()
    let stream = try fixture.open(device)
    fixture.show(7, on: device)
    try directory.tap(device.id)
    #expect(stream.log == ["1 push 7", "2 push-changed"])
    let event = try #require(stream.events.last)
    #expect(
      try content(of: event) == [
        "envelope": "e7", "state": "tapped", "cause": "tapped", "contract": .null,
        "at": "2027-01-15T08:00:00.000Z",
      ])
  }

  @Test func `removing the app clears the screen`() throws {
    let device = try fixture.ios(online: true)
    fixture.show(1, on: device)
    fixture.show(2, on: device)
    try directory.tap(device.id)
    try directory.uninstall(device.id)
    #expect(fixture.steps.suffix(2) == ["2 tapped", "1 dismissed"])
    #expect(fixture.recorder.steps.last?.step.cause == "the app was uninstalled")
  }

  // MARK: Collapse

  // Apple, "Sending notification requests to APNs": multiple notifications with the same collapse
  // identifier are displayed to the user as a single notification.
  @Test func `a push with the same apns-collapse-id replaces the shown one`() throws {
    let device = try fixture.ios(online: true)
    for (envelope, id) in [(1, "a"), (2, "b"), (3, ""), (4, ""), (5, "a")] as [(UInt64, String)] {
      fixture.show(envelope, on: device) { $0.collapse = Array(id.utf8)[...] }
    }
    #expect(
      device.inbox.map(\.state) == [.collapsed, .displayed, .displayed, .displayed, .displayed])
    #expect(fixture.steps.suffix(3) == ["5 delivered", "5 displayed", "1 collapsed"])
    #expect(
      fixture.recorder.steps.last?.step.cause == "replaced on the screen by envelope e5")
  }

  @Test func `what was tapped is not replaced, and a push that shows nothing replaces nothing`()
    throws
  {
    let device = try fixture.ios(online: true)
    fixture.show(1, on: device) { $0.collapse = [0x61] }
    fixture.push(2, to: device) { $0.collapse = [0x61] }
    try directory.tap(device.id)
    fixture.show(3, on: device) { $0.collapse = [0x61] }
    #expect(device.inbox.map(\.state) == [.tapped, .delivered, .displayed])
  }

  @Test func `collapse ids are remembered within a limit`() throws {
    let device = try fixture.ios(online: true)
    for envelope in 1...(2 * 1000 + 1) as ClosedRange<UInt64> {
      fixture.show(envelope, on: device) { $0.collapse = Array("\(envelope)".utf8)[...] }
    }
    fixture.show(3000, on: device) { $0.collapse = Array("2001".utf8)[...] }
    #expect(fixture.steps.last == "2001 collapsed")
    fixture.show(3001, on: device) { $0.collapse = Array("1".utf8)[...] }
    #expect(fixture.steps.last == "3001 displayed")
  }

  @Test func `a stored push with the same apns-collapse-id is collapsed, another dropped`() throws {
    let device = try fixture.ios()
    for (envelope, id) in [(1, "a"), (2, "a"), (3, "b")] as [(UInt64, String)] {
      fixture.show(envelope, on: device) { $0.collapse = Array(id.utf8)[...] }
    }
    #expect(fixture.steps == ["1 stored", "1 collapsed", "2 stored", "2 dropped", "3 stored"])
  }

  // MARK: Permission

  // Apple, "Viewing the status of push notifications": discarded where pushes are not enabled.
  @Test
  func `without permission iOS drops alerts, online or offline, and delivers what wakes the app`()
    throws
  {
    for isOnline in [true, false] {
      let fixture = Fixture()
      let device = try fixture.ios(online: isOnline)
      try fixture.change(device, #"{"permission":"denied"}"#)
      fixture.show(1, on: device)
      fixture.push(2, to: device) { $0.deviceMessage = Array(#"{"aps":{"badge":1}}"#.utf8) }
      fixture.show(3, on: device) { $0.manner = PushManner(isUrgent: false, isBackground: true) }
      #expect(
        fixture.steps == ["1 dropped", "2 dropped", isOnline ? "3 delivered" : "3 stored"])
      #expect(
        fixture.recorder.steps[0].step.cause == "its owner does not allow notifications")
    }
  }

  @Test func `an alert that wakes the app too is delivered without permission, and not shown`()
    throws
  {
    let device = try fixture.ios(online: true)
    try fixture.change(device, #"{"permission":"denied"}"#)
    fixture.push(1, to: device) {
      $0.deviceMessage = Array(#"{"aps":{"alert":"A","content-available":1}}"#.utf8)
    }
    #expect(fixture.steps == ["1 delivered", "1 suppressed"])
  }

  @Test func `a stored push is dropped when permission has gone meanwhile`() throws {
    let device = try fixture.ios()
    fixture.show(1, on: device)
    try fixture.change(device, #"{"permission":"denied","online":true}"#)
    #expect(fixture.steps == ["1 stored", "1 dropped"])
  }

  @Test func `without permission Android gets data, and shows no notification`() throws {
    let device = try fixture.android(online: true)
    try fixture.change(device, #"{"permission":"denied"}"#)
    fixture.push(1, to: device)
    fixture.show(2, on: device)
    #expect(fixture.steps == ["1 delivered", "2 delivered", "2 suppressed"])
  }

  // MARK: Throttling

  @Test func `background pushes are throttled when the workspace asks for it`() throws {
    let device = try fixture.ios(online: true)
    fixture.workspaces.default.delivery.backgroundPerHour = 2
    func background(_ envelope: UInt64) {
      fixture.push(envelope, to: device) { $0.manner.isBackground = true }
    }
    for envelope in 1...3 as ClosedRange<UInt64> { background(envelope) }
    fixture.show(4, on: device)
    fixture.advance(by: .seconds(3600))
    background(5)
    #expect(
      fixture.steps == [
        "1 delivered", "2 delivered", "3 dropped", "4 delivered", "4 displayed", "5 delivered",
      ])
    #expect(
      fixture.recorder.steps[2].step.cause
        == "throttled: the app had 2 background pushes within an hour")
    #expect(device.inbox.map(\.envelope) == [1, 2, 4, 5])
  }
}
