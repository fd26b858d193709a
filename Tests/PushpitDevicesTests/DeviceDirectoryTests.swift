import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct DeviceDirectoryTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  @Test func `an iOS device has a registered APNs token of 64 lower-case digits`() throws {
    let device = try fixture.ios()
    let token = try #require(device.apnsToken)
    #expect(token.token.count == 64)
    #expect(TokenShape.kind(of: token.token) == .apns)
    #expect(token.token.allSatisfy { !(0x41...0x46).contains($0) })
    #expect(fixture.tokens.record(of: token.token) === token)
    #expect(token.kind == .apns)
    #expect(token.device == device.id)
    #expect(token.environment == .sandbox)
    #expect(token.topic == Array("com.example.app".utf8))
    #expect(token.app == "com.example.app")
    #expect(token.platform == .ios)
    #expect(device.fcmToken == nil)
  }

  @Test func `an iOS device with Firebase has a registration token too`() throws {
    let device = try directory.create(DeviceSpecification(platform: .ios, hasFirebase: true))
    #expect(device.apnsToken != nil)
    #expect(device.fcmToken?.platform == .ios)
    #expect(device.fcmToken?.project == "demo-project")
  }

  @Test(arguments: [Platform.android, .web])
  func `other devices have a registered FCM token only`(_ platform: Platform) throws {
    let device = try directory.create(DeviceSpecification(platform: platform))
    let token = try #require(device.fcmToken)
    #expect(fixture.tokens.record(of: token.token) === token)
    #expect(token.kind == .fcm)
    #expect(token.project == "demo-project")
    #expect(token.environment == nil)
    #expect(device.apnsToken == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a minted registration token is shaped as observed`(_ seed: UInt64) throws {
    let device = try Fixture(seed: seed).android()
    let token = try #require(device.fcmToken).token
    #expect(TokenShape.kind(of: token) == .fcm)
    #expect((142...163).contains(token.count))
    let parts = token.split(separator: UInt8(ascii: ":"))
    #expect(parts.count == 2)
    #expect(parts[0].count == 22)
    #expect(parts[1].starts(with: "APA91b".utf8))
  }

  @Test func `the same seed makes the same device`() throws {
    let other = Fixture()
    let pair = (try fixture.android(), try other.android())
    #expect(pair.0.id == pair.1.id)
    #expect(pair.0.fcmToken?.token == pair.1.fcmToken?.token)
  }

  @Test func `a given project is the token's`() throws {
    let device = try directory.create(DeviceSpecification(platform: .web, project: "other"))
    #expect(device.fcmToken?.project == "other")
  }

  @Test func `a given APNs token is registered in lower case`() throws {
    let device = try directory.create(
      DeviceSpecification(platform: .ios, apnsToken: DeviceSpecificationTests.apnsToken))
    let lower = Array(DeviceSpecificationTests.apnsToken.lowercased().utf8)
    #expect(device.apnsToken?.token == lower)
    #expect(fixture.tokens.record(of: lower)?.device == device.id)
  }

  @Test func `a given registration token is registered with its colon`() throws {
    let token = DeviceSpecificationTests.fcmToken
    let encoded = String(token.prefix(22)) + "%3A" + String(token.dropFirst(23))
    let device = try directory.create(DeviceSpecification(platform: .android, fcmToken: encoded))
    #expect(device.fcmToken?.token == Array(token.utf8))
  }

  @Test func `a token that another device has is refused`() throws {
    let token = DeviceSpecificationTests.apnsToken
    let first = try directory.create(DeviceSpecification(platform: .ios, apnsToken: token))
    let count = directory.count()
    let error = #expect(throws: DeviceError.self) {
      try directory.create(
        DeviceSpecification(platform: .ios, apnsToken: token.uppercased()),
        in: WorkspaceID("other"))
    }
    #expect(
      error
        == .tokenTaken(
          InputProblem("/tokens/apns", "device \(first.id) has this token already")))
    #expect(directory.count() == count)
  }

  @Test func `a token that was used before it was registered becomes the device's`() throws {
    let token = Array(DeviceSpecificationTests.fcmToken.utf8)
    _ = fixture.tokens.adopt(token, kind: .fcm, workspace: .default)
    let device = try directory.create(
      DeviceSpecification(platform: .android, fcmToken: DeviceSpecificationTests.fcmToken))
    #expect(fixture.tokens.record(of: token)?.device == device.id)
    #expect(fixture.tokens.undeclaredRecords().isEmpty)
  }

  @Test func `a specification made in code is checked too`() {
    #expect(throws: DeviceError.self) {
      try directory.create(DeviceSpecification(platform: .ios, apnsToken: "zz"))
    }
  }

  @Test func `a device belongs to its workspace`() throws {
    let other = WorkspaceID("other")
    let device = try directory.create(DeviceSpecification(platform: .ios), in: other)
    #expect(device.apnsToken?.workspace == other)
    #expect(directory.device(device.id) === device)
    #expect(directory.device(device.id, in: other) === device)
    #expect(directory.device(device.id, in: .default) == nil)
  }

  @Test func `lists are newest first, by workspace, page by page`() throws {
    let other = WorkspaceID("other")
    var names: [String] = []
    for index in 0..<40 {
      let device = try directory.create(
        DeviceSpecification(platform: .ios, name: "\(index)"),
        in: index.isMultiple(of: 2) ? .default : other)
      if index.isMultiple(of: 4) {
        try directory.remove(device.id)
      } else {
        names.append("\(index)")
      }
    }
    var found: [String] = []
    var cursor: UInt64?
    repeat {
      let page = directory.list(limit: 7, before: cursor)
      #expect(page.devices.count <= 7)
      found += page.devices.map(\.name)
      cursor = page.next
    } while cursor != nil
    #expect(found == names.reversed())
    #expect(directory.list(in: other, limit: 100).devices.count == 20)
    #expect(directory.count(in: other) == 20)
    #expect(directory.count(in: .default) == 10)
    #expect(directory.count() == 30)
  }

  @Test func `lists are right after most devices were removed`() throws {
    let devices = try (0..<100).map { _ in try fixture.ios() }
    let kept = devices.indices.filter { $0.isMultiple(of: 5) }
    for index in devices.indices where !kept.contains(index) {
      try directory.remove(devices[index].id)
    }
    let page = directory.list(limit: 8)
    #expect(page.devices.map(\.id) == kept.suffix(8).reversed().map { devices[$0].id })
    let rest = directory.list(limit: 100, before: page.next)
    #expect(rest.devices.map(\.id) == kept.prefix(12).reversed().map { devices[$0].id })
    try directory.remove(devices[kept[0]].id)
    #expect(directory.list(limit: 100).devices.count == 19)
  }

  @Test func `a page that holds the last device has no next`() throws {
    _ = try fixture.ios()
    _ = try fixture.ios()
    #expect(directory.list(limit: 2).next == nil)
    #expect(directory.list(limit: 1).next != nil)
  }

  @Test func `one device more than the limit is refused`() throws {
    let fixture = Fixture(limit: 2)
    _ = try fixture.ios()
    let second = try fixture.ios()
    #expect(throws: DeviceError.tooManyDevices(limit: 2)) { try fixture.ios() }
    try fixture.directory.remove(second.id)
    _ = try fixture.ios()
    #expect(DeviceDirectory.deviceLimit == 1_000_000)
  }

  @Test func `a removed device is forgotten with its tokens, streams and stored pushes`() throws {
    let device = try directory.create(DeviceSpecification(platform: .ios, hasFirebase: true))
    fixture.push(1, to: device)
    try directory.change(device.id, DeviceChange(json: ["online": false]))
    let stream = try fixture.open(device)
    let tokens = try #require([device.apnsToken, device.fcmToken] as? [TokenRecord])
    try directory.remove(device.id)
    #expect(directory.device(device.id) == nil)
    for token in tokens { #expect(fixture.tokens.record(of: token.token) == nil) }
    #expect(stream.end == .deviceRemoved)
    #expect(fixture.steps == ["1 stored", "1 dropped"])
    #expect(throws: DeviceError.unknownDevice(device.id)) { try directory.remove(device.id) }
  }

  @Test func `making and changing a device is told`() throws {
    let device = try fixture.ios()
    try directory.change(device.id, DeviceChange(json: ["permission": "denied", "name": "B"]))
    #expect(device.permission == .denied)
    #expect(device.name == "B")
    #expect(fixture.recorder.changes == [device.id, device.id])
  }
}
