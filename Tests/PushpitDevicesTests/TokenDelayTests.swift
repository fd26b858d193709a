import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitDevices

/// `tokenDelay`, and the alarms that end it.
@Suite struct TokenDelayTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }
  var now: Timestamp { fixture.time.now }

  private func make(
    _ text: String = #"{"platform":"ios","firebase":true,"tokenDelay":"1500ms"}"#
  ) throws -> Device {
    try directory.create(DeviceSpecification(json: json(text)))
  }

  private func tokens(_ device: Device) throws -> JSONValue? {
    try written { device.write(into: &$0) }["tokens"]
  }

  @Test func `the tokens are null until the delay is over, and then are told`() throws {
    let device = try make()
    let stream = try fixture.open(device)
    #expect(try tokens(device) == ["apns": .null, "fcm": .null])
    #expect(directory.nextAlarm(at: now) == now + .milliseconds(1500))
    fixture.advance(by: .milliseconds(1499))
    directory.wake(at: now)
    #expect(stream.log == [] && device.tokensReadyAt != nil)
    fixture.advance(by: .milliseconds(1))
    let changes = fixture.recorder.changes.count
    directory.wake(at: now)
    #expect(stream.log == ["1 token-ready", "2 token-ready"])
    #expect(fixture.recorder.changes.count == changes + 1)
    #expect(try tokens(device)?["apns"]?.stringValue?.count == 64)
    #expect(try tokens(device)?["fcm"]?.stringValue != nil)
    #expect(directory.nextAlarm(at: now) == nil && directory.alarmCount == 0)
  }

  @Test func `the event has the name of the token and the token`() throws {
    let device = try make(#"{"platform":"android","tokenDelay":"1s"}"#)
    let stream = try fixture.open(device)
    fixture.advance(by: .seconds(1))
    directory.wake(at: now)
    let event = try #require(stream.events.first)
    #expect(
      try content(of: event) == [
        "name": "fcm", "token": .string(try #require(device.fcmToken).text),
        "at": .string(now.rfc3339),
      ])
  }

  @Test func `a push to a token that was not told yet behaves as usual`() throws {
    let device = try make()
    let stream = try fixture.open(device)
    fixture.push(1, to: device)
    #expect(stream.log == ["1 push 1"] && fixture.steps == ["1 delivered"])
  }

  @Test func `tokens of other kinds are told with the app's, those of Live Activities at once`()
    throws
  {
    let device = try make(
      #"{"platform":"ios","tokens":{"voip":true,"liveactivity":true},"tokenDelay":"1s"}"#)
    #expect(try tokens(device)?["voip"] == .null)
    #expect(try tokens(device)?["liveactivity"]?.stringValue != nil)
    fixture.advance(by: .seconds(1))
    directory.wake(at: now)
    #expect(try tokens(device)?["voip"]?.stringValue != nil)
  }

  @Test func `each launch has the delay, and the new tokens are told once`() throws {
    let device = try make()
    fixture.advance(by: .seconds(2))
    directory.wake(at: now)
    let stream = try fixture.open(device)
    try directory.reinstall(device.id)
    #expect(stream.log == ["3 uninstalled", "4 reinstalled"])
    #expect(try tokens(device) == ["apns": .null, "fcm": .null])
    fixture.advance(by: .seconds(2))
    directory.wake(at: now)
    #expect(stream.log.suffix(2) == ["5 token-ready", "6 token-ready"])
    #expect(try tokens(device)?["apns"]?.stringValue == device.apnsToken?.text)
  }

  @Test func `an app that is removed in the meantime is told nothing`() throws {
    let device = try make()
    let stream = try fixture.open(device)
    try directory.uninstall(device.id)
    let other = try make()
    try directory.remove(other.id)
    #expect(directory.alarmCount == 0)
    fixture.advance(by: .seconds(2))
    directory.wake(at: now)
    #expect(stream.log == ["1 uninstalled"])
  }

  @Test func `an app that waits for its tokens gets no others`() throws {
    let device = try make()
    #expect(throws: DeviceError.tokenNotReady) { try directory.rotateToken(device.id) }
  }

  @Test func `the delay is of the workspace's clock, which may be moved or stand`() throws {
    let device = try make()
    let home = fixture.workspaces.default
    #expect(directory.changeClock(of: home, .freeze, at: now))
    #expect(directory.nextAlarm(at: now) == nil)
    #expect(device.tokensReadyAt != nil)
    #expect(directory.changeClock(of: home, .advance(.seconds(2)), at: now))
    #expect(device.tokensReadyAt == nil)
    home.clock = WorkspaceClock()
    home.clock.offset = .seconds(-100)
    _ = try make()
    #expect(directory.nextAlarm(at: now) == now + .milliseconds(1500))
  }

  @Test func `whoever keeps the timer is told when the next alarm is earlier`() throws {
    var count = 0
    directory.alarmsChanged = { count += 1 }
    _ = try make()
    #expect(count == 1)
    _ = try make(#"{"platform":"ios","tokenDelay":"1h"}"#)
    #expect(count == 1)
    _ = try make(#"{"platform":"ios","tokenDelay":"1s"}"#)
    #expect(count == 2)
    #expect(directory.changeClock(of: fixture.workspaces.default, .advance(.zero), at: now))
    #expect(count == 3)
  }

  @Test func `a wake lets a limited number go off, a change of the clock all`() throws {
    for _ in 0..<5 { _ = try make() }
    fixture.advance(by: .seconds(2))
    directory.wake(at: now, limit: 2)
    #expect(directory.alarmCount == 3 && directory.nextAlarm(at: now) == now)
    #expect(directory.changeClock(of: fixture.workspaces.default, .advance(.zero), at: now))
    #expect(directory.alarmCount == 0)
  }

  @Test func `an alarm beyond all calendars does no harm`() throws {
    let device = try fixture.ios()
    directory.setAlarm(.tokenReady, at: Timestamp(milliseconds: .max), of: device)
    let next = try #require(directory.nextAlarm(at: now))
    #expect(next <= WorkspaceClock.writable.upperBound)
  }

  @Test(arguments: [
    #""soon""#, "1500", #""25h""#, #""-1s""#, "true",
  ])
  func `a delay that cannot be is refused`(value: String) throws {
    let error = try #require(throws: DeviceError.self) {
      try make(#"{"platform":"ios","tokenDelay":\#(value)}"#)
    }
    guard case .invalid(let problems) = error else { return #expect(Bool(false)) }
    #expect(problems.map(\.pointer) == ["/tokenDelay"])
  }

  @Test func `the longest delay and none are taken`() throws {
    #expect(try make(#"{"platform":"ios","tokenDelay":"24h"}"#).tokenDelay == .seconds(86_400))
    #expect(try make(#"{"platform":"ios","tokenDelay":"0s"}"#).tokensReadyAt == nil)
    #expect(try make(#"{"platform":"ios","tokenDelay":null}"#).tokensReadyAt == nil)
  }
}
