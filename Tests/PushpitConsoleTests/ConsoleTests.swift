import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleTests {
  @Test func `an unknown path is a problem`() {
    let response = ConsoleFixture().send("GET", "/api/v1/nothing")
    #expect(response.status == 404)
    #expect(response.head.fields.text("content-type") == "application/problem+json")
    for name in ["type", "title", "status", "detail"] { #expect(response.json[name] != nil) }
    #expect(response.json["status"] == 404)
  }

  @Test(arguments: [
    ("PUT", "/api/v1/devices", "GET, POST, HEAD"),
    ("POST", "/api/v1/envelopes", "GET, DELETE, HEAD"),
    ("GET", "/api/v1/devices/d1/tap", "POST"),
    ("OPTIONS", "/livez", "GET, HEAD"),
  ])
  func `a wrong method names the right ones`(method: String, path: String, allowed: String) {
    let response = ConsoleFixture().send(method, path)
    #expect(response.status == 405)
    #expect(response.head.fields.text("allow") == allowed)
  }

  @Test func `HEAD is answered as GET`() {
    #expect(ConsoleFixture().send("HEAD", "/livez").status == 200)
  }

  @Test(arguments: [
    "/3/device/abc", "/v1/projects/p/messages:send", "/token", "/o/oauth2/token", "/fcm/send",
    "/iid/v1:batchAdd", "/4/broadcasts/apps/com.example.app", "/batch",
  ])
  func `a vendor's path names the gateway port`(path: String) throws {
    let response = ConsoleFixture().send(
      "POST", path, fields: ["content-type": "application/x-www-form-urlencoded"], body: "a=b")
    #expect(response.status == 404)
    #expect(response.json["code"] == "vendor-path-on-console-port")
    #expect(response.json["type"] == "urn:pushpit:vendor-path-on-console-port")
    let detail = try #require(response.json["detail"]?.stringValue)
    #expect(detail.contains("https://localhost:2197"))
  }

  @Test(arguments: ["api.push.apple.com", "FCM.googleapis.com:8197", "accounts.google.com"])
  func `a vendor's host is told the gateway port, at a vendor's path only`(host: String) {
    let fixture = ConsoleFixture()
    let found = fixture.send("POST", "/3/device/abc", host: host)
    #expect(found.json["code"] == "vendor-path-on-console-port")
    #expect(fixture.send("GET", "/livez", host: host).json["code"] == "host-not-allowed")
    #expect(
      fixture.send("POST", "/3/device/abc", host: "push.apple.com.evil.test").json["code"]
        == "host-not-allowed")
  }

  @Test func `a path that only begins like a vendor's is the console's`() {
    #expect(ConsoleFixture().send("GET", "/tokens").json["code"] == "not-found")
  }

  @Test(arguments: [
    ("/api/v1/envelopes?servce=apns", "servce"), ("/api/v1/envelopes?service=apple", "service"),
    ("/api/v1/envelopes?outcome=ok", "outcome"), ("/api/v1/envelopes?limit=0", "limit"),
    ("/api/v1/envelopes?limit=1001", "limit"), ("/api/v1/envelopes?cursor=x", "cursor"),
    ("/api/v1/envelopes?since=yesterday", "since"), ("/api/v1/envelopes?topic=", "topic"),
    ("/api/v1/envelopes?topic=a&topic=b", "topic"), ("/api/v1/events?for=1", "for"),
    ("/api/v1/events?kind=envelope,nothing", "kind"), ("/api/v1/devices?cursor=x", "cursor"),
    ("/api/v1/connections?limit=x", "limit"), ("/api/v1/workspaces/default?a=b", "a"),
  ])
  func `a wrong query parameter is refused by name`(target: String, name: String) throws {
    let response = ConsoleFixture().send("GET", target)
    #expect(response.status == 400)
    let fault = try #require(response.json.pointer("/errors/0"))
    #expect(fault["parameter"] == .string(name))
    #expect(fault["detail"]?.stringValue?.contains(name) == true)
  }

  @Test func `every wrong parameter is named`() {
    let response = ConsoleFixture().send("GET", "/api/v1/envelopes?a=1&limit=x&b=2")
    #expect(response.json["errors"]?.arrayValue?.count == 3)
  }

  @Test func `an answer names at most a hundred faults`() {
    let query = (1...150).map { "a\($0)=1" }.joined(separator: "&")
    let response = ConsoleFixture().send("GET", "/api/v1/envelopes?" + query)
    #expect(response.json["errors"]?.arrayValue?.count == 100)
    #expect(response.json["detail"]?.stringValue?.contains("149 more") == true)
  }

  @Test(arguments: ["/api/v1/envelopes", "/api/v1/events", "/api/v1/devices"])
  func `an unknown workspace is a problem`(path: String) {
    let response = ConsoleFixture().send("GET", path + "?workspace=nowhere")
    #expect(response.status == 404)
    #expect(response.json["code"] == "unknown-workspace")
  }

  @Test(arguments: [
    ("DELETE", "/api/v1/envelopes"), ("POST", "/api/v1/devices"),
  ])
  func `all workspaces at once can only be read`(method: String, path: String) {
    let body = method == "POST" ? #"{"platform":"ios"}"# : ""
    #expect(ConsoleFixture().send(method, path + "?workspace=*", body: body).status == 400)
  }

  @Test(arguments: [
    ("1500ms", Duration?.some(.milliseconds(1500))), ("90s", .seconds(90)), ("20m", .seconds(1200)),
    ("1h", .seconds(3600)), ("1", nil), ("s", nil), ("-1s", nil), ("1.5s", nil), ("1d", nil),
    ("99999999999s", nil), ("99999999999999999999s", nil), ("", nil),
  ])
  func `a duration is a number and a unit`(text: String, duration: Duration?) {
    #expect(DurationText.parse(text) == duration)
  }
}
