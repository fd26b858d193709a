import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct DeviceActionsTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  @Test func `an uninstalled app's tokens are dead since then, in the workspace's time`() throws {
    let device = try directory.create(DeviceSpecification(platform: .ios, hasFirebase: true))
    fixture.workspaces.default.clock.offset = .seconds(3600)
    try directory.uninstall(device.id)
    let since = fixture.time.now + .seconds(3600)
    #expect(device.apnsToken?.state == .unregistered(since: since))
    #expect(device.fcmToken?.state == .unregistered(since: since))
    fixture.advance(by: .seconds(1))
    try directory.uninstall(device.id)
    #expect(device.apnsToken?.state == .unregistered(since: since))
    #expect(fixture.recorder.changes.count == 2)
  }

  @Test func `uninstalling drops what is stored and tells the streams`() throws {
    let device = try fixture.android(online: false)
    let stream = try fixture.open(device)
    fixture.push(1, to: device)
    try directory.uninstall(device.id)
    #expect(fixture.steps == ["1 stored", "1 dropped"])
    #expect(stream.log == ["1 uninstalled"])
    #expect(!device.isInstalled)
  }

  @Test func `a push that was accepted for an uninstalled app is dropped`() throws {
    let device = try fixture.ios(online: true)
    try directory.uninstall(device.id)
    fixture.push(1, to: device)
    #expect(fixture.steps == ["1 dropped"])
    #expect(
      fixture.recorder.steps[0].step.cause
        == "the app is not installed, which APNs does not say before the uninstall delay is over")
    let android = try fixture.android(online: true)
    try directory.uninstall(android.id)
    fixture.push(2, to: android)
    #expect(fixture.recorder.steps[1].step.cause == "the app is not installed")
  }

  @Test func `changing a device that is not there is refused`() {
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) {
      try directory.change(DeviceID("x"), DeviceChange())
    }
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) {
      try directory.uninstall(DeviceID("x"))
    }
  }
}
