import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleSettingsTests {
  private let fixture = ConsoleFixture()
  private static let path = "/api/v1/workspaces/default"

  private func patch(_ settings: String) -> ReceivedResponse {
    fixture.send("PATCH", Self.path, body: #"{"settings":\#(settings)}"#)
  }

  @Test func `every setting is listed with value, default, form and reason`() throws {
    let all = try #require(fixture.send("GET", Self.path + "/settings").json.objectValue)
    #expect(
      all.members.map(\.key) == [
        "tokens", "auth", "wire", "wedge", "apnsOverHTTP1", "providerTokenUpdates",
        "apnsTooManyRequests", "idleTimeout", "apnsGoAways", "uninstallDelay",
        "apnsInvalidPayload", "apnsBackgroundPriority", "broadcastDisabledApps", "fcmSizeLimit",
        "fcmApiEnabled", "fcmQuotas", "fcmAPNsKey", "accessTokenLifetime",
        "delivery.backgroundPerHour", "contract.campaignType", "limits.envelopes", "limits.devices",
      ])
    for (name, setting) in all.members {
      #expect(setting["value"] == setting["default"], "\(name)")
      #expect(setting["value"] != nil, "\(name)")
      #expect(setting["takes"]?.stringValue?.isEmpty == false, "\(name)")
      #expect(setting["reason"]?.stringValue?.hasSuffix(".") == true, "\(name)")
    }
  }

  @Test(arguments: [
    ("tokens", #""strict""#), ("auth", #""shape""#), ("wire", #""documented""#),
    ("wedge", #""internal-error""#), ("wedge", #""off""#), ("apnsOverHTTP1", #""serve""#),
    ("providerTokenUpdates", "5"), ("providerTokenUpdates", "null"),
    ("apnsTooManyRequests", #"{"perSecond":10}"#), ("idleTimeout", #""90s""#),
    ("uninstallDelay", #""20m""#), ("apnsGoAways", #""two""#), ("apnsInvalidPayload", #""accept""#),
    ("apnsBackgroundPriority", #""refuse""#),
    ("broadcastDisabledApps", #"["com.example.app","com.example.other"]"#),
    ("fcmSizeLimit", #""documented""#), ("fcmApiEnabled", "false"),
    ("fcmQuotas", #"{"projectPerMinute":600000,"devicePerMinute":240,"topicPerMinute":10}"#),
    ("fcmQuotas", #"{"devicePerMinute":240}"#),
    ("fcmAPNsKey", #""none""#), ("fcmAPNsKey", #""ABCDE12345""#),
    ("accessTokenLifetime", #""90s""#), ("delivery.backgroundPerHour", "3"),
    ("contract.campaignType", #""campaign""#), ("limits.envelopes", "50000"),
    ("limits.devices", "1"),
  ])
  func `a setting is changed and shown, and set back`(name: String, value: String) throws {
    let shown = try JSONReader.parse(Array(value.utf8))
    let answer = patch(#"{"\#(name)":\#(value)}"#)
    #expect(answer.status == 200)
    #expect(answer.json.pointer("/settings/\(name)") == shown)
    let listed = fixture.send("GET", Self.path + "/settings").json
    #expect(listed.pointer("/\(name)/value") == shown)
    let standard = try #require(listed.pointer("/\(name)/default"))
    #expect(standard != shown)
    let back = patch(#"{"\#(name)":\#(String(decoding: standard.serialized(), as: UTF8.self))}"#)
    #expect(back.status == 200)
    #expect(fixture.workspaces.default.policies == Policies())
    #expect(fixture.workspaces.default.apns == APNsSettings())
    #expect(fixture.workspaces.default.fcm == FCMSettings())
  }

  @Test func `a change has its effect in the workspace`() {
    _ = patch(
      #"{"tokens":"strict","wedge":"off","providerTokenUpdates":null,"idleTimeout":"90s","#
        + #""apnsTooManyRequests":{"perSecond":3},"uninstallDelay":"1500ms"}"#)
    let workspace = fixture.workspaces.default
    #expect(workspace.policies.tokens == .strict)
    #expect(workspace.apns.wedge == .off)
    #expect(workspace.apns.providerTokenUpdates == nil)
    #expect(workspace.apns.idleTimeout == .seconds(90))
    #expect(workspace.requestsPerSecond == 3)
    #expect(workspace.apns.uninstallDelay == .milliseconds(1500))
  }

  @Test(arguments: [
    ("tokens", #""closed""#), ("tokens", "null"), ("wedge", "true"), ("providerTokenUpdates", "-1"),
    ("providerTokenUpdates", "1001"), ("providerTokenUpdates", #""5""#),
    ("delivery.backgroundPerHour", "0"), ("contract.campaignType", #""""#),
    ("limits.envelopes", "50001"), ("limits.devices", "0"),
    ("apnsTooManyRequests", "10"),
    ("apnsTooManyRequests", #"{"perSecond":0}"#),
    ("apnsTooManyRequests", #"{"perSecond":1,"perMinute":1}"#), ("idleTimeout", "90"),
    ("idleTimeout", #""0s""#), ("uninstallDelay", "null"), ("uninstallDelay", #""soon""#),
    ("broadcastDisabledApps", #""com.example.app""#), ("broadcastDisabledApps", "[1]"),
    ("fcmSizeLimit", #""4096""#), ("fcmApiEnabled", "0"),
    ("fcmQuotas", "{}"), ("fcmQuotas", #"{"perMinute":1}"#),
    ("fcmQuotas", #"{"devicePerMinute":0}"#),
    ("fcmAPNsKey", "null"), ("fcmAPNsKey", #""abcde12345""#), ("fcmAPNsKey", #""ABCDE1234""#),
    ("broadcastDisabledApps", #"[""]"#), ("accessTokenLifetime", #""0s""#),
    ("accessTokenLifetime", #""999ms""#), ("accessTokenLifetime", "null"),
  ])
  func `a value of another form is refused with its place`(name: String, value: String) {
    let answer = patch(#"{"\#(name)":\#(value)}"#)
    #expect(answer.status == 400)
    #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == "/settings/\(name)")
    #expect(answer.json.pointer("/errors/0/detail")?.stringValue?.hasPrefix("Expected ") == true)
  }

  @Test(arguments: [("wegde", "wedge"), ("ApnsOverHttp1", "apnsOverHTTP1"), ("idle", "wire")])
  func `an unknown name is refused with the nearest one`(name: String, nearest: String) {
    let answer = patch(#"{"\#(name)":1}"#)
    #expect(answer.status == 400)
    #expect(
      answer.json.pointer("/errors/0/detail")?.stringValue
        == "Unknown setting; the nearest is \(nearest).")
    #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == "/settings/\(name)")
  }

  @Test func `nothing is changed when one of them is wrong`() {
    let answer = patch(#"{"tokens":"strict","wire":"x","a/b":1}"#)
    #expect(answer.status == 400)
    #expect(answer.json["errors"]?.arrayValue?.count == 2)
    #expect(answer.json.pointer("/errors/1/pointer")?.stringValue == "/settings/a~1b")
    #expect(fixture.workspaces.default.policies == Policies())
  }

  @Test func `of thousands of unknown names a hundred are looked at`() {
    let names = (0..<5000).map { #""n\#($0)":1"# }
    let answer = patch("{" + names.joined(separator: ",") + "}")
    #expect(answer.status == 400)
    #expect(answer.json["errors"]?.arrayValue?.count == 100)
  }

  @Test func `a name that is no JSON Pointer by itself is escaped`() {
    let answer = fixture.send("PATCH", Self.path, body: #"{"a/b~c":1}"#)
    #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == "/a~1b~0c")
  }

  @Test(arguments: ["[]", #"{"name":"x"}"#, #"{"settings":1}"#])
  func `another body is refused`(body: String) {
    #expect(fixture.send("PATCH", Self.path, body: body).status == 400)
  }

  @Test func `a body without settings changes nothing`() {
    #expect(fixture.send("PATCH", Self.path, body: "{}").status == 200)
    #expect(fixture.send("PATCH", "/api/v1/workspaces/nowhere", body: "{}").status == 404)
  }
}
