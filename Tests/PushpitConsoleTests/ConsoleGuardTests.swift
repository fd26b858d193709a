import PushpitHTTPTypes
import PushpitJSON
import Testing

@testable import PushpitConsole

@Suite struct ConsoleGuardTests {
  private static let paths = ["/", "/livez", "/metrics", "/api/v1/envelopes", "/api/v1/events"]

  /// The status of an answer, streams included.
  private func status(_ answer: ConsoleAnswer) -> Int {
    switch answer {
    case .response(let response): response.head.status
    case .later: 0
    case .streaming(let head, _): head.status
    }
  }

  @Test(arguments: [
    "localhost", "localhost:8197", "LocalHost:1", "127.0.0.1:8197", "[::1]:8197", "[::1]",
    "pushpit.test:8197", "[fd00::7]:8197",
  ])
  func `a request to a name of this machine is answered`(host: String) {
    let fixture = ConsoleFixture(access: ConsoleAccess(hosts: ["Pushpit.test", "fd00::7"]))
    #expect(fixture.send("GET", "/livez", host: host).status == 200)
  }

  @Test(
    arguments: [
      "", "evil.example", "evil.example:8197", "localhost.evil.example", "localhost:8197:1",
      "localhost:", "localhost:x", "localhost:99999", "127.0.0.2", "::1", "[::1", "[localhost]",
      "localhost@evil.example", "pushpit.test", "localhost.",
    ], paths)
  func `a request to another host is refused`(host: String, path: String) {
    let answer = ConsoleFixture().answer("GET", path, host: host)
    #expect(status(answer) == 403)
  }

  @Test(
    arguments: [
      "http://evil.example", "null", "http://localhost:3000", "http://127.0.0.1:8197",
      "http://localhost", "http://localhost:8197.evil.example", "", "localhost:8197",
      "chrome-extension://abc", "http://localhost:8197/",
    ], paths)
  func `a foreign origin is refused, for reads and streams too`(origin: String, path: String) {
    let answer = ConsoleFixture().answer("GET", path, fields: ["origin": origin])
    #expect(status(answer) == 403)
  }

  @Test(arguments: [
    ("localhost:8197", "http://localhost:8197"), ("localhost", "http://localhost"),
    ("[::1]:8197", "http://[::1]:8197"), ("LOCALHOST:8197", "http://localhost:8197"),
    ("localhost:80", "http://localhost"),
  ])
  func `the console's own page is served`(host: String, origin: String) {
    let fields: KeyValuePairs = ["origin": origin, "sec-fetch-site": "same-origin"]
    let response = ConsoleFixture().send("GET", "/api/v1/envelopes", host: host, fields: fields)
    #expect(response.status == 200)
  }

  @Test(arguments: ["cross-site", "same-site", "Cross-Site"], paths)
  func `a request of another page is refused`(site: String, path: String) {
    let answer = ConsoleFixture().answer("GET", path, fields: ["sec-fetch-site": site])
    #expect(status(answer) == 403)
  }

  @Test func `a second origin field is looked at too`() {
    let answer = ConsoleFixture().answer(
      "GET", "/livez",
      fields: ["origin": "http://localhost:8197", "Origin": "http://evil.example"])
    #expect(status(answer) == 403)
  }

  @Test func `what the address bar asks for is served`() {
    #expect(ConsoleFixture().send("GET", "/", fields: ["sec-fetch-site": "none"]).status == 200)
  }

  @Test(arguments: [
    "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a",
    "application/jsonp", "text/json",
  ])
  func `a body of another type is refused`(type: String) {
    let response = ConsoleFixture().send(
      "POST", "/api/v1/devices", fields: ["content-type": type], body: #"{"platform":"ios"}"#)
    #expect(response.status == 415)
    #expect(response.json["code"] == "not-json")
  }

  @Test(arguments: ["application/json", "Application/JSON; charset=utf-8"])
  func `a body of JSON is taken`(type: String) {
    let response = ConsoleFixture().send(
      "POST", "/api/v1/devices", fields: ["content-type": type], body: #"{"platform":"ios"}"#)
    #expect(response.status == 201)
  }

  @Test func `a body over the limit is refused`() {
    let fixture = ConsoleFixture(access: ConsoleAccess(bodyLimit: 20))
    let body = #"{"platform":"ios"}"#
    #expect(fixture.send("POST", "/api/v1/devices", body: body).status == 201)
    #expect(fixture.send("POST", "/api/v1/devices", body: body + "   ").status == 413)
    let cut = ConsoleFixture().send("POST", "/api/v1/devices", body: body, isBodyCut: true)
    #expect(cut.status == 413)
  }

  @Test(arguments: [
    nil, "Bearer", "Bearer wrong", "Bearer secre", "Bearer secrets", "Basic secret", "secret",
    "Bearer  secret", "Bearer ",
  ])
  func `without the console token nothing is shown`(authorization: String?) {
    let fixture = ConsoleFixture(access: ConsoleAccess(token: "secret"))
    let fields: KeyValuePairs = ["authorization": authorization ?? ""]
    for path in ["/", "/metrics", "/api/v1/envelopes", "/api/v1/events", "/nothing"] {
      let answer = fixture.answer("GET", path, fields: authorization == nil ? [:] : fields)
      #expect(status(answer) == 401)
    }
    let response = fixture.send("GET", "/", fields: fields)
    #expect(response.head.fields.text("www-authenticate") == #"Bearer realm="pushpit""#)
  }

  @Test func `with the console token everything is shown, and health without`() {
    let fixture = ConsoleFixture(access: ConsoleAccess(token: "secret"))
    #expect(fixture.send("GET", "/", fields: ["authorization": "bearer secret"]).status == 200)
    #expect(fixture.send("GET", "/livez").status == 200)
    #expect(fixture.send("GET", "/readyz").status == 200)
  }

  @Test(arguments: ["/", "/livez", "/api/v1/envelopes", "/nothing", "/3/device/abc"])
  func `every answer forbids sniffing and storing and allows no other origin`(path: String) {
    let fields = ConsoleFixture().send("GET", path).head.fields
    #expect(fields.text("x-content-type-options") == "nosniff")
    #expect(fields.text("cache-control") == "no-store")
    #expect(!fields.pairs.contains { $0.name.hasPrefix("access-control-") })
  }

  @Test func `a preflight is not answered with CORS`() {
    let response = ConsoleFixture().send(
      "OPTIONS", "/api/v1/envelopes", fields: ["origin": "http://evil.example"])
    #expect(response.status == 403)
  }
}
