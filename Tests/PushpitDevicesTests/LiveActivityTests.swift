import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Live Activities, as Apple's "Starting and updating Live Activities with ActivityKit push
/// notifications" has them.
@Suite struct LiveActivityTests {
  let fixture = Fixture()

  private static let startMembers: KeyValuePairs<String, JSONValue> = [
    "timestamp": 1000, "event": "start", "content-state": ["score": 0],
    "attributes-type": "Game", "attributes": ["team": "A"], "alert": ["title": "Kick-off"],
  ]

  /// A device with a push-to-start token.
  func device(online: Bool = true) throws -> Device {
    var settings = DeviceChange()
    settings.online = .requested(online)
    return try fixture.directory.create(
      DeviceSpecification(
        platform: .ios, furtherTokens: [.pushToStart: .minted], settings: settings))
  }

  func push(_ envelope: EnvelopeNumber, _ aps: JSONValue, to record: TokenRecord?) throws {
    let record = try #require(record)
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
    outcome.recipient = record
    outcome.deviceMessage = JSONValue.object(JSONObject(["aps": aps])).serialized()
    fixture.directory.deliver(outcome, envelope: envelope)
  }

  /// Starts an activity after a change of the start's members.
  func start(
    _ envelope: EnvelopeNumber = 1, on device: Device,
    _ change: (inout JSONObject) -> Void = { _ in }
  ) throws {
    var aps = JSONObject(Self.startMembers)
    change(&aps)
    try push(envelope, .object(aps), to: device.token(.apns(.pushToStart)))
  }

  var causes: [String] { fixture.recorder.steps.map(\.step.cause) }

  @Test func `a start makes an activity with an update token of 160 digits and its own topic`()
    throws
  {
    let device = try device()
    try start(on: device)
    let activity = try #require(device.activities.first)
    #expect(device.activities.count == 1)
    #expect(activity.state == .active)
    #expect(activity.attributesType == "Game")
    #expect(activity.attributes == ["team": "A"])
    #expect(activity.contentState == ["score": 0])
    let token = try #require(activity.token)
    #expect(token.token.count == 160)
    #expect(token.topic == Array("com.example.app.push-type.liveactivity".utf8))
    #expect(token.purpose == .liveactivity)
    #expect(fixture.tokens.record(of: token.token) === token)
    #expect(fixture.steps == ["1 delivered"])
    #expect(device.inbox.count == 1)
  }

  @Test func `the device's stream and JSON show the token of a started activity`() throws {
    let device = try device()
    let stream = try fixture.open(device)
    let changes = fixture.recorder.changes.count
    try start(on: device)
    #expect(stream.log == ["1 push 1", "2 activity"])
    #expect(fixture.recorder.changes.count == changes + 1)
    let token = String(
      decoding: try #require(device.token(.apns(.liveactivity))).token, as: UTF8.self)
    let activity = try #require(device.activities.first)
    let shown: KeyValuePairs<String, JSONValue> = [
      "id": .string(activity.id), "token": .string(token), "channel": .null, "state": "active",
      "attributesType": "Game", "attributes": ["team": "A"], "contentState": ["score": 0],
      "startedAt": "2027-01-15T08:00:00.000Z", "updatedAt": "2027-01-15T08:00:00.000Z",
      "staleAt": .null, "endedAt": .null, "dismissesAt": .null,
    ]
    let json = try written { device.write(into: &$0) }
    #expect(json["activities"] == [.object(JSONObject(shown))])
    #expect(json.pointer("/tokens/liveactivity") == .string(token))
    let event = try #require(stream.events.last)
    var expected = JSONObject(["change": "started"])
    expected.members += JSONObject(shown).members
    #expect(try content(of: event) == .object(expected))
  }

  @Test func `updates change the content, and an end ends it`() throws {
    let device = try device()
    try start(on: device)
    let token = device.token(.apns(.liveactivity))
    let changes = fixture.recorder.changes.count
    fixture.advance(by: .seconds(10))
    try push(
      2,
      ["timestamp": 1010, "event": "update", "content-state": ["score": 1], "stale-date": 1020],
      to: token)
    #expect(device.activities[0].contentState == ["score": 1])
    #expect(device.activities[0].staleAt == Timestamp(milliseconds: 1_020_000))
    #expect(device.activities[0].updatedAt == fixture.time.now)
    #expect(fixture.recorder.changes.count == changes)
    try push(
      3, ["timestamp": 1020, "event": "end", "content-state": ["score": 2]], to: token)
    #expect(device.activities[0].state == .ended)
    #expect(device.activities[0].contentState == ["score": 2])
    #expect(device.activities[0].endedAt == fixture.time.now)
    #expect(device.activities[0].dismissesAt == fixture.time.now + .seconds(4 * 3600))
    #expect(fixture.recorder.changes.count == changes + 1)
    #expect(fixture.steps == ["1 delivered", "2 delivered", "3 delivered"])
    #expect(device.token(.apns(.liveactivity)) == nil)
  }

  @Test(arguments: [
    (1.0, 0.0), (1_800_000_060.0, 60.0), (1_900_000_000.0, 14400.0),
  ])
  func `a dismissal is at once when it is past, and within four hours`(
    date: Double, seconds: Double
  ) throws {
    let device = try device()
    try start(on: device)
    try push(
      2, ["timestamp": 1001, "event": "end", "dismissal-date": .int(Int(date))],
      to: device.token(.apns(.liveactivity)))
    #expect(device.activities[0].dismissesAt == fixture.time.now + .seconds(seconds))
  }

  // Observed: dead Live Activity tokens keep answering 200; the push shows nothing.
  @Test func `a push to an ended activity is dropped, its token alive`() throws {
    let device = try device()
    try start(on: device)
    let token = try #require(device.token(.apns(.liveactivity)))
    try push(2, ["timestamp": 1001, "event": "end"], to: token)
    try push(3, ["timestamp": 1002, "event": "update", "content-state": [:]], to: token)
    #expect(token.isInUse)
    #expect(fixture.steps.last == "3 dropped")
    #expect(causes.last == "the Live Activity ended at 2027-01-15T08:00:00.000Z")
    #expect(device.inbox.count == 2)
  }

  @Test func `a push with an older timestamp than the last is dropped`() throws {
    let device = try device()
    try start(on: device)
    let token = device.token(.apns(.liveactivity))
    try push(2, ["timestamp": 999, "event": "update", "content-state": ["score": 9]], to: token)
    #expect(fixture.steps.last == "2 dropped")
    #expect(causes.last == "its timestamp is older than that of a push before it")
    #expect(device.activities[0].contentState == ["score": 0])
    try push(3, ["timestamp": 1000, "event": "update", "content-state": ["score": 1]], to: token)
    #expect(fixture.steps.last == "3 delivered")
  }

  @Test(arguments: ["attributes-type", "attributes", "content-state", "alert"])
  func `a start without what Apple requires starts nothing`(key: String) throws {
    let device = try device()
    try start(on: device) { $0[key] = nil }
    #expect(device.activities.isEmpty)
    #expect(fixture.steps == ["1 dropped"])
    #expect(causes == ["the start has no \(key)"])
  }

  @Test(arguments: [
    (#"{"timestamp":1001,"event":"start","content-state":{}}"#, "an update token takes update"),
    (#"{"timestamp":1001,"event":"update"}"#, "the update has no content-state"),
    (#"{"timestamp":1001,"events":"update","content-state":{}}"#, "its event is not start"),
    (#"{"event":"update","content-state":{}}"#, "it has no timestamp"), ("7", "has no aps"),
  ])
  func `what an update token does not take is dropped`(aps: String, cause: String) throws {
    let device = try device()
    try start(on: device)
    try push(2, try json(aps), to: device.token(.apns(.liveactivity)))
    #expect(fixture.steps.last == "2 dropped")
    #expect(causes.last?.contains(cause) == true)
  }

  @Test func `a push-to-start token takes nothing but start`() throws {
    let device = try device()
    try start(on: device) { $0["event"] = "update" }
    #expect(causes == ["a push-to-start token takes start; update goes to an update token"])
  }

  // iOS 18: `input-push-channel` alone means updates over the channel.
  @Test(arguments: [(nil, true), (0, false), (1, true)])
  func `a start that names a channel gets a token only when it asks for one`(
    input: Int?, hasToken: Bool
  ) throws {
    let device = try device()
    try start(on: device) { aps in
      guard let input else { return }
      aps["input-push-channel"] = "dHN0LXNyY2gtY2hubA=="
      aps["input-push-token"] = .int(input)
    }
    #expect((device.activities[0].token != nil) == hasToken)
    #expect(device.activities[0].channel == (input == nil ? nil : "dHN0LXNyY2gtY2hubA=="))
  }

  @Test func `an offline device starts the activity when it comes online`() throws {
    let device = try device(online: false)
    try start(on: device)
    #expect(fixture.steps == ["1 stored"])
    #expect(device.activities.isEmpty)
    try fixture.directory.change(device.id, DeviceChange(json: ["online": true]))
    #expect(fixture.steps == ["1 stored", "1 delivered"])
    #expect(device.activities.count == 1)
  }

  @Test func `an activity of the specification runs and takes updates`() throws {
    let token = String(repeating: "cd", count: 90)
    var settings = DeviceChange()
    settings.online = .requested(true)
    let device = try fixture.directory.create(
      DeviceSpecification(
        platform: .ios, furtherTokens: [.liveactivity: .given(token)], settings: settings))
    #expect(device.activities[0].state == .active)
    try push(
      1, ["timestamp": 5, "event": "update", "content-state": ["a": 1]],
      to: fixture.tokens.record(of: Array(token.utf8)))
    #expect(device.activities[0].contentState == ["a": 1])
  }

  // Senders write real time; what an activity shows is the workspace's.
  @Test func `dates are shifted by the clock that the push met, as provider tokens' times are`()
    throws
  {
    let device = try device(online: false)
    let clock = fixture.workspaces.default.clock
    fixture.workspaces.default.clock.offset = .seconds(3600)
    let stale = fixture.time.now.seconds + 60
    try start(on: device) { $0["stale-date"] = .int(stale) }
    // The clock of the push counts, not that of its arrival.
    fixture.workspaces.default.clock = clock
    try fixture.directory.change(device.id, DeviceChange(json: ["online": true]))
    #expect(device.activities.first?.staleAt == fixture.time.now + .seconds(3660))
    fixture.workspaces.default.clock.offset = .seconds(-60)
    let dismissal = fixture.time.now.seconds + 30
    try push(
      2, ["timestamp": 2000, "event": "end", "dismissal-date": .int(dismissal)],
      to: device.token(.apns(.liveactivity)))
    #expect(device.activities.first?.dismissesAt == fixture.time.now + .seconds(-30))
  }

  @Test func `a time beyond the year 9999 is cut, and one before 1970 too`() throws {
    let device = try device()
    try start(on: device) { $0["stale-date"] = 1e300 }
    #expect(device.activities[0].staleAt?.rfc3339 == "9999-12-31T23:59:59.999Z")
    try start(2, on: device) { $0["stale-date"] = -5 }
    #expect(device.activities[1].staleAt == Timestamp(milliseconds: 0))
  }

  @Test func `the oldest activity is forgotten when a device has too many`() throws {
    let device = try device()
    try start(on: device)
    let first = try #require(device.activities[0].token)
    for envelope in 2...UInt64(Device.activityLimit) { try start(envelope, on: device) }
    #expect(fixture.tokens.record(of: first.token) === first)
    try start(101, on: device)
    #expect(device.activities.count == Device.activityLimit)
    #expect(fixture.tokens.record(of: first.token) == nil)
    #expect(first.owner == nil)
  }

  @Test func `a stored update reaches its activity though the token was replaced meanwhile`() throws
  {
    let device = try device()
    try start(on: device)
    try fixture.directory.change(device.id, DeviceChange(json: ["online": false]))
    try push(
      2, ["timestamp": 1001, "event": "update", "content-state": ["score": 1]],
      to: device.token(.apns(.liveactivity)))
    for _ in 1...2 { try fixture.directory.rotateToken(device.id, .apns(.liveactivity)) }
    try fixture.directory.change(device.id, DeviceChange(json: ["online": true]))
    #expect(fixture.steps == ["1 delivered", "2 stored", "2 delivered"])
    #expect(device.activities[0].contentState == ["score": 1])
  }

  @Test func `a removed device is freed, also one that has forgotten activities`() throws {
    weak var removed: Device?
    do {
      let device = try device()
      for envelope in 1...UInt64(Device.activityLimit + 1) { try start(envelope, on: device) }
      #expect(device.activities.count == Device.activityLimit)
      removed = device
      try fixture.directory.remove(device.id)
    }
    #expect(removed == nil)
  }

  @Test func `a device's event stays small, because every push is one`() {
    #expect(MemoryLayout<DeviceEvent.Content>.size <= 8)
  }
}
