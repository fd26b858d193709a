import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct DeviceJSONTests {
  let fixture = Fixture()

  func event(_ payload: String, to device: Device) throws -> JSONValue {
    let stream = try fixture.open(device)
    fixture.push(7, to: device) { $0.deviceMessage = Array(payload.utf8) }
    let event = try #require(stream.events.last)
    return try content(of: event)
  }

  @Test func `a device is written with its tokens, settings and inbox`() throws {
    let device = try fixture.ios(online: true)
    fixture.push(7, to: device) { outcome in
      outcome.deviceMessage = Array(#"{"aps":{"alert":{"title":"T","body":"B"}},"k":"v"}"#.utf8)
    }
    let token = String(decoding: try #require(device.apnsToken).token, as: UTF8.self)
    let value = try written { device.write(into: &$0) }
    #expect(
      value == [
        "id": .string(device.id.rawValue), "workspace": "default", "name": "ios 1",
        "platform": "ios", "app": "com.example.app", "environment": "sandbox", "project": .null,
        "contract": .null, "online": true, "foreground": false, "permission": "granted",
        "powerSaving": false, "installed": true, "tokens": ["apns": .string(token), "fcm": .null],
        "tokenDelay": .null, "callbacks": .null, "channels": [], "topics": [],
        "activities": [], "stored": 0, "history": [],
        "inbox": [
          [
            "envelope": "e7", "service": "apns", "state": "displayed", "title": "T", "body": "B",
            "data": ["k": "v"], "contract": .null, "at": "2027-01-15T08:00:00.000Z",
          ]
        ],
      ])
  }

  @Test func `foreground is written as it is read`() throws {
    let device = try fixture.ios()
    for value in [true, false, ["conversation": "7"]] as [JSONValue] {
      try fixture.directory.change(device.id, DeviceChange(json: ["foreground": value]))
      #expect(try written { device.write(into: &$0) }["foreground"] == value)
    }
  }

  @Test func `a push event of APNs has title, body, and the data beside aps`() throws {
    let event = try event(
      #"{"aps":{"alert":{"title":"T","body":"B"}},"a":1,"b":{"c":[]}}"#, to: try fixture.ios())
    #expect(
      event == [
        "envelope": "e7", "service": "apns", "title": "T", "body": "B",
        "data": ["a": 1, "b": ["c": []]],
        "payload": ["aps": ["alert": ["title": "T", "body": "B"]], "a": 1, "b": ["c": []]],
        "state": "displayed", "contract": .null, "at": "2027-01-15T08:00:00.000Z",
      ])
  }

  @Test func `an alert that is a string is the body`() throws {
    let event = try event(#"{"aps":{"alert":"Hello"}}"#, to: try fixture.ios())
    #expect(event["title"] == .null)
    #expect(event["body"] == "Hello")
    #expect(event["data"] == [:])
  }

  @Test func `a push event of FCM has the notification's texts and the data map`() throws {
    let event = try event(
      #"{"notification":{"title":"T","body":"B"},"data":{"k":"v"},"android":{}}"#,
      to: try fixture.android())
    #expect(event["title"] == "T")
    #expect(event["body"] == "B")
    #expect(event["data"] == ["k": "v"])
  }

  @Test func `a push of FCM is read as deep as FCM takes messages`() throws {
    let (open, close) = (String(repeating: "[", count: 95), String(repeating: "]", count: 95))
    let device = try fixture.android()
    let stream = try fixture.open(device)
    fixture.push(7, to: device) {
      $0.deviceMessage = Array(#"{"notification":{"title":"T","x":\#(open)\#(close)}}"#.utf8)
    }
    var writer = JSONWriter()
    try #require(stream.events.last).write(into: &writer)
    let event = try JSONReader.parse(writer.bytes, depthLimit: JSONReader.recordDepthLimit)
    #expect(event["title"] == "T")
  }

  @Test(arguments: ["{", "[]", "null", "", #"{"aps":1}"#, #"{"aps":{"alert":7}}"#])
  func `a payload of no use has no texts`(_ payload: String) throws {
    let event = try event(payload, to: try fixture.ios())
    #expect(event["title"] == .null)
    #expect(event["body"] == .null)
    #expect(event["data"] == [:])
  }

  @Test func `a deleted-messages notice and an uninstall carry their time`() throws {
    let device = try fixture.android()
    for envelope in 1...101 as ClosedRange<UInt64> { fixture.push(envelope, to: device) }
    let stream = try fixture.open(device)
    try fixture.directory.uninstall(device.id)
    #expect(stream.events.map(\.kind) == ["deleted-messages", "uninstalled"])
    for event in stream.events {
      #expect(try content(of: event) == ["at": "2027-01-15T08:00:00.000Z"])
    }
  }
}
