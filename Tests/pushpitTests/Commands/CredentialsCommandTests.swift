import PushpitJSON
import Testing

@testable import pushpit

@Suite(.timeLimit(.minutes(5))) struct CredentialsCommandTests {
  private let list: JSONValue = [
    "items": [
      [
        "name": "AuthKey_K.p8", "kind": "apnsKey", "keyID": "K", "teamID": "T",
        "environments": ["sandbox", "production"], "topics": ["a", "b"],
      ],
      ["name": "c.pem", "kind": "certificate", "subject": "S", "environments": ["sandbox"]],
      ["name": "s.json", "kind": "serviceAccount", "projectID": "p", "serviceAccount": "x@y"],
      ["name": "u.json", "kind": "authorizedUser", "projectID": "p"],
      ["name": "ca.pem", "kind": "authority"],
    ]
  ]

  @Test func `those of the gateway are listed`() async throws {
    let (run, requests) = try await FakeConsole.run(
      ["credentials", "list", "--workspace", "ci"], list)
    #expect(requests.map(\.line) == ["GET /api/v1/workspaces/ci/credentials?workspace=ci"])
    #expect(
      run.output == """
        apns  key K  team T  sandbox and production  topics a, b  AuthKey_K.p8
        apns  certificate  S  sandbox  c.pem
        fcm  project p  x@y  s.json
        authorizedUser  project p  u.json
        authority  ca.pem

        """)
    let (json, _) = try await FakeConsole.run(["credentials", "list", "--json"], list)
    #expect(try JSONReader.parse(json.output.utf8) == list)
  }

  @Test func `a file is printed as it is, and a credential deleted by its name`() async throws {
    let (show, shown) = try await FakeConsole.run(
      ["credentials", "show", "Auth Key.p8"], bytes: Array("PEM".utf8))
    #expect(shown.map(\.line) == ["GET /api/v1/workspaces/default/credentials/Auth%20Key.p8"])
    #expect(show.output == "PEM")
    let (delete, deleted) = try await FakeConsole.run(
      ["credentials", "delete", "s.json"], answering: 204)
    #expect(delete.status == 0)
    #expect(deleted.map(\.line) == ["DELETE /api/v1/workspaces/default/credentials/s.json"])
  }
}
