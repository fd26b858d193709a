import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Device tokens of the kinds that an iOS app can have.
@Suite struct DeviceTokensTests {
  let fixture = Fixture()

  static let kinds = DeviceTokenKind.allCases.filter { $0 != .app }

  func specification(_ tokens: String, platform: String = "ios") throws -> DeviceSpecification {
    try DeviceSpecification(json: json(#"{"platform":"\#(platform)","tokens":\#(tokens)}"#))
  }

  func problems(_ tokens: String, platform: String = "ios") throws -> [InputProblem] {
    do {
      _ = try specification(tokens, platform: platform)
      return []
    } catch DeviceError.invalid(let problems) {
      return problems
    }
  }

  @Test(arguments: kinds)
  func `a token of each kind is minted, bound to its topic and shown`(kind: DeviceTokenKind) throws
  {
    let device = try fixture.directory.create(try specification(#"{"\#(kind.rawValue)":true}"#))
    let record = try #require(device.token(.apns(kind)))
    #expect(record.token.count == kind.mintedLength)
    #expect(record.purpose == kind)
    #expect(record.topic == kind.topic(of: device.app))
    #expect(record.environment == .sandbox)
    #expect(record.owner === device)
    #expect(fixture.tokens.record(of: record.token) === record)
    let shown = try written { device.write(into: &$0) }["tokens"]
    #expect(shown?[kind.rawValue]?.stringValue == String(decoding: record.token, as: UTF8.self))
    #expect(shown?.objectValue?.members.map(\.key) == ["apns", "fcm", kind.rawValue])
  }

  @Test(arguments: kinds, [64, 200])
  func `a given token of any even length is taken, in lower case`(
    kind: DeviceTokenKind, length: Int
  ) throws {
    let token = String(repeating: "AB", count: length / 2)
    let device = try fixture.directory.create(
      try specification(#"{"\#(kind.rawValue)":"\#(token)"}"#))
    #expect(device.token(.apns(kind))?.token == Array(token.lowercased().utf8))
  }

  @Test func `true is also good for the token that every iOS app has`() throws {
    #expect(try specification(#"{"apns":true}"#) == DeviceSpecification(platform: .ios))
  }

  @Test(arguments: [
    (#"{"voip":"abc"}"#, "/tokens/voip"), (#"{"voip":false}"#, "/tokens/voip"),
    (#"{"widgets":1}"#, "/tokens/widgets"), (#"{"apns":false}"#, "/tokens/apns"),
    (#"{"watch":true}"#, "/tokens/watch"),
  ])
  func `what is no token is refused by pointer`(tokens: String, pointer: String) throws {
    #expect(try problems(tokens).map(\.pointer) == [pointer])
  }

  @Test func `an FCM token given for a kind has its code`() throws {
    let problem = try problems(#"{"voip":"\#(DeviceSpecificationTests.fcmToken)"}"#).first
    #expect(problem?.code == .androidTokenRegisteredAsIOS)
  }

  @Test(arguments: ["apns", "voip"])
  func `other platforms have none of them`(kind: String) throws {
    let problems = try problems(#"{"\#(kind)":true}"#, platform: "android")
    #expect(problems.map(\.pointer) == ["/tokens/\(kind)"])
  }

  @Test func `one token cannot be of two kinds, nor of two devices`() throws {
    let token = String(repeating: "ab", count: 32)
    #expect(
      try problems(#"{"apns":"\#(token)","voip":"\#(token.uppercased())"}"#).map(\.pointer)
        == ["/tokens/voip"])
    let specification = try specification(#"{"voip":"\#(token)"}"#)
    try fixture.directory.create(specification)
    #expect(throws: DeviceError.self) { try fixture.directory.create(specification) }
    #expect(fixture.directory.count() == 1)
  }

  @Test func `all tokens die with the app, and go with the device`() throws {
    let device = try fixture.directory.create(
      try specification(#"{"voip":true,"pushToStart":true,"liveactivity":true}"#))
    let names = [TokenName.apns(.app), .apns(.voip), .apns(.pushToStart)]
    let records = names.compactMap(device.token)
    let activity = try #require(device.token(.apns(.liveactivity)))
    try fixture.directory.uninstall(device.id)
    #expect(
      records.map(\.state)
        == Array(repeating: .unregistered(since: fixture.time.now), count: 3))
    // Observed: dead tokens of Live Activities keep being answered with 200.
    #expect(activity.state == .active)
    #expect(device.activities.map(\.state) == [.ended])
    try fixture.directory.remove(device.id)
    for record in records + [activity] { #expect(fixture.tokens.record(of: record.token) == nil) }
  }

  @Test func `a token expires when a test says so, in the workspace's time`() throws {
    let device = try fixture.directory.create(try specification(#"{"voip":true}"#))
    fixture.workspaces.default.clock.offset = .seconds(60)
    try fixture.directory.expireToken(device.id, .apns(.voip))
    let since = fixture.time.now + .seconds(60)
    #expect(device.token(.apns(.voip))?.state == .expired(since: since))
    #expect(device.apnsToken?.state == .active)
    try fixture.directory.expireToken(device.id)
    #expect(device.apnsToken?.state == .expired(since: since))
    fixture.advance(by: .seconds(1))
    try fixture.directory.expireToken(device.id)
    try fixture.directory.uninstall(device.id)
    #expect(device.apnsToken?.state == .expired(since: since))
  }

  @Test func `the main token of an Android device is FCM's`() throws {
    let device = try fixture.android()
    try fixture.directory.expireToken(device.id)
    #expect(device.fcmToken?.state == .expired(since: fixture.time.now))
    #expect(throws: DeviceError.noToken(.apns(.app))) {
      try fixture.directory.expireToken(device.id, .apns(.app))
    }
  }

  @Test func `every name of a token is read back`() {
    for name in TokenName.all { #expect(TokenName(name)?.text == name) }
    #expect(TokenName("app") == nil)
  }
}
