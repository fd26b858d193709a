import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct WorkspaceCommandTests {
  private let workspace: JSONValue = [
    "id": "ci", "now": "2026-01-15T01:30:15.010Z", "gateway": "https://localhost:4711",
    "port": 4711,
    "project": "pushpit-ci", "devices": 1, "settings": ["tokens": "strict", "idleTimeout": .null],
    "credentials": [
      "apns": ["keyID": "K", "teamID": "T", "file": "AuthKey_K.p8", "privateKey": "SECRET"],
      "fcm": ["projectID": "pushpit-ci", "file": "service-account-1.json"],
    ],
  ]

  @Test func `all are listed`() async throws {
    let (run, requests) = try await FakeConsole.run(["workspace", "list"], ["items": [workspace]])
    #expect(requests == [.init("GET /api/v1/workspaces")])
    #expect(run.output == "ci  https://localhost:4711  pushpit-ci  1 device\n")
  }

  @Test func `one is made with what was given, and its keys are not printed`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["workspace", "create", "ci", "--settings", #"{"tokens":"strict"}"#, "--listener"],
      answering: 201, workspace, environment: ["PUSHPIT_WORKSPACE": "other"])
    #expect(
      requests == [
        .init(
          "POST /api/v1/workspaces",
          ["name": "ci", "settings": ["tokens": "strict"], "listener": true])
      ])
    #expect(
      run.output == """
        made the workspace ci
        gateway  https://localhost:4711
        apns     key K  team T  AuthKey_K.p8
        fcm      project pushpit-ci  service-account-1.json
        files    pushpit credentials show FILE --workspace ci

        """)
    let (json, unnamed) = try await FakeConsole.run(
      ["workspace", "create", "--json"], answering: 201, workspace)
    #expect(unnamed.map(\.body) == [[:]])
    #expect(try JSONReader.parse(json.output.utf8) == workspace)
  }

  @Test func `one is shown, changed, reset and deleted by its name`() async throws {
    let (show, shown) = try await FakeConsole.run(
      ["workspace", "show"], workspace, environment: ["PUSHPIT_WORKSPACE": "c/i"])
    #expect(shown == [.init("GET /api/v1/workspaces/c%2Fi")])
    #expect(show.output.hasSuffix("tokens  \"strict\"\nidleTimeout  null\n"))
    let (_, changed) = try await FakeConsole.run(
      ["workspace", "change", "ci", "--settings", #"{"tokens":"open"}"#], workspace)
    #expect(changed == [.init("PATCH /api/v1/workspaces/ci", ["settings": ["tokens": "open"]])])
    let (reset, resets) = try await FakeConsole.run(["workspace", "reset", "ci"], workspace)
    #expect(resets == [.init("POST /api/v1/reset?workspace=ci")])
    #expect(reset.output == "reset the workspace ci\n")
    let (delete, deletions) = try await FakeConsole.run(
      ["workspace", "delete", "ci"], answering: 204)
    #expect(delete.status == 0 && delete.output.isEmpty)
    #expect(deletions == [.init("DELETE /api/v1/workspaces/ci")])
  }

  @Test func `what the console refuses is told`() async throws {
    let (run, _) = try await FakeConsole.run(
      ["workspace", "delete", "default"], answering: 409, ["title": "Conflict", "detail": "Stays."])
    #expect(run.status == 1)
    #expect(run.talk == "Error: the console answered 409: Conflict; Stays.\n")
  }

  @Test func `reset is of the workspace that is named`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["reset", "--workspace", "ci", "--json"], workspace)
    #expect(requests == [.init("POST /api/v1/reset?workspace=ci")])
    #expect(try JSONReader.parse(run.output.utf8) == workspace)
  }
}
