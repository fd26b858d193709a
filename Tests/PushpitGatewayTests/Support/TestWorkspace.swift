import PushpitJSON
import Testing

/// A workspace that a test made over the console, with what its senders need.
struct TestWorkspace: Sendable {
  let id: String
  /// As `POST /workspaces` answered.
  let json: JSONValue

  var keyID: String { text("/credentials/apns/keyID") }
  var teamID: String { text("/credentials/apns/teamID") }
  var key: [UInt8] { Array(text("/credentials/apns/privateKey").utf8) }
  var account: JSONValue? { json.pointer("/credentials/fcm/serviceAccount") }
  var project: String { text("/credentials/fcm/projectID") }
  var port: Int? { json["port"]?.intValue }

  private func text(_ pointer: String) -> String { json.pointer(pointer)?.stringValue ?? "" }
}

extension TestGateway {
  /// Makes a workspace over the console.
  func makeWorkspace(_ wish: JSONValue = [:]) async throws -> TestWorkspace {
    let answer = try await call("POST", "/api/v1/workspaces", body: wish)
    #expect(answer.status == 201)
    return TestWorkspace(id: try #require(answer.json["id"]?.stringValue), json: answer.json)
  }

  /// A provider token of a workspace's key.
  func providerToken(of workspace: TestWorkspace) throws -> String {
    try providerToken(
      key: workspace.key, keyID: workspace.keyID, teamID: workspace.teamID)
  }
}
