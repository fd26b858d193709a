import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Devices that follow broadcast channels; evidence: Apple, "Sending channel management requests to
/// APNs" (storage policies) and "Setting up broadcast push notifications".
@Suite struct ChannelTests {
  let fixture = Fixture()

  func channel(
    _ id: String = "AAAA", policy: Channel.StoragePolicy = .mostRecent,
    app: String = "com.example.app", _ environment: APNsEnvironment = .sandbox
  ) throws -> Channel {
    try fixture.workspaces.default.channels.create(
      id: Array(id.utf8), app: app, environment: environment, storagePolicy: policy,
      at: fixture.time.now)
  }

  func follower(_ ids: [String] = ["AAAA"], online: Bool? = nil) throws -> Device {
    var specification = DeviceSpecification(platform: .ios)
    specification.settings.channels = ids
    specification.settings.online = online.map(DeviceChange.Online.requested)
    return try fixture.directory.create(specification)
  }

  func broadcast(_ envelope: EnvelopeNumber, to channel: Channel, expiration: Int64? = nil) {
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.broadcast = BroadcastFacts(channelID: channel.id, recipient: channel)
    outcome.expiration = expiration ?? fixture.time.now.seconds + 86_400
    outcome.deviceMessage = Array(#"{"aps":{"event":"update"},"n":\#(envelope)}"#.utf8)
    fixture.directory.deliver(outcome, envelope: envelope)
  }

  func problems(_ body: () throws -> Void) throws -> [InputProblem] {
    do {
      try body()
      return []
    } catch DeviceError.invalid(let problems) {
      return problems
    }
  }

  // MARK: Subscriptions

  @Test func `a device is made with channels, and a change replaces them`() throws {
    for id in ["AAAA", "BBBB", "CCCC"] { _ = try channel(id) }
    let device = try follower(["BBBB", "AAAA", "BBBB"])
    #expect(try written { device.write(into: &$0) }["channels"] == ["BBBB", "AAAA"])
    try fixture.directory.change(device.id, DeviceChange(json: ["channels": ["CCCC", "AAAA"]]))
    #expect(device.channels.map(\.text) == ["CCCC", "AAAA"])
    try fixture.directory.change(device.id, DeviceChange(json: ["name": "Anna's"]))
    #expect(device.channels.count == 2)
    try fixture.directory.change(device.id, DeviceChange(json: ["channels": []]))
    #expect(device.channels.isEmpty)
  }

  @Test func `a device of a deleted channel that is no longer remembered can follow new ones`()
    throws
  {
    fixture.workspaces.default.channels = ChannelDirectory(deletedLimit: 1)
    let (first, second) = (try channel("AAAA"), try channel("BBBB"))
    _ = try channel("CCCC")
    let device = try follower(["AAAA"])
    for channel in [first, second] {
      fixture.workspaces.default.channels.delete(channel, at: fixture.time.now)
    }
    #expect(fixture.workspaces.default.channels[first.id] == nil)
    try fixture.directory.subscribe(device, to: "CCCC")
    #expect(device.channels.map(\.text) == ["AAAA", "CCCC"])
  }

  @Test func `a Live Activity subscribes its device and ends the subscription`() throws {
    let first = try channel("AAAA")
    _ = try channel("BBBB")
    let device = try follower(["BBBB"], online: true)
    for _ in 1...2 { try fixture.directory.subscribe(device, to: "AAAA") }
    #expect(device.channels.map(\.text) == ["BBBB", "AAAA"])
    broadcast(1, to: first)
    fixture.directory.unsubscribe(device, from: "AAAA")
    fixture.directory.unsubscribe(device, from: "CCCC")
    broadcast(2, to: first)
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test func `only a live channel of the app and environment can be followed`() throws {
    _ = try channel("AAAA", app: "com.other")
    _ = try channel("BBBB", .production)
    fixture.workspaces.default.channels.delete(try channel("CCCC"), at: fixture.time.now)
    let found = try problems { _ = try follower(["AAAA", "BBBB", "CCCC", "DDDD"]) }
    #expect(found.map(\.pointer) == ["/channels/0", "/channels/1", "/channels/2", "/channels/3"])
    #expect(found.allSatisfy { $0.detail.contains("com.example.app has no channel") })
    #expect(fixture.directory.count() == 0)
  }

  @Test func `a change that names an unknown channel changes nothing`() throws {
    _ = try channel()
    let device = try follower()
    let change = try DeviceChange(json: ["channels": ["ZZZZ"], "name": "other"])
    #expect(try problems { try fixture.directory.change(device.id, change) }.count == 1)
    #expect(device.name == "ios 1")
    #expect(device.channels.map(\.text) == ["AAAA"])
  }

  @Test func `an uninstalled app follows no channel and can be given none`() throws {
    let followed = try channel()
    let device = try follower(online: true)
    try fixture.directory.uninstall(device.id)
    #expect(device.channels.isEmpty)
    let change = try DeviceChange(json: ["channels": ["AAAA"]])
    let found = try problems { try fixture.directory.change(device.id, change) }
    #expect(found.map(\.pointer) == ["/channels"])
    broadcast(1, to: followed)
    #expect(fixture.steps.isEmpty)
    try fixture.directory.change(device.id, DeviceChange(json: ["channels": []]))
  }

  @Test func `a deleted channel may stay among a device's`() throws {
    let first = try channel()
    _ = try channel("BBBB")
    let device = try follower()
    fixture.workspaces.default.channels.delete(first, at: fixture.time.now)
    try fixture.directory.subscribe(device, to: "BBBB")
    #expect(device.channels.map(\.text) == ["AAAA", "BBBB"])
  }

  @Test func `an Android device has no channels`() throws {
    _ = try channel()
    var specification = DeviceSpecification(platform: .android)
    specification.settings.channels = ["AAAA"]
    let found = try problems { try fixture.directory.create(specification) }
    #expect(found.map(\.pointer) == ["/channels"])
  }

  @Test(arguments: [#""AAAA""#, "[1]", "{}"])
  func `channels are an array of strings`(value: String) throws {
    let body = try json(#"{"channels":\#(value)}"#)
    #expect(try problems { _ = try DeviceChange(json: body) }.map(\.pointer) == ["/channels"])
  }

  @Test func `a device follows a hundred channels at most`() throws {
    let ids = (0...Device.channelLimit).map { "id\($0)" }
    for id in ids { _ = try channel(id) }
    #expect(try problems { _ = try follower(ids) }.map(\.pointer) == ["/channels"])
    let device = try follower(ids.dropLast())
    #expect(device.channels.count == Device.channelLimit)
    #expect(throws: DeviceError.self) {
      try fixture.directory.subscribe(device, to: "id\(Device.channelLimit)")
    }
  }

  // MARK: Delivery

  @Test func `a broadcast reaches every device of its channel, in the order they were made`() throws
  {
    let first = try channel("AAAA")
    let second = try channel("BBBB")
    let devices = try (0..<20).map { _ in try follower(["AAAA"], online: true) }
    let other = try follower(["BBBB"], online: true)
    let both = try follower(["AAAA", "BBBB"], online: true)
    broadcast(1, to: first)
    #expect(fixture.recorder.steps.map(\.step.device) == devices.map(\.id) + [both.id])
    broadcast(2, to: second)
    #expect(other.inbox.map(\.envelope) == [2])
    #expect(both.inbox.map(\.envelope) == [1, 2])
    let inbox = try written { both.write(into: &$0) }["inbox"]
    #expect(inbox?[0]?["channel"] == "AAAA")
    #expect(inbox?[0]?["data"] == ["n": 1])
  }

  @Test func `a stream's event names the channel`() throws {
    let channel = try channel()
    let stream = try fixture.open(try follower())
    broadcast(1, to: channel)
    let event = try #require(stream.events.last)
    #expect(try content(of: event)["channel"] == "AAAA")
  }

  @Test func `a channel without storage is for devices that are online`() throws {
    let channel = try channel(policy: .none)
    let device = try follower()
    broadcast(1, to: channel, expiration: 0)
    #expect(fixture.steps == ["1 dropped"])
    #expect(
      fixture.recorder.steps.last?.step.cause
        == "the device is offline and the channel stores no messages")
    #expect(try fixture.open(device).events.isEmpty)
  }

  @Test func `the most recent message of each channel waits for an offline device`() throws {
    let first = try channel("AAAA")
    let second = try channel("BBBB")
    let device = try follower(["AAAA", "BBBB"])
    broadcast(1, to: first)
    broadcast(2, to: second)
    broadcast(3, to: first)
    fixture.push(4, to: device)
    #expect(
      fixture.steps == ["1 stored", "2 stored", "1 dropped", "3 stored", "4 stored"])
    #expect(device.storedCount == 3)
    #expect(try fixture.open(device).log == ["1 push 4", "2 push 2", "3 push 3"])
    #expect(device.storedCount == 0)
  }

  @Test(arguments: [
    (nil as Int64?, Duration.seconds(8 * 3600)), (1_800_000_060, .seconds(60)),
  ])
  func `a message is kept to its expiration, 8 hours at most`(
    expiration: Int64?, lifetime: Duration
  ) throws {
    let channel = try channel()
    for (envelope, wait, state) in [
      (1, lifetime - .milliseconds(1), "1 delivered"), (2, lifetime, "2 expired"),
    ] as [(EnvelopeNumber, Duration, String)] {
      fixture.time.now = Timestamp(milliseconds: 1_800_000_000_000)
      let device = try follower()
      broadcast(envelope, to: channel, expiration: expiration)
      fixture.advance(by: wait)
      _ = try fixture.open(device)
      #expect(fixture.steps.last == state)
    }
  }

  @Test func `a message for now or never is not stored`() throws {
    let channel = try channel()
    _ = try follower()
    broadcast(1, to: channel, expiration: 0)
    broadcast(2, to: channel, expiration: 1)
    #expect(fixture.steps == ["1 dropped", "2 expired"])
    #expect(
      fixture.recorder.steps.first?.step.cause == "the device is offline and apns-expiration is 0")
  }

  @Test func `what a deleted channel had stored is dropped`() throws {
    let channel = try channel()
    let device = try follower()
    broadcast(1, to: channel)
    fixture.workspaces.default.channels.delete(channel, at: fixture.time.now)
    #expect(try fixture.open(device).events.isEmpty)
    #expect(fixture.recorder.steps.last?.step.cause == "its channel was deleted")
  }

  @Test func `leaving a channel drops what it had stored`() throws {
    let channel = try channel()
    let device = try follower()
    broadcast(1, to: channel)
    fixture.directory.unsubscribe(device, from: "AAAA")
    #expect(fixture.steps == ["1 stored", "1 dropped"])
    #expect(device.storedCount == 0)
  }

  @Test func `an app that was uninstalled and a device that was removed get no broadcasts`() throws
  {
    let channel = try channel()
    let devices = try (0..<3).map { _ in try follower() }
    broadcast(1, to: channel)
    try fixture.directory.uninstall(devices[0].id)
    try fixture.directory.remove(devices[1].id)
    broadcast(2, to: channel)
    let second = fixture.recorder.steps.filter { $0.envelope == 2 }
    #expect(second.map(\.step.device) == [devices[2].id])
    #expect(devices[0].channels.isEmpty)
  }
}
