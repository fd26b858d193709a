import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleEnvelopesTests {
  private let path = "/api/v1/envelopes"

  @Test func `envelopes are listed newest first, page by page`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...3 { fixture.push() }
    let first = fixture.send("GET", path + "?limit=2")
    #expect(first.ids == ["e3", "e2"])
    #expect(first.json["total"] == 3)
    #expect(first.json["evicted"] == 0)
    let cursor = try #require(first.json["next"]?.stringValue)
    fixture.push()
    let second = fixture.send("GET", path + "?limit=2&cursor=\(cursor)")
    #expect(second.ids == ["e1"])
    #expect(second.json["next"] == .null)
  }

  @Test
  func `pages of a filtered list have each envelope once, whatever arrives and goes meanwhile`() {
    let fixture = ConsoleFixture()
    for number in 1...99 { fixture.push { $0.service = number % 3 == 0 ? .fcm : .apns } }
    var seen: [String] = []
    var cursor = ""
    repeat {
      let page = fixture.send("GET", path + "?service=fcm&limit=5" + cursor)
      seen += page.ids
      cursor = page.json["next"]?.stringValue.map { "&cursor=" + $0 } ?? ""
      // The newest is no part of the list, and the oldest is forgotten.
      fixture.push { $0.service = .fcm }
    } while !cursor.isEmpty
    // Six more came, of which five made the store forget e1 to e5.
    #expect(seen == stride(from: 99, to: 5, by: -3).map { "e\($0)" })
  }

  @Test func `one envelope has everything that is recorded`() throws {
    let fixture = ConsoleFixture()
    fixture.push()
    let envelope = try #require(fixture.send("GET", path + "/e1").json.objectValue)
    let names = """
      id workspace sequence receivedAt answeredAt service method path host environment headers \
      payload body isBodyCut token tokenKind topic pushType priority expiration collapse project app \
      messageName apnsID channel credential outcome status reason googleStatus diagnosis warnings \
      connection stream protocol tls fault deliveries
      """
    #expect(envelope.members.map(\.key) == names.split(separator: " ").map(String.init))
  }

  @Test func `filters are combined`() {
    let fixture = ConsoleFixture()
    fixture.push()
    fixture.push {
      $0.status = 400
      $0.reason = "BadDeviceToken"
      $0.diagnosis = Diagnosis(.fcmTokenAtAPNs, what: "Wrong kind.", fix: "Use the other.")
    }
    #expect(fixture.send("GET", path + "?diagnosis=fcm-token-at-apns").ids == ["e2"])
    #expect(fixture.send("GET", path + "?outcome=rejected&reason=BadDeviceToken").ids == ["e2"])
    fixture.push {
      $0.warnings = [PayloadWarning(code: "lint-x", text: "odd")]
      $0.pushType = Array("voip".utf8)[...]
    }
    #expect(fixture.send("GET", path + "?warning=lint-x").ids == ["e3"])
    #expect(fixture.send("GET", path + "?pushType=voip").ids == ["e3"])
    #expect(fixture.send("DELETE", path + "?warning=lint-x").status == 204)
    #expect(fixture.send("GET", path + "?outcome=accepted&service=apns").ids == ["e1"])
    #expect(fixture.send("GET", path + "?outcome=accepted&service=fcm").ids == [])
    #expect(fixture.send("GET", path + "?topic=com.example.app&q=wrong+kind").ids == ["e2"])
    #expect(fixture.send("GET", path + "?status=400&connection=1").ids == ["e2"])
    #expect(fixture.send("GET", path + "?status=200&connection=2").ids == [])
    for wrong in ["status=x", "connection=-1", "pushtype=voip", "outcome=yes"] {
      #expect(fixture.send("GET", path + "?" + wrong).status == 400)
    }
    #expect(fixture.send("GET", path + "?since=2026-01-15T01:30:16Z").ids == [])
    #expect(fixture.send("GET", path + "?until=2026-01-15T01:30:16Z").ids == ["e2", "e1"])
  }

  @Test func `one envelope is shown whole`() {
    let fixture = ConsoleFixture()
    fixture.push()
    let response = fixture.send("GET", path + "/e1")
    #expect(response.status == 200)
    #expect(response.json.pointer("/payload/aps/alert") == "Hi")
    #expect(response.json["outcome"] == "accepted")
  }

  @Test func `an envelope that is not there says why`() throws {
    let fixture = ConsoleFixture()
    for _ in 1...101 { fixture.push() }
    for (id, word) in [("e102", "no envelope"), ("x", "no envelope"), ("e1", "forgotten")] {
      let response = fixture.send("GET", path + "/" + id)
      #expect(response.status == 404)
      let detail = try #require(response.json["detail"]?.stringValue)
      #expect(detail.contains(word))
    }
    #expect(fixture.send("GET", path).json["evicted"] == 1)
  }

  @Test func `an envelope of a workspace whose name is not given is not shown`() {
    let fixture = ConsoleFixture()
    fixture.push(workspace: WorkspaceID("other"))
    #expect(fixture.send("GET", path + "/e1").status == 404)
    #expect(fixture.send("GET", path).ids == [])
    #expect(fixture.send("GET", path + "/e1?workspace=*").status == 200)
    #expect(fixture.send("GET", path + "?workspace=*").ids == ["e1"])
  }

  @Test func `deleting forgets what matches`() {
    let fixture = ConsoleFixture()
    fixture.push()
    fixture.push { $0.service = .fcm }
    #expect(fixture.send("DELETE", path + "?service=fcm").status == 204)
    #expect(fixture.send("GET", path).ids == ["e1"])
    #expect(fixture.send("DELETE", path).status == 204)
    #expect(fixture.send("GET", path).ids == [])
    #expect(fixture.send("DELETE", path + "?servce=fcm").status == 400)
  }
}
