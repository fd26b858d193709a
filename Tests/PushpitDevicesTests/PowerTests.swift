import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Evidence: Apple, "Sending notification requests to APNs" (priority) and "Viewing the status of push
/// notifications" (stored while the device reserves power); Firebase, "Set and manage Android message
/// priority".
@Suite struct PowerTests {
  let fixture = Fixture()

  private func push(_ envelope: EnvelopeNumber, to device: Device, isUrgent: Bool) {
    fixture.push(envelope, to: device) { $0.manner.isUrgent = isUrgent }
  }

  @Test func `a push of any priority is delivered at once to a device that has power`() throws {
    for device in [try fixture.ios(online: true), try fixture.android(online: true)] {
      push(1, to: device, isUrgent: false)
      push(2, to: device, isUrgent: true)
      #expect(device.inbox.map(\.envelope) == [1, 2])
    }
  }

  @Test func `a device that saves power gets priority 10, and the rest when it has power`() throws {
    let device = try fixture.ios(online: true)
    try fixture.change(device, #"{"powerSaving":true}"#)
    push(1, to: device, isUrgent: false)
    push(2, to: device, isUrgent: true)
    #expect(fixture.steps == ["1 stored", "2 delivered"])
    #expect(
      fixture.recorder.steps[0].step.cause
        == "the device saves power and the priority is below 10")
    try fixture.change(device, #"{"powerSaving":false}"#)
    #expect(fixture.steps.last == "1 delivered")
    #expect(fixture.recorder.steps.last?.step.cause == "the device saves power no more")
  }

  @Test func `what waits for power is stored as for an offline device: one push, until it expires`()
    throws
  {
    let device = try fixture.ios(online: true)
    try fixture.change(device, #"{"powerSaving":true}"#)
    push(1, to: device, isUrgent: false)
    push(2, to: device, isUrgent: false)
    fixture.push(3, to: device) {
      $0.manner.isUrgent = false
      $0.expiration = 0
    }
    #expect(fixture.steps == ["1 stored", "1 dropped", "2 stored", "3 dropped"])
    #expect(
      fixture.recorder.steps.last?.step.cause == "the device saves power and apns-expiration is 0")
    fixture.advance(by: .seconds(31 * 86_400))
    try fixture.change(device, #"{"powerSaving":false}"#)
    #expect(fixture.steps.last == "2 expired")
  }

  @Test func `a message of priority NORMAL waits for the end of Doze, HIGH does not`() throws {
    let device = try fixture.android(online: true)
    try fixture.change(device, #"{"dozing":true}"#)
    for envelope in 1...4 as ClosedRange<UInt64> {
      push(envelope, to: device, isUrgent: envelope.isMultiple(of: 2))
    }
    #expect(fixture.steps == ["1 stored", "2 delivered", "3 stored", "4 delivered"])
    #expect(
      fixture.recorder.steps[0].step.cause == "the device dozes and the priority is not HIGH")
    try fixture.change(device, #"{"dozing":false}"#)
    #expect(device.inbox.map(\.envelope) == [2, 4, 1, 3])
  }

  @Test func `a device that comes online saving power gets the urgent ones`() throws {
    let device = try fixture.android()
    try fixture.change(device, #"{"dozing":true}"#)
    for envelope in 1...4 as ClosedRange<UInt64> {
      push(envelope, to: device, isUrgent: envelope.isMultiple(of: 2))
    }
    #expect(fixture.recorder.steps.last?.step.cause == "the device is offline")
    let stream = try fixture.open(device)
    #expect(stream.log == ["1 push 2", "2 push 4"])
    #expect(device.storedCount == 2)
  }

  @Test(arguments: [
    (Platform.ios, "dozing"), (.android, "powerSaving"), (.web, "dozing"), (.web, "powerSaving"),
  ])
  func `a platform has its own way to save power`(_ platform: Platform, _ name: String) throws {
    let text = #"{"platform":"\#(platform.rawValue)","\#(name)":true}"#
    let expected = DeviceError.invalid([
      InputProblem("/\(name)", "a device of platform \(platform) has no such state")
    ])
    #expect(throws: expected) { try DeviceSpecification(json: json(text)) }
    let device = try fixture.directory.create(DeviceSpecification(platform: platform))
    #expect(throws: expected) { try fixture.change(device, #"{"\#(name)":true}"#) }
  }

  @Test func `a device can be made saving power`() throws {
    let device = try fixture.directory.create(
      DeviceSpecification(json: json(#"{"platform":"android","dozing":true,"online":true}"#)))
    #expect(device.savesPower)
    #expect(try written { device.write(into: &$0) }["dozing"] == true)
  }
}
