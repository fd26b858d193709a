import PushpitClient
import PushpitJSON
import Testing

@testable import pushpit

@Suite struct DeviceLinesTests {
  private func lines(_ kind: String, _ data: JSONValue, device: String? = nil) -> [String] {
    DeviceLines.event(ConsoleEvent(id: nil, kind: kind, data: data), device: device)
  }

  @Test func `a device is announced with its tokens`() {
    #expect(
      DeviceLines.announcement([
        "id": "d1", "platform": "ios", "app": "com.example.app",
        "tokens": ["apns": "aa", "fcm": .null], "tokenDelay": .null,
      ]) == ["d1 ios com.example.app", "apns token: aa"])
  }

  @Test func `a device that waits for its tokens says how long`() {
    #expect(
      DeviceLines.announcement([
        "id": "d1", "platform": "ios", "app": "a", "tokens": ["apns": .null], "tokenDelay": "2s",
      ]) == ["d1 ios a", "its app is told its tokens in 2s of the workspace's clock"])
  }

  @Test func `a push is its title and body, and its data in a line of their own`() {
    let push: JSONValue = ["title": "Hello", "body": "Wor\u{1B}ld", "data": ["a": "1"]]
    #expect(lines("push", push) == ["push  Hello: Wor ld", #"      {"a":"1"}"#])
    #expect(lines("push", push, device: "Ann 1 (d1)").last == "      on Ann 1 (d1)")
    #expect(lines("push", ["title": .null, "body": "World", "data": [:]]) == ["push  World"])
  }

  @Test(
    arguments: [
      ("uninstalled", [:], "uninstalled"), ("reinstalled", [:], "reinstalled"),
      (
        "push-changed", ["envelope": "e1", "state": "tapped", "cause": "its owner"],
        "push-changed  e1  tapped  its owner"
      ),
      ("token-rotated", ["name": "apns", "token": "aa"], "token-rotated  apns token: aa"),
      ("token-ready", ["name": "fcm", "token": "x:y"], "token-ready  fcm token: x:y"),
      ("activity", ["change": "ended"], "activity  ended"),
      ("activity", ["change": "started", "token": "bb"], "activity  started  update token: bb"),
      (
        "callback", ["callback": "register", "url": "http://a", "status": 204, "error": .null],
        "callback  register  http://a  204"
      ),
      (
        "callback", ["callback": "clear", "url": "http://a", "status": .null, "error": "refused"],
        "callback  clear  http://a  refused"
      ),
      (
        "notice", ["notice": ["code": "x", "text": "Events are\nmissing."]],
        "notice  Events are missing."
      ),
      (
        "deleted-messages", [:],
        "deleted-messages  FCM dropped what it had stored; the app has to ask its server what it missed"
      ),
      ("something-new", ["a": 1], "something-new"),
    ] as [(String, JSONValue, String)])
  func `anything else is one line`(kind: String, data: JSONValue, expected: String) {
    #expect(lines(kind, data) == [expected])
  }

  @Test func `of several devices the line says which one`() {
    #expect(lines("uninstalled", [:], device: "Ann 1 (d1)") == ["uninstalled  on Ann 1 (d1)"])
  }
}
