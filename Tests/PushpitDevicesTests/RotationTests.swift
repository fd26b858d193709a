import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// How tokens change and age.
@Suite struct RotationTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  private func iPhone() throws -> Device {
    let text = #"{"platform":"ios","firebase":true,"tokens":{"voip":true,"liveactivity":true}}"#
    return try directory.create(
      DeviceSpecification(json: try JSONReader.parse(Array(text.utf8))))
  }

  // MARK: Rotation

  @Test func `the app has a new token, and the old one is dead since then`() throws {
    let device = try fixture.android(online: true)
    let old = try #require(device.fcmToken)
    fixture.workspaces.default.clock.offset = .seconds(60)
    try directory.rotateToken(device.id)
    let new = try #require(device.fcmToken)
    #expect(new !== old && new.token != old.token && new.state == .active)
    #expect(new.project == "demo-project" && new.app == device.app && new.platform == .android)
    #expect(old.state == .rotated(at: fixture.time.now + .seconds(60)))
    #expect(fixture.tokens.record(of: old.token) === old)
    #expect(fixture.tokens.record(of: new.token) === new)
    fixture.push(1, to: device)
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test func `every kind of token is replaced by one of its kind`() throws {
    let device = try iPhone()
    for name in [TokenName.apns(.app), .apns(.voip), .apns(.liveactivity), .fcm] {
      let old = try #require(device.token(name))
      try directory.rotateToken(device.id, name)
      let new = try #require(device.token(name))
      #expect(new.token != old.token && new.token.count == old.token.count || name == .fcm)
      #expect(new.purpose == old.purpose && new.topic == old.topic)
      #expect(old.state == .rotated(at: fixture.time.now))
    }
    #expect(device.furtherTokens.count == 1 && device.activities.count == 1)
  }

  @Test func `messages to an iOS app's registration token go to its newest device token`() throws {
    let device = try iPhone()
    #expect(device.fcmToken?.apnsToken === device.apnsToken)
    try directory.rotateToken(device.id)
    #expect(device.fcmToken?.apnsToken === device.apnsToken)
    try directory.rotateToken(device.id, .fcm)
    #expect(device.fcmToken?.apnsToken === device.apnsToken)
  }

  @Test func `an imported registration token leads to the device token too`() throws {
    let device = try fixture.ios()
    let token = try #require(
      directory.importedToken(for: device.apnsToken, project: "demo-project"))
    #expect(fixture.tokens.record(of: token)?.apnsToken === device.apnsToken)
  }

  @Test func `topics go over to the new token, and groups do not`() throws {
    let device = try fixture.android()
    let old = try #require(device.fcmToken)
    var change = DeviceChange()
    change.topics = ["a", "b"]
    try directory.change(device.id, change)
    let group = try fixture.workspaces.default.groups.create(
      key: Array("key".utf8), name: "name", project: "demo-project",
      members: [old.token, Array("other".utf8)])
    try directory.rotateToken(device.id)
    #expect(device.topics == ["a", "b"])
    #expect(fixture.workspaces.default.topics.count == 2)
    #expect(
      fixture.workspaces.default.topics.subscriptions(of: old.token, in: "demo-project").isEmpty)
    #expect(group.members == [Array("other".utf8)])
  }

  @Test func `a stream is told of the new token`() throws {
    let device = try fixture.android()
    let stream = try fixture.open(device)
    try directory.rotateToken(device.id)
    #expect(stream.log == ["1 token-rotated"])
    #expect(fixture.recorder.changes.count == 3)
  }

  @Test func `the newest hundred former tokens are remembered, and none of a removed device`()
    throws
  {
    let device = try fixture.android()
    var old: [TokenRecord] = []
    for _ in 0..<Device.formerTokenLimit + 1 {
      old.append(try #require(device.fcmToken))
      try directory.rotateToken(device.id)
    }
    let isKnown = old.map { fixture.tokens.record(of: $0.token) != nil }
    #expect(isKnown == [false] + Array(repeating: true, count: Device.formerTokenLimit))
    #expect(old[0].owner == nil && old[1].owner === device)
    try directory.remove(device.id)
    #expect(old.allSatisfy { fixture.tokens.record(of: $0.token) == nil && $0.owner == nil })
  }

  @Test func `a token that has expired stays so when it is replaced`() throws {
    let device = try fixture.android()
    let old = try #require(device.fcmToken)
    try directory.expireToken(device.id)
    try directory.rotateToken(device.id)
    #expect(old.state == .expired(since: fixture.time.now))
    #expect(device.fcmToken?.state == .active)
  }

  @Test func `there is nothing to replace without the app, the token or the device`() throws {
    let device = try fixture.android()
    #expect(throws: DeviceError.noToken(.apns(.voip))) {
      try directory.rotateToken(device.id, .apns(.voip))
    }
    try directory.uninstall(device.id)
    #expect(throws: DeviceError.notInstalled) { try directory.rotateToken(device.id) }
    #expect(throws: DeviceError.unknownDevice(DeviceID("x"))) {
      try directory.rotateToken(DeviceID("x"))
    }
  }

  // MARK: Reinstallation and logout

  @Test func `an app that is installed again has new tokens, and the old ones are dead`() throws {
    let device = try iPhone()
    let names = [TokenName.apns(.app), .apns(.voip), .fcm]
    let old = names.compactMap(device.token)
    let stream = try fixture.open(device)
    try directory.uninstall(device.id)
    let since = fixture.time.now
    fixture.advance(by: .seconds(60))
    try directory.reinstall(device.id)
    #expect(device.isInstalled)
    #expect(old.map(\.state) == Array(repeating: .unregistered(since: since), count: 3))
    let new = names.compactMap(device.token)
    #expect(new.map(\.state) == [.active, .active, .active])
    #expect(zip(old, new).allSatisfy { $0.token != $1.token })
    #expect(device.fcmToken?.apnsToken === device.apnsToken)
    #expect(device.token(.apns(.liveactivity)) == nil)
    #expect(
      stream.log == [
        "1 uninstalled", "2 reinstalled", "3 token-rotated", "4 token-rotated", "5 token-rotated",
      ])
    fixture.push(1, to: device)
    #expect(fixture.steps == ["1 delivered"])
  }

  @Test func `an app that is there is removed before it is installed again`() throws {
    let device = try fixture.android()
    var change = DeviceChange()
    change.topics = ["a"]
    try directory.change(device.id, change)
    let old = try #require(device.fcmToken)
    try directory.reinstall(device.id)
    #expect(old.state == .unregistered(since: fixture.time.now))
    #expect(device.topics.isEmpty)
  }

  // Until the uninstall delay is over, both vendors accept what is sent to the dead token.
  @Test(arguments: [Platform.ios, .android])
  func `a push to a token that died with the app does not reach the app that is there again`(
    _ platform: Platform
  ) throws {
    for isOnline in [true, false] {
      let fixture = Fixture()
      let device =
        try platform == .ios ? fixture.ios(online: isOnline) : fixture.android(online: isOnline)
      let old = try #require(device.apnsToken ?? device.fcmToken)
      try fixture.directory.reinstall(device.id)
      fixture.push(1, to: device) { $0.recipient = old }
      #expect(fixture.steps == ["1 dropped"])
      #expect(
        fixture.recorder.steps.last?.step.cause
          == "the token died with the app, which was installed again with a new one")
      #expect(device.inbox.isEmpty && device.storedCount == 0)
    }
  }

  // Until the uninstall delay is over, FCM takes a subscription of the dead token.
  @Test func `an app that is installed again starts without topics, also late ones`() throws {
    let device = try fixture.android()
    let old = try #require(device.fcmToken)
    try directory.uninstall(device.id)
    try fixture.workspaces.default.topics.subscribe(
      old.token, to: "late", in: "demo-project", at: fixture.time.now)
    try directory.reinstall(device.id)
    #expect(device.topics.isEmpty)
    #expect(fixture.workspaces.default.topics.count == 0)
  }

  @Test func `tokens of an app that logged out live on until it has new ones`() throws {
    let device = try fixture.android()
    try directory.clearTokens(device.id)
    #expect(device.fcmToken?.isCleared == true && device.fcmToken?.state == .active)
    try directory.rotateToken(device.id)
    #expect(device.fcmToken?.isCleared == false)
    try directory.uninstall(device.id)
    #expect(throws: DeviceError.notInstalled) { try directory.clearTokens(device.id) }
  }

  // MARK: Age (FCM: Best practices for registration token management)

  @Test func `a device is disconnected since it was made or went offline, and not while online`()
    throws
  {
    let device = try fixture.android()
    let record = try #require(device.fcmToken)
    #expect(record.disconnectedAt == fixture.time.now)
    let stream = try fixture.open(device)
    #expect(record.disconnectedAt == nil)
    fixture.advance(by: .seconds(9))
    stream.subscription?.close()
    #expect(record.disconnectedAt == fixture.time.now)
    var change = DeviceChange()
    change.online = .requested(true)
    try directory.change(device.id, change)
    #expect(record.disconnectedAt == nil)
    #expect(try fixture.android(online: true).fcmToken?.disconnectedAt == nil)
  }

  @Test func `an Android device that was away for 270 days has lost its token and topics`() throws {
    let device = try fixture.android()
    var change = DeviceChange()
    change.topics = ["a"]
    try directory.change(device.id, change)
    let record = try #require(device.fcmToken)
    let since = fixture.time.now + TokenRecord.inactivityLimit
    fixture.advance(by: TokenRecord.inactivityLimit)
    change = DeviceChange()
    change.online = .requested(true)
    try directory.change(device.id, change)
    #expect(record.state == .expired(since: since))
    #expect(device.topics.isEmpty)
  }

  @Test func `a second less keeps the token, and so does being online`() throws {
    let (away, online) = (try fixture.android(), try fixture.android(online: true))
    fixture.advance(by: TokenRecord.inactivityLimit - .seconds(1))
    #expect(away.fcmToken?.expireIfInactive(at: fixture.time.now) == false)
    fixture.advance(by: .seconds(1))
    #expect(online.fcmToken?.expireIfInactive(at: fixture.time.now) == false)
    #expect(away.fcmToken?.expireIfInactive(at: fixture.time.now) == true)
    #expect(away.fcmToken?.expireIfInactive(at: fixture.time.now) == false)
  }

  @Test func `a message to a topic passes over a device that was away for too long`() throws {
    let device = try fixture.android()
    var change = DeviceChange()
    change.topics = ["a"]
    try directory.change(device.id, change)
    fixture.advance(by: TokenRecord.inactivityLimit)
    var outcome = PushOutcome(service: .fcm, workspace: .default, status: 200)
    let message = FanOut.Message(payload: Array("{}".utf8))
    outcome.fanOut = FanOut(
      recipients: .topics(TopicSelection(topic: "a")), projects: ["demo-project"],
      android: message, web: message
    ) { _ throws(APNsRelay.Refusal) in message }
    directory.deliver(outcome, envelope: 1)
    #expect(fixture.steps.isEmpty)
    #expect(device.fcmToken?.state == .expired(since: fixture.time.now))
  }
}
