import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitAPNs

/// A push as lint sees it; an alert of an ordinary app until something is changed.
private struct LintPush: CustomTestStringConvertible {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)
  var type: String? = "alert"
  var suffix = ""
  var priority: UInt8? = 10
  var payload: String

  init(_ payload: String, type: String? = "alert", suffix: String = "", priority: UInt8? = 10) {
    self.payload = payload
    self.type = type
    self.suffix = suffix
    self.priority = priority
  }

  /// A Live Activity's push with these members of `aps`.
  static func activity(_ members: String) -> LintPush {
    LintPush(
      #"{"aps":{\#(members)}}"#, type: "liveactivity", suffix: ".push-type.liveactivity")
  }

  static func background(_ payload: String, priority: UInt8? = 5) -> LintPush {
    LintPush(payload, type: "background", priority: priority)
  }

  var testDescription: String { "\(type ?? "no type") \(payload)" }

  var warnings: [PayloadWarning] {
    APNsLint.warnings(
      of: RecordedPush(
        service: .apns, isToToken: true, topic: "com.example.app" + suffix, pushType: type,
        priority: priority, payload: (try? JSONReader.parse(payload.utf8)) ?? .null,
        receivedAt: Self.now))
  }
}

@Suite struct APNsLintTests {
  private static let start =
    #""timestamp":1700000000,"event":"start","content-state":{"a":1},"attributes-type":"T","#
    + #""attributes":{},"alert":{"title":{"loc-key":"K"},"body":"B","sound":"s"}"#

  fileprivate static let good = [
    LintPush(#"{"aps":{"alert":"Hi","badge":0,"sound":"default"},"custom":{"alert":1}}"#),
    LintPush(
      #"{"aps":{"alert":{"title":"T","subtitle-loc-args":[],"launch-image":"x"},"sound":"#
        + #"{"critical":1},"thread-id":"t","category":"c","mutable-content":1,"#
        + #""interruption-level":"active","relevance-score":0.5,"target-content-id":"x"}}"#),
    LintPush(#"{"aps":{"alert":"Hi","content-available":1}}"#),
    LintPush(#"{"aps":{"alert":"Hi","badge":null}}"#), LintPush(#"{"aps":{},"own":1}"#),
    .background(#"{"aps":{"content-available":1},"respondo":{"type":"message"}}"#),
    .background("{}"), LintPush("{}", type: nil),
    LintPush(#"{"mdm":"magic"}"#, type: "mdm"),
    LintPush(#"{"anything":true}"#, type: "voip", suffix: ".voip"),
    LintPush(#"{"aps":{"content-changed":true}}"#, type: "widgets", suffix: ".push-type.widgets"),
    .activity(start), .activity(start + #","input-push-token":1,"stale-date":1700000900"#),
    .activity(#""timestamp":1700000000,"event":"update","content-state":{}"#),
    .activity(#""timestamp":1700000000,"event":"end","dismissal-date":1"#),
  ]

  @Test(arguments: good)
  fileprivate func `a payload as Apple describes it has no warning`(push: LintPush) {
    #expect(push.warnings.map(\.code) == [])
  }

  fileprivate static let bad: [(LintPush, APNsLint.Code, String)] = [
    (LintPush(#"{"aps":{"alert":"Hi"}}"#, type: nil), .pushTypeMissing, ""),
    (LintPush("{}", type: nil, suffix: ".voip"), .pushTypeMissing, ""),
    (
      LintPush(#"{"aps":{"content-available":1}}"#, priority: 5), .pushTypeContradicts,
      "/aps/content-available"
    ),
    (
      LintPush(#"{"aps":{"event":"update","timestamp":1700000000,"content-state":{}}}"#),
      .pushTypeContradicts, "/aps/event"
    ),
    (.background(#"{"aps":{"alert":"Hi"}}"#), .backgroundWithAlert, "/aps/alert"),
    (
      .background(#"{"aps":{"content-available":1,"sound":"s"}}"#), .backgroundWithAlert,
      "/aps/sound"
    ),
    (.background(#"{"own":1}"#), .pushTypeContradicts, "/aps/content-available"),
    (
      .background(#"{"aps":{"content-available":1}}"#, priority: 10), .backgroundPriority, ""
    ),
    (
      .background(#"{"aps":{"content-available":1}}"#, priority: nil), .backgroundPriority, ""
    ),
    (
      .activity(#""timestamp":1700000000,"events":"update","content-state":{}"#),
      .liveActivityEvent, "/aps/events"
    ),
    (
      .activity(#""timestamp":1700000000,"content-state":{}"#), .liveActivityEvent, "/aps/event"
    ),
    (
      .activity(#""timestamp":1700000000,"event":"begin","content-state":{}"#),
      .liveActivityEvent, "/aps/event"
    ),
    (.activity(#""event":"update","content-state":{}"#), .liveActivityTimestamp, "/aps/timestamp"),
    (
      .activity(#""timestamp":1699999699,"event":"update","content-state":{}"#),
      .liveActivityTimestamp, "/aps/timestamp"
    ),
    (
      .activity(#""timestamp":1700000000000,"event":"update","content-state":{}"#),
      .liveActivityTimestamp, "/aps/timestamp"
    ),
    (
      .activity(#""timestamp":1700000000,"event":"update""#), .liveActivityContentState,
      "/aps/content-state"
    ),
    (LintPush(#"{"alert":"Hi","aps":{"badge":1}}"#), .alertOutsideAPS, "/alert"),
    (
      LintPush(#"{"aps":{"alert":"Hi"},"mutable-content":1}"#), .keyOutsideAPS, "/mutable-content"
    ),
    (LintPush(#"{"aps":{"alert":"Hi"},"badge":1}"#), .keyOutsideAPS, "/badge"),
    (LintPush(#"{"aps":{"alerts":"Hi","badge":1}}"#), .keyMisspelt, "/aps/alerts"),
    (LintPush(#"{"aps":{"aelrt":"Hi","badge":1}}"#), .keyMisspelt, "/aps/aelrt"),
    (LintPush(#"{"aps":{"alrt":"Hi","badge":1}}"#), .keyMisspelt, "/aps/alrt"),
    (
      LintPush(#"{"aps":{"alert":"Hi","mutable_content":1}}"#), .keyMisspelt,
      "/aps/mutable_content"
    ),
    (LintPush(#"{"aps":{"alert":{"tilte":"Hi"}}}"#), .keyMisspelt, "/aps/alert/tilte"),
    (LintPush(#"{"aps":{"alert":"Hi","badge":"1"}}"#), .keyType, "/aps/badge"),
    (LintPush(#"{"aps":{"alert":{"loc-args":"x"}}}"#), .keyType, "/aps/alert/loc-args"),
    (LintPush(#"{"aps":"Hi"}"#), .keyType, "/aps"),
  ]

  @Test(arguments: bad)
  fileprivate func `one mistake is one warning, at its place`(
    push: LintPush, code: APNsLint.Code, pointer: String
  ) {
    #expect(push.warnings.map(\.code) == [code.rawValue])
    #expect(push.warnings.first?.pointer == pointer)
  }

  @Test(arguments: ["alert", "attributes", "attributes-type"])
  func `a start without what Apple requires of it is warned about`(key: String) throws {
    var aps = try #require(JSONReader.parse("{\(Self.start)}".utf8).objectValue)
    aps[key] = nil
    let payload = JSONValue.object(JSONObject(["aps": .object(aps)])).serialized()
    let push = LintPush(
      String(decoding: payload, as: UTF8.self), type: "liveactivity",
      suffix: ".push-type.liveactivity")
    #expect(push.warnings.map(\.code) == ["lint-live-activity-start"])
    #expect(push.warnings.map(\.pointer) == ["/aps/\(key)"])
  }

  @Test func `every code is found by a case, and begins with lint-`() {
    let found = Set(Self.bad.map(\.1) + [.liveActivityStart])
    #expect(found == Set(APNsLint.Code.allCases))
    #expect(APNsLint.Code.allCases.allSatisfy { $0.rawValue.hasPrefix("lint-") })
  }

  @Test func `what was expected and what was found are said`() {
    let badge = LintPush(#"{"aps":{"alert":"Hi","badge":"1"}}"#).warnings.first
    #expect(badge?.expected == "number")
    #expect(badge?.found == "string")
    let events = LintPush(#"{"aps":{"alert":"Hi","thread-i":"1"}}"#).warnings.first
    #expect(events?.expected == "thread-id")
    #expect(events?.found == "thread-i")
  }

  @Test func `a pointer escapes a key that has slashes`() {
    let push = LintPush(#"{"aps":{"alert":"Hi","thread/id":"1"}}"#)
    #expect(push.warnings.map(\.pointer) == ["/aps/thread~1id"])
  }

  @Test func `channel management and other services have no lint`() {
    let payload: JSONValue = ["message-storage-policy": 1, "alert": "x"]
    let channel = RecordedPush(
      service: .apns, isToToken: false, topic: nil, pushType: nil, priority: nil,
      payload: payload, receivedAt: LintPush.now)
    #expect(APNsLint.warnings(of: channel).isEmpty)
    let fcm = RecordedPush(
      service: .fcm, isToToken: true, topic: nil, pushType: nil, priority: nil, payload: payload,
      receivedAt: LintPush.now)
    #expect(APNsLint.warnings(of: fcm).isEmpty)
  }

  @Test func `a broadcast is linted too, its push type in any case`() {
    let broadcast = RecordedPush(
      service: .apns, isToToken: false, topic: nil, pushType: "LiveActivity", priority: 10,
      payload: ["aps": ["event": "update", "timestamp": 1_700_000_000]],
      receivedAt: LintPush.now)
    #expect(APNsLint.warnings(of: broadcast).map(\.code) == ["lint-live-activity-content-state"])
  }
}

@Suite struct APNsPayloadKeysTests {
  @Test(arguments: [
    ("alert", "alerts", true), ("alerts", "alert", true), ("alert", "alart", true),
    ("alert", "laert", true), ("alert", "aletr", true), ("alert", "xalert", true),
    ("alert", "alert", false), ("alert", "ale", false), ("alert", "tlera", false),
    ("ab", "ba", true), ("abc", "cba", false), ("", "a", true), ("", "", false),
    ("events", "event", true), ("abcd", "badc", false),
  ])
  func `one edit is an insertion, a deletion, a replacement or a swap of neighbours`(
    one: String, other: String, isOne: Bool
  ) {
    #expect(APNsPayloadKeys.isOneEdit(Array(one.utf8), Array(other.utf8)) == isOne)
    #expect(APNsPayloadKeys.isOneEdit(Array(other.utf8), Array(one.utf8)) == isOne)
  }
}
