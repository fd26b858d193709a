import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitDevices

/// When an app reports what.
@Suite struct CallbackHooksTests {
  let fixture = Fixture()
  var directory: DeviceDirectory { fixture.directory }

  private static let callbacks = #"""
    {"register":{"url":"http://h/{device}","body":{"token":"{token}","app":"{app}"}},
     "clear":{"method":"DELETE","url":"http://h/{token}"},
     "opened":{"url":"http://h/opened","headers":{"X-Message":"{messageID}"},
       "body":"{\"id\":\"{deliveryID}\"}"}}
    """#

  private func make(
    _ members: String = #""platform":"ios""#, callbacks: String = callbacks
  ) throws -> Device {
    try directory.create(
      DeviceSpecification(json: json("{\(members),\"callbacks\":\(callbacks)}")))
  }

  /// What was reported, `register`, and the token in it where there is one.
  private var reports: [String] {
    fixture.recorder.callbacks.map { request in
      let body = try? JSONReader.parse(request.body)
      let token = body?["token"]?.stringValue ?? String(request.target.dropFirst())
      return "\(request.kind.rawValue) \(token.prefix(8))"
    }
  }

  private func short(_ record: TokenRecord?) -> String { String((record?.text ?? "").prefix(8)) }

  private func history(_ device: Device) throws -> [JSONValue] {
    try written { device.write(into: &$0) }["history"]?.arrayValue ?? []
  }

  @Test func `nothing is reported by default`() throws {
    let device = try fixture.ios()
    try directory.rotateToken(device.id)
    try directory.clearTokens(device.id)
    directory.callBack(.opened, on: device)
    #expect(fixture.recorder.callbacks.isEmpty && device.history.isEmpty)
  }

  @Test func `an app registers its token at launch and at rotation, and clears it at logout`()
    throws
  {
    let device = try make()
    let first = short(device.apnsToken)
    try directory.rotateToken(device.id)
    let second = short(device.apnsToken)
    try directory.clearTokens(device.id)
    try directory.reinstall(device.id)
    #expect(
      reports == [
        "register \(first)", "register \(second)", "clear \(second)",
        "register \(short(device.apnsToken))",
      ])
    let request = try #require(fixture.recorder.callbacks.first)
    #expect(request.method == .post && request.url == "http://h/\(device.id)")
    #expect(request.fields.map(\.name) == ["content-type"])
    #expect(
      try JSONReader.parse(request.body)
        == ["token": .string(try #require(fixture.tokenText(request))), "app": "com.example.app"])
  }

  @Test func `a rotation of another token is not reported`() throws {
    let device = try make(#""platform":"ios","firebase":true"#)
    try directory.rotateToken(device.id, .fcm)
    #expect(fixture.recorder.callbacks.count == 1)
  }

  @Test func `an app that registers the wrong token reports that one`() throws {
    let device = try make(
      #""platform":"ios","firebase":true"#,
      callbacks: #"{"registers":"fcm","register":{"url":"http://h/","body":{"token":"{token}"}}}"#)
    try directory.rotateToken(device.id)
    try directory.rotateToken(device.id, .fcm)
    #expect(reports.count == 2 && reports.last == "register \(short(device.fcmToken))")
  }

  @Test func `a token that is not there is noted as not registered`() throws {
    let device = try fixture.ios()
    try directory.change(
      device.id,
      DeviceChange(
        json: json(#"{"callbacks":{"registers":"fcm","register":{"url":"http://h/{app}"}}}"#)))
    try directory.reinstall(device.id)
    #expect(fixture.recorder.callbacks.isEmpty)
    #expect(
      try history(device) == [
        [
          "at": "2027-01-15T08:00:00.000Z", "kind": "callback", "callback": "register",
          "url": "http://h/{app}", "try": 1, "status": .null,
          "error": "the app has no token fcm to register",
        ]
      ])
  }

  @Test func `a token that the app waits for is registered when it is there`() throws {
    let device = try make(#""platform":"android","tokenDelay":"1s""#)
    try directory.clearTokens(device.id)
    #expect(reports == [])
    fixture.advance(by: .seconds(1))
    directory.wake(at: fixture.time.now)
    #expect(reports == ["register \(short(device.fcmToken))"])
    try directory.reinstall(device.id)
    #expect(reports.count == 1)
    fixture.advance(by: .seconds(1))
    directory.wake(at: fixture.time.now)
    #expect(reports.last == "register \(short(device.fcmToken))" && reports.count == 2)
  }

  @Test func `an opened push is reported with what it was about`() throws {
    let device = try make()
    directory.callBack(.opened, on: device, deliveryID: "a\"b\n", messageID: "m1")
    let request = try #require(fixture.recorder.callbacks.last)
    #expect(request.kind == .opened && request.body == Array(#"{"id":"a\"b\n"}"#.utf8))
    #expect(request.fields == [CallbackRequest.Field(name: "x-message", value: "m1")])
    directory.callBack(.opened, on: device)
    #expect(fixture.recorder.callbacks.last?.body == Array(#"{"id":""}"#.utf8))
  }

  @Test func `what names a token that the app was not told is not sent`() throws {
    let callbacks = #"{"opened":{"url":"http://h/opened/{token}"}}"#
    let device = try make(#""platform":"ios","tokenDelay":"1s""#, callbacks: callbacks)
    directory.callBack(.opened, on: device)
    #expect(fixture.recorder.callbacks.isEmpty)
    #expect(try history(device).last?["error"] == "the app was not told its token apns yet")
    fixture.advance(by: .seconds(1))
    directory.wake(at: fixture.time.now)
    directory.callBack(.opened, on: device)
    #expect(fixture.recorder.callbacks.map(\.target) == ["/opened/\(device.apnsToken?.text ?? "")"])
  }

  @Test func `a value that would begin another header is not sent`() throws {
    let device = try make()
    let count = fixture.recorder.callbacks.count
    directory.callBack(.opened, on: device, messageID: "m\r\nx-evil: 1")
    #expect(fixture.recorder.callbacks.count == count)
    #expect(
      try history(device).last?["error"]
        == "the header x-message would have a line break or control character")
  }

  @Test func `devices that say nothing have the directory's callbacks, null means none`() throws {
    directory.defaultCallbacks = try DeviceCallbacks(json: json(Self.callbacks))
    _ = try fixture.ios()
    #expect(reports.count == 1)
    let device = try make(callbacks: "null")
    #expect(reports.count == 1)
    #expect(try written { device.write(into: &$0) }["callbacks"] == .null)
    try directory.change(device.id, DeviceChange(json: json(#"{"callbacks":\#(Self.callbacks)}"#)))
    #expect(reports.count == 1)
    try directory.rotateToken(device.id)
    #expect(reports.count == 2)
    try directory.change(device.id, DeviceChange(json: ["name": "x"]))
    try directory.rotateToken(device.id)
    #expect(reports.count == 3)
    try directory.change(device.id, DeviceChange(json: ["callbacks": .null]))
    try directory.rotateToken(device.id)
    #expect(reports.count == 3)
  }

  @Test func `each try is in the history, the newest of them, and on the stream`() throws {
    let device = try make()
    let request = try #require(fixture.recorder.callbacks.first)
    let stream = try fixture.open(device)
    let changes = fixture.recorder.changes.count
    directory.note(CallbackOutcome(number: 1, status: 500), of: request)
    directory.note(CallbackOutcome(number: 2, error: "no answer"), of: request)
    #expect(stream.log == ["1 callback", "2 callback"])
    #expect(fixture.recorder.changes.count == changes + 2)
    let event = try #require(stream.events.last)
    #expect(try content(of: event) == history(device).last)
    #expect(try history(device).map { $0["status"] } == [500, .null])
    for number in 3...Device.historyLimit + 5 {
      directory.note(CallbackOutcome(number: number, status: 204), of: request)
    }
    #expect(try history(device).count == Device.historyLimit)
    #expect(try history(device).last?["try"]?.intValue == Device.historyLimit + 5)
    try directory.remove(device.id)
    directory.note(CallbackOutcome(number: 1, status: 204), of: request)
  }
}

extension Fixture {
  /// The token that a request reports, when it is one of this directory's.
  fileprivate func tokenText(_ request: CallbackRequest) -> String? {
    let body = try? JSONReader.parse(request.body)
    guard let text = body?["token"]?.stringValue else { return nil }
    return tokens.record(of: Array(text.utf8)) == nil ? nil : text
  }
}
