import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Live Activities that follow a channel; Apple: Starting and updating Live Activities with ActivityKit
/// push notifications.
@Suite struct ChannelActivityTests {
  let fixture = Fixture()
  let channel: Channel

  init() throws {
    channel = try fixture.workspaces.default.channels.create(
      id: Array("AAAA".utf8), app: "com.example.app", environment: .sandbox,
      storagePolicy: .mostRecent, at: fixture.time.now)
  }

  /// A device that is online with an activity of this channel.
  func started(channel id: String = "AAAA", following channels: [String]? = nil) throws -> Device {
    var settings = DeviceChange()
    settings.online = .requested(true)
    settings.channels = channels
    let device = try fixture.directory.create(
      DeviceSpecification(
        platform: .ios, furtherTokens: [.pushToStart: .minted], settings: settings))
    start(1, on: device, timestamp: 1000, channel: id)
    return device
  }

  func start(
    _ envelope: EnvelopeNumber, on device: Device, timestamp: Int, channel id: String = "AAAA"
  ) {
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.recipient = device.token(.apns(.pushToStart))
    outcome.deviceMessage = Array(
      #"""
      {"aps":{"timestamp":\#(timestamp),"event":"start","content-state":{"score":0},"attributes-type":"Game",
      "attributes":{},"alert":{"title":"Kick-off"},"input-push-channel":"\#(id)"}}
      """#.utf8)
    fixture.directory.deliver(outcome, envelope: envelope)
  }

  func broadcast(_ envelope: EnvelopeNumber, _ event: String, timestamp: Int = 2000) {
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.broadcast = BroadcastFacts(channelID: channel.id, recipient: channel)
    outcome.deviceMessage = Array(
      #"{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"score":\#(envelope)}}}"#
        .utf8)
    fixture.directory.deliver(outcome, envelope: envelope)
  }

  @Test func `a start with input-push-channel subscribes, and broadcasts update the activity`()
    throws
  {
    let device = try started()
    #expect(device.channels.map(\.text) == ["AAAA"])
    broadcast(2, "update")
    #expect(device.activities.first?.contentState == ["score": 2])
    #expect(device.inbox.map(\.envelope) == [1, 2])
    #expect(fixture.steps == ["1 delivered", "2 delivered"])
  }

  @Test func `a broadcast that ends the activity ends the subscription`() throws {
    let device = try started()
    broadcast(2, "end")
    #expect(device.activities.first?.state == .ended)
    #expect(device.channels.isEmpty)
    broadcast(3, "update")
    #expect(fixture.steps == ["1 delivered", "2 delivered"])
  }

  @Test func `a broadcast older than the newest content is dropped by the activity`() throws {
    let device = try started()
    broadcast(2, "update", timestamp: 500)
    #expect(device.activities.first?.contentState == ["score": 0])
    #expect(fixture.steps == ["1 delivered", "2 dropped"])
  }

  @Test
  func `a broadcast changes the activities of all its devices, and one in vain is dropped by all`()
    throws
  {
    let devices = [try started(), try started()]
    broadcast(2, "update")
    #expect(devices.map { $0.activities.first?.contentState } == [["score": 2], ["score": 2]])
    broadcast(3, "finish")
    let steps = fixture.recorder.steps.suffix(2).map(\.step)
    #expect(steps.map(\.device) == devices.map(\.id))
    #expect(steps.map(\.state) == [.dropped, .dropped])
    #expect(steps.allSatisfy { $0.cause == "its event is not start, update or end" })
  }

  @Test func `an activity that refuses a broadcast leaves it to the others on the channel`() throws
  {
    let device = try started()
    start(2, on: device, timestamp: 500)
    // Too old for the first activity, and news for the second.
    broadcast(3, "update", timestamp: 700)
    #expect(device.activities.map(\.contentState) == [["score": 0], ["score": 3]])
    #expect(fixture.steps == ["1 delivered", "2 delivered", "3 delivered"])
  }

  @Test func `the last activity on a channel ends the subscription, not the first`() throws {
    let device = try started()
    start(2, on: device, timestamp: 3000)
    broadcast(3, "end", timestamp: 2000)
    #expect(device.activities.map(\.state) == [.ended, .active])
    #expect(device.channels.map(\.text) == ["AAAA"])
    broadcast(4, "end", timestamp: 4000)
    #expect(device.channels.isEmpty)
  }

  @Test func `a subscription that the device had by itself outlives its activities`() throws {
    let device = try started(following: ["AAAA"])
    broadcast(2, "end")
    #expect(device.activities.first?.state == .ended)
    #expect(device.channels.map(\.text) == ["AAAA"])
  }

  @Test func `channels that are named after an activity's start are the device's own`() throws {
    let device = try started()
    try fixture.directory.change(device.id, DeviceChange(json: ["channels": ["AAAA"]]))
    broadcast(2, "end")
    #expect(device.channels.map(\.text) == ["AAAA"])
  }

  @Test func `a channel that is not there leaves the activity without updates, and says so`() throws
  {
    let device = try started(channel: "ZZZZ")
    #expect(device.activities.count == 1)
    #expect(device.channels.isEmpty)
    let cause = try #require(fixture.recorder.steps.first?.step.cause)
    #expect(cause.contains("has no channel \"ZZZZ\""))
  }
}
