import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleStatusTests {
  @Test func `readiness is that of the listeners`() {
    let fixture = ConsoleFixture()
    #expect(fixture.send("GET", "/readyz").status == 200)
    fixture.status.isReady = false
    #expect(fixture.send("GET", "/readyz").status == 503)
    #expect(fixture.send("GET", "/livez").status == 200)
  }

  @Test func `metrics are Prometheus text`() throws {
    let fixture = ConsoleFixture()
    fixture.push()
    fixture.push { $0.reason = "BadTopic" }
    let response = fixture.send("GET", "/metrics")
    #expect(
      response.head.fields.text("content-type") == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      #"pushpit_envelopes_total{service="apns",outcome="accepted"} 1"#,
      #"pushpit_envelopes_total{service="apns",outcome="rejected"} 1"#,
      "pushpit_envelopes 2", "pushpit_envelopes_evicted_total 0", "pushpit_connections 2",
      "pushpit_connections_total 5", "pushpit_devices 0",
      "pushpit_undeclared_tokens_forgotten_total 0",
    ] {
      #expect(response.text.split(separator: "\n").contains(Substring(line)))
    }
  }

  @Test func `connections that never sent a request are explained`() {
    let fixture = ConsoleFixture()
    for id in 1...3 {
      var entry = ConnectionEntry(
        facts: ConnectionFacts(id: UInt64(id), peer: "127.0.0.1:5000\(id)", listener: 0),
        listener: "gateway 127.0.0.1:2197", openedAt: fixture.time.now,
        progress: "handshakeDone")
      entry.alert = "unknown_ca"
      entry.diagnosis = Diagnosis(
        DiagnosisCode("ca-not-trusted"), what: "The sender does not trust the CA.",
        fix: "Give it ca.pem.")
      fixture.status.connections.insert(entry, at: 0)
    }
    let first = fixture.send("GET", "/api/v1/connections?limit=2")
    #expect(first.json.pointer("/items/0/id") == 3)
    #expect(first.json.pointer("/items/0/diagnosis/code") == "ca-not-trusted")
    #expect(first.json["total"] == 3)
    #expect(first.json["evicted"] == 2)
    #expect(first.json["next"] == "2")
    let second = fixture.send("GET", "/api/v1/connections?limit=2&cursor=2")
    #expect(second.json.pointer("/items/0/id") == 1)
    #expect(second.json["next"] == .null)
  }

  @Test func `keys that sign too many tokens stand beside the connections`() {
    let fixture = ConsoleFixture()
    #expect(fixture.send("GET", "/api/v1/connections").json["keys"] == [])
    fixture.status.providerKeys = [
      ProviderKeyEntry(
        keyID: "KEYID12345", teamID: "TEAM123456", workspace: .default, tokenCount: 20,
        recentTokenCount: 12, recentConnectionCount: 11, lastAt: fixture.time.now,
        diagnosis: Diagnosis(DiagnosisCode("some-code"), what: "what", fix: "fix"))
    ]
    var entry = ConnectionEntry(
      facts: ConnectionFacts(id: 1, peer: "127.0.0.1:50001", listener: 0), listener: "gateway",
      openedAt: fixture.time.now, progress: "request")
    entry.boundKey = ("KEYID12345", "TEAM123456")
    fixture.status.connections = [entry]
    let answer = fixture.send("GET", "/api/v1/connections").json
    #expect(
      answer.pointer("/keys/0") == [
        "keyID": "KEYID12345", "teamID": "TEAM123456", "workspace": "default",
        "providerTokens": 20, "recentProviderTokens": 12, "recentConnections": 11,
        "lastAt": "2026-01-15T01:30:15.010Z",
        "diagnosis": ["code": "some-code", "what": "what", "fix": "fix"],
      ])
    #expect(answer.pointer("/items/0/keyID") == "KEYID12345")
    #expect(answer.pointer("/items/0/teamID") == "TEAM123456")
  }

  @Test func `workspaces and their settings are read`() {
    let fixture = ConsoleFixture()
    #expect(fixture.send("GET", "/api/v1/workspaces").ids == ["default"])
    let workspace = fixture.send("GET", "/api/v1/workspaces/default")
    #expect(workspace.json.pointer("/settings/tokens") == "open")
    let settings = fixture.send("GET", "/api/v1/workspaces/default/settings")
    #expect(settings.json.pointer("/wire/default") == "observed")
    #expect(fixture.send("GET", "/api/v1/workspaces/nowhere").status == 404)
    #expect(fixture.send("GET", "/api/v1/workspaces/default?workspace=default").status == 200)
  }

  @Test func `a credential is handed to the gateway`() {
    let fixture = ConsoleFixture()
    let path = "/api/v1/workspaces/default/credentials"
    let made = fixture.send("POST", path, body: #"{"pem":"PEM","team":"T"}"#)
    #expect(made.status == 201)
    #expect(made.json["kind"] == "apnsKey")
    #expect(fixture.status.keeper.added == [["pem": "PEM", "team": "T"]])
    #expect(fixture.send("POST", path, body: "{}").status == 400)
    #expect(fixture.send("POST", path).status == 400)
  }

  @Test func `the front page says where things are`() {
    let response = ConsoleFixture().send("GET", "/")
    #expect(response.text.contains("https://localhost:2197"))
    #expect(response.text.contains("/api/v1/envelopes"))
  }

  @Test func `the gateway's addresses are those of the ready file`() {
    let fixture = ConsoleFixture()
    let answer = fixture.send("GET", "/api/v1/gateway")
    #expect(answer.status == 200)
    #expect(answer.json["gateway"]?.stringValue == "https://localhost:2197")
    #expect(answer.json["pid"]?.intValue == 7)
  }
}
