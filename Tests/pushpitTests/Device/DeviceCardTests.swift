import PushpitJSON
import Testing

@testable import pushpit

@Suite struct DeviceCardTests {
  private static let push: JSONValue = [
    "device": "d1", "envelope": "e7", "service": "apns", "title": "Ann", "body": "Hello, 你好",
    "data": ["respondo": ["type": "message"]], "state": "displayed", "contract": "respondo",
    "messageID": "m1", "deepLink": "respondo://conversation/c1", "at": "2026-12-01T11:14:32.072Z",
  ]

  private func lines(
    _ push: JSONValue = Self.push, warnings: [JSONValue] = [], device: String? = nil,
    columns: Int = 60, hasColour: Bool = false
  ) -> [String] {
    DeviceCard(push: push, warnings: warnings, device: device)
      .lines(columns: columns, Ink(hasColour: hasColour))
  }

  private func changed(_ key: String, _ value: JSONValue) -> JSONValue {
    var object = Self.push.objectValue ?? JSONObject()
    object[key] = value
    return .object(object)
  }

  @Test func `a push is what the phone shows, and what is known about it`() {
    #expect(
      lines() == [
        "push  displayed  11:14:32.072  apns  e7", "│ Ann", "│ Hello, 你好",
        #"│ data      {"respondo":{"type":"message"}}"#, "│ contract  respondo  message m1",
        "│ link      respondo://conversation/c1",
      ])
  }

  @Test func `a push with nothing to show or to know says so`() {
    let push: JSONValue = [
      "envelope": "e7", "service": "fcm", "title": .null, "body": .null, "data": [:],
      "state": "delivered", "contract": .null, "at": "2026-12-01T11:14:32.072Z",
    ]
    #expect(lines(push) == ["push  delivered  11:14:32.072  fcm  e7", "│ (no alert)"])
  }

  @Test func `the device, the channel and the campaign are named where there are some`() {
    var push = changed("channel", "abc==").objectValue ?? JSONObject()
    push["messageID"] = nil
    push["deliveryID"] = "d9"
    let card = lines(.object(push), device: "Ann 2 (d1)", columns: 80)
    #expect(card[0] == "push  displayed  11:14:32.072  apns  e7  Ann 2 (d1)  channel abc==")
    #expect(card.contains("│ contract  respondo  delivery d9"))
  }

  @Test func `warnings are amber, and colour is nowhere but in a terminal`() {
    let warning: JSONValue = ["code": "lint-x", "pointer": "/aps/y", "text": "Is dropped."]
    #expect(lines(warnings: [warning]).last == "│ lint-x  /aps/y  Is dropped.")
    #expect(
      lines(warnings: [warning], hasColour: true).last
        == "│ \u{1B}[33mlint-x  /aps/y  Is dropped.\u{1B}[0m")
    #expect(lines(hasColour: true)[0].contains("\u{1B}[32mdisplayed\u{1B}[0m"))
    #expect(
      lines(changed("state", "duplicate"), hasColour: true)[0]
        .contains("\u{1B}[33mduplicate\u{1B}[0m"))
  }

  @Test(arguments: [1, 24, 40, 80, 200])
  func `no line is wider than the terminal, whatever was sent`(columns: Int) {
    let long = JSONValue.string(String(repeating: "你好 Donaudampfschiff", count: 50))
    var push = JSONObject()
    for key in ["title", "body", "deepLink", "contract", "messageID", "at", "service", "channel"] {
      push[key] = long
    }
    push["state"] = "displayed"
    push["data"] = ["a": long]
    let card = lines(
      .object(push), warnings: [["code": long, "text": long]], device: "你好你好你好", columns: columns)
    let limit = max(columns, DeviceCard.widthMinimum)
    #expect(card.allSatisfy { TextColumns.width(of: $0) <= limit })
  }

  @Test func `a card has at most so many lines`() {
    let text = JSONValue.string(String(repeating: "word ", count: 1000))
    #expect(lines(changed("title", text)).count == 6 - 1 + DeviceCard.titleLimit)
    #expect(lines(changed("body", text)).count == 6 - 1 + DeviceCard.bodyLimit)
    #expect(lines(changed("data", ["a": text])).count == 6 - 1 + DeviceCard.dataLimit)
    #expect(lines(warnings: [["code": text]]).count == 6 + DeviceCard.warningLineLimit)
    let many = lines(
      warnings: Array(repeating: ["code": "x"], count: DeviceCard.warningLimit + 2))
    #expect(many.count == 6 + DeviceCard.warningLimit + 1)
    #expect(many.last == "│ and 2 more")
  }

  @Test func `no control character of a sender's gets to the terminal`() {
    let evil = JSONValue.string("a\u{1B}[2J\u{9B}31m\u{7}b")
    var push = JSONObject()
    for key in ["title", "body", "deepLink", "contract", "messageID", "service", "envelope"] {
      push[key] = evil
    }
    push["data"] = ["k": evil]
    let card = lines(.object(push), warnings: [["code": evil, "text": evil]], device: "x\u{1B}y")
    let hasControl = card.joined().unicodeScalars.contains {
      $0.properties.generalCategory == .control
    }
    #expect(!hasControl)
  }
}
