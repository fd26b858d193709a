import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// What a device with the Respondo SDK does with a push, on both platforms.
@Suite struct RespondoDeviceTests {
  let fixture = Fixture()

  private func device(_ platform: Platform) throws -> Device {
    let device = try fixture.directory.create(
      DeviceSpecification(platform: platform, contract: "respondo"))
    try fixture.change(device, #"{"online":true}"#)
    return device
  }

  private func send(
    _ envelope: EnvelopeNumber, to device: Device, _ content: String, hasAlert: Bool = true
  ) {
    fixture.push(envelope, to: device) { outcome in
      var payload = JSONObject()
      if device.platform == .ios {
        payload["aps"] = hasAlert ? ["alert": "A"] : ["content-available": 1]
        payload["respondo"] = (try? json(content)) ?? .null
      } else {
        if hasAlert { payload["notification"] = ["title": "A"] }
        payload["data"] = ["respondo": .string(content)]
      }
      outcome.deviceMessage = JSONValue.object(payload).serialized()
    }
  }

  private func message(_ id: String?, in conversation: String = "c-1") -> String {
    #"{"type":"message","conversation_id":"\#(conversation)","#
      + (id.map { #""message_id":"\#($0)","# } ?? "")
      + #""deep_link":"respondo://conversation/\#(conversation)"}"#
  }

  private static let platforms: [Platform] = [.ios, .android]

  @Test(arguments: platforms)
  func `a message is displayed, and a tap opens its conversation`(_ platform: Platform) throws {
    let device = try device(platform)
    send(1, to: device, message("m-1"))
    try fixture.directory.tap(device.id)
    #expect(fixture.steps == ["1 delivered", "1 displayed", "1 tapped"])
    #expect(
      fixture.recorder.steps.last?.step.cause
        == "tapped, which opened respondo://conversation/c-1")
    #expect(device.foreground == .conversation("c-1"))
    let item = try written { device.inbox.last?.writeInboxItem(into: &$0) }
    #expect(item["contract"] == "respondo")
    #expect(item["messageID"] == "m-1")
    #expect(item["conversation"] == "c-1")
    #expect(item["deepLink"] == "respondo://conversation/c-1")
  }

  @Test(arguments: platforms)
  func `the same message id twice is a duplicate`(_ platform: Platform) throws {
    let device = try device(platform)
    send(1, to: device, message("m-1"))
    send(2, to: device, message("m-1", in: "c-2"))
    send(3, to: device, message("m-2"))
    #expect(
      fixture.steps.filter { !$0.hasSuffix("delivered") }
        == ["1 displayed", "2 duplicate", "3 displayed"])
    #expect(
      fixture.recorder.steps[3].step.cause == "message m-1 came in envelope e1 before")
    #expect(device.inbox.count == 3)
  }

  @Test(arguments: platforms)
  func `a message without an id is never a duplicate`(_ platform: Platform) throws {
    let device = try device(platform)
    for envelope in 1...2 as ClosedRange<UInt64> { send(envelope, to: device, message(nil)) }
    #expect(device.inbox.map(\.state) == [.displayed, .displayed])
  }

  @Test(arguments: platforms)
  func `a duplicate is known among the newest thousand ids, and not after a reinstall`(
    _ platform: Platform
  ) throws {
    let device = try device(platform)
    for envelope in 1...1001 as ClosedRange<UInt64> {
      send(envelope, to: device, message("m-\(envelope)"))
    }
    send(2000, to: device, message("m-2"))
    send(2001, to: device, message("m-1"))
    #expect(fixture.steps.suffix(3) == ["2000 duplicate", "2001 delivered", "2001 displayed"])
    try fixture.directory.reinstall(device.id)
    send(2002, to: device, message("m-1001"))
    #expect(fixture.steps.last == "2002 displayed")
  }

  @Test(arguments: platforms)
  func `with its conversation open a message is suppressed, with another it is displayed`(
    _ platform: Platform
  ) throws {
    let device = try device(platform)
    try fixture.change(device, #"{"foreground":{"conversation":"c-1"}}"#)
    send(1, to: device, message("m-1"))
    send(2, to: device, message("m-2", in: "c-2"))
    try fixture.change(device, #"{"foreground":true}"#)
    send(3, to: device, message("m-3"))
    #expect(device.inbox.map(\.state) == [.suppressed, .displayed, .displayed])
    #expect(fixture.recorder.steps[1].step.cause == "conversation c-1 is open")
    // A message that was suppressed was seen all the same.
    send(4, to: device, message("m-1"))
    #expect(device.inbox.last?.state == .duplicate)
  }

  @Test func `ids of another SDK's messages are no duplicates`() throws {
    let contracts = try ContractDirectory(configured: [
      json(#"{"name":"acme","messageID":"id"}"#)
    ])
    let fixture = Fixture(contracts: contracts)
    let device = try fixture.ios(online: true)
    for (envelope, content) in [
      (1, #""acme":{"id":"1"}"#), (2, #""respondo":{"delivery_id":"d","message_id":"1"}"#),
      (3, #""acme":{"id":"1"}"#),
    ] as [(UInt64, String)] {
      fixture.push(envelope, to: device) {
        $0.deviceMessage = Array(#"{"aps":{"alert":"A"},\#(content)}"#.utf8)
      }
    }
    #expect(device.inbox.map(\.state) == [.displayed, .displayed, .duplicate])
  }

  @Test func `an app that was installed again has no conversation open`() throws {
    let device = try device(.ios)
    try fixture.change(device, #"{"foreground":{"conversation":"c-1"}}"#)
    try fixture.directory.reinstall(device.id)
    send(1, to: device, message("m-1"))
    #expect(fixture.steps == ["1 delivered", "1 displayed"])
  }

  @Test(arguments: platforms)
  func `a payload without the key is shown as any notification, and opens the app`(
    _ platform: Platform
  ) throws {
    let device = try device(platform)
    try fixture.change(device, #"{"foreground":{"conversation":"c-1"}}"#)
    fixture.show(1, on: device)
    try fixture.directory.tap(device.id)
    #expect(fixture.steps == ["1 delivered", "1 displayed", "1 tapped"])
    #expect(device.inbox.last?.reading == nil)
    #expect(device.foreground == .open)
  }

  @Test(arguments: platforms)
  func `a tapped campaign reports its opening once`(_ platform: Platform) throws {
    let device = try fixture.directory.create(
      DeviceSpecification(
        json: json(
          #"{"platform":"\#(platform.rawValue)","online":true,"contract":"respondo","callbacks":"#
            + #"{"opened":{"url":"http://localhost/{deliveryID}/{messageID}"}}}"#)))
    send(1, to: device, #"{"delivery_id":"d-1","message_id":"m-9"}"#)
    try fixture.directory.tap(device.id)
    try fixture.directory.tap(device.id, envelope: 1)
    #expect(fixture.steps == ["1 delivered", "1 displayed", "1 tapped", "1 opened"])
    #expect(fixture.recorder.steps[2].step.cause == "tapped")
    #expect(fixture.recorder.callbacks.map(\.url) == ["http://localhost/d-1/m-9"])
    #expect(device.foreground == .open)
  }

  @Test(arguments: platforms)
  func `a campaign's link is opened as it is`(_ platform: Platform) throws {
    let device = try device(platform)
    send(1, to: device, #"{"delivery_id":"d-1","deep_link":"https://example.com/sale"}"#)
    send(2, to: device, #"{"delivery_id":"d-2","deep_link":"respondo://conversation/c-7"}"#)
    try fixture.directory.tap(device.id)
    #expect(device.foreground == .conversation("c-7"))
    try fixture.directory.tap(device.id)
    #expect(device.foreground == .open)
    #expect(
      fixture.recorder.steps.suffix(2).map(\.step.cause) == [
        "tapped, which opened https://example.com/sale", "the app reported the opening of d-1",
      ])
  }

  @Test(arguments: platforms)
  func `a message is read without anything to show, and shows nothing`(_ platform: Platform) throws
  {
    let device = try device(platform)
    send(1, to: device, message("m-1"), hasAlert: false)
    send(2, to: device, message("m-1"), hasAlert: false)
    #expect(fixture.steps == ["1 delivered", "2 delivered", "2 duplicate"])
  }

  @Test func `a device that was told of no contract is checked by the key all the same`() throws {
    let device = try fixture.ios(online: true)
    send(1, to: device, message("m-1"))
    send(2, to: device, message("m-1"))
    #expect(device.contract == nil)
    #expect(device.inbox.last?.reading?.contract == "respondo")
    #expect(fixture.steps.last == "2 duplicate")
  }

  @Test func `what cannot be read is shown, and a tap opens the app`() throws {
    let device = try device(.android)
    send(1, to: device, "not json")
    try fixture.directory.tap(device.id)
    #expect(fixture.steps == ["1 delivered", "1 displayed", "1 tapped"])
    #expect(device.inbox.last?.reading?.content.breaches.count == 1)
  }

  @Test func `FCM brings an iOS app the same by its apns payload`() throws {
    let device = try fixture.directory.create(
      DeviceSpecification(platform: .ios, hasFirebase: true, contract: "respondo"))
    try fixture.change(device, #"{"online":true}"#)
    fixture.push(1, to: device) { outcome in
      outcome.service = .fcm
      outcome.recipient = device.fcmToken
      outcome.deviceMessage = Array(
        #"{"aps":{"alert":"A"},"respondo":\#(message("m-1")),"gcm.message_id":"1"}"#.utf8)
    }
    #expect(fixture.steps == ["1 delivered", "1 displayed"])
    #expect(device.inbox.last?.reading?.content.messageID == "m-1")
  }
}
