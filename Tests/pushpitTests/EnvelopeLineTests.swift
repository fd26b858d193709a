import PushpitJSON
import Testing

@testable import pushpit

@Suite struct EnvelopeLineTests {
  private let accepted: JSONValue = [
    "receivedAt": "2026-01-15T01:30:15.010Z", "service": "apns", "outcome": "accepted",
    "status": 200, "reason": .null, "topic": "com.example.app", "project": .null,
    "token": "0a1b2c3d0a1b2c3d",
    "payload": ["aps": ["alert": ["title": "Hello", "body": "World"]]], "diagnosis": .null,
    "warnings": [],
  ]

  private func changed(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    var object = accepted.objectValue ?? JSONObject()
    for (key, value) in members { object[key] = value }
    return .object(object)
  }

  @Test func `an accepted push is one line`() {
    #expect(
      EnvelopeLine.lines(accepted) == [
        "01:30:15.010  apns  accepted  com.example.app  0a1b2c3d...  \"Hello: World\""
      ])
  }

  @Test func `a refusal has its reason, what is wrong and a fix`() {
    let refused = changed([
      "outcome": "rejected", "status": 400, "reason": "BadDeviceToken",
      "diagnosis": ["code": "token-not-hex", "what": "the token is none", "fix": "send one"],
    ])
    #expect(
      EnvelopeLine.lines(refused) == [
        "01:30:15.010  apns  400 BadDeviceToken  com.example.app  0a1b2c3d...  \"Hello: World\"",
        "  token-not-hex: the token is none", "  fix: send one",
      ])
  }

  @Test func `a broadcast has its channel`() {
    let broadcast = changed([
      "topic": .null, "token": .null, "channel": "tvI2UK0vEfEAAA6GFnjo2Q==", "payload": .null,
    ])
    #expect(
      EnvelopeLine.lines(broadcast) == ["01:30:15.010  apns  accepted  tvI2UK0vEfEAAA6GFnjo2Q=="])
  }

  @Test func `warnings are named in the line`() {
    let warned = changed(["warnings": [["code": "sent-after-clear"]]])
    #expect(EnvelopeLine.lines(warned)[0].hasSuffix("  sent-after-clear"))
  }

  @Test func `an alert of one string and a message of FCM have their title`() {
    let plain = changed(["payload": ["aps": ["alert": "Hi"]]])
    #expect(EnvelopeLine.lines(plain)[0].hasSuffix("  \"Hi\""))
    let message = changed(["payload": ["message": ["notification": ["title": "Hi"]]]])
    #expect(EnvelopeLine.lines(message)[0].hasSuffix("  \"Hi\""))
    #expect(EnvelopeLine.lines(changed(["payload": .null]))[0].hasSuffix("0a1b2c3d..."))
  }

  @Test func `what a sender wrote cannot move the cursor or fake a line`() {
    let evil = changed(["payload": ["aps": ["alert": "a\n\u{1B}[31mb\u{9B}c\u{7F}"]]])
    let lines = EnvelopeLine.lines(evil)
    #expect(lines.count == 1)
    #expect(
      lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
  }

  @Test func `an envelope without anything is a line all the same`() {
    #expect(EnvelopeLine.lines([:]).count == 1)
  }
}
