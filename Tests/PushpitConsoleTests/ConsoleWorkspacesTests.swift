import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitConsole

@Suite struct ConsoleWorkspacesTests {
  private let fixture = ConsoleFixture()
  private var keeper: FakeWorkspaces { fixture.status.keeper }

  @Test func `a workspace is made, found, reset and removed`() throws {
    let made = fixture.send(
      "POST", "/api/v1/workspaces", body: #"{"name":"ci","settings":{},"listener":false}"#)
    #expect(made.status == 201 && made.json["id"]?.stringValue == "ci")
    #expect(made.json.pointer("/credentials/ca")?.stringValue == "PEM")
    #expect(made.head.fields.text("location") == "/api/v1/workspaces/ci")
    #expect(fixture.send("GET", "/api/v1/workspaces/ci").status == 200)
    #expect(fixture.send("GET", "/api/v1/workspaces").json["total"]?.intValue == 2)
    #expect(fixture.send("POST", "/api/v1/reset?workspace=ci").status == 200)
    #expect(keeper.resetIDs == [WorkspaceID("ci")])
    #expect(fixture.send("DELETE", "/api/v1/workspaces/ci").status == 204)
    #expect(fixture.send("GET", "/api/v1/workspaces/ci").status == 404)
    #expect(fixture.send("POST", "/api/v1/reset?workspace=*").status == 400)
  }

  @Test func `without a body the gateway chooses the name`() {
    #expect(fixture.send("POST", "/api/v1/workspaces").json["id"]?.stringValue == "ws-1")
  }

  @Test func `everything that is wrong with a wish is named at once`() {
    let answer = fixture.send(
      "POST", "/api/v1/workspaces",
      body: #"{"name":"-","settings":1,"listener":"yes","a/b":1}"#)
    #expect(answer.status == 400)
    let pointers = answer.json["errors"]?.arrayValue?.compactMap { $0["pointer"]?.stringValue }
    #expect(pointers == ["/name", "/settings", "/listener", "/a~1b"])
    #expect(fixture.send("POST", "/api/v1/workspaces", body: "[]").status == 400)
  }

  @Test func `a workspace that nobody waits for any more is removed when it is made`() throws {
    keeper.waiting = []
    guard case .later(let answer) = fixture.answer("POST", "/api/v1/workspaces") else {
      Issue.record("the answer does not come later")
      return
    }
    #expect(fixture.workspaces.all.count == 2)
    answer.stop()
    let finish = try #require(keeper.waiting?.first)
    finish()
    #expect(fixture.workspaces.all.count == 1)
  }

  @Test func `files of credentials are given out by name, and credentials removed`() {
    keeper.files = ["AuthKey_A.p8": Array("PEM".utf8), "account.json": Array("{}".utf8)]
    let path = "/api/v1/workspaces/default/credentials"
    #expect(fixture.send("GET", path).json["total"]?.intValue == 2)
    let key = fixture.send("GET", "\(path)/AuthKey_A.p8")
    #expect(key.text == "PEM" && key.head.fields.text("content-type") == "application/x-pem-file")
    #expect(
      fixture.send("GET", "\(path)/account.json").head.fields.text("content-type")
        == "application/json")
    #expect(fixture.send("DELETE", "\(path)/account.json").status == 204)
    #expect(fixture.send("DELETE", "\(path)/account.json").status == 404)
    #expect(fixture.send("GET", "\(path)/account.json").status == 404)
  }
}
