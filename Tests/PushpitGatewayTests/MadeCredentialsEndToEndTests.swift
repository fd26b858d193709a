import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// `POST /workspaces/{id}/credentials` with a kind that the gateway makes.
@Suite(.timeLimit(.minutes(5))) struct MadeCredentialsEndToEndTests {
  private let path = "/api/v1/workspaces/default/credentials"

  private func form(_ pairs: KeyValuePairs<String, String>) -> [UInt8] {
    Array(pairs.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&").utf8)
  }

  /// The refresh token grant of a user's file.
  private func refresh(_ file: JSONValue) -> [UInt8] {
    form([
      "grant_type": "refresh_token", "client_id": file["client_id"]?.stringValue ?? "",
      "client_secret": file["client_secret"]?.stringValue ?? "",
      "refresh_token": file["refresh_token"]?.stringValue ?? "",
    ])
  }

  private func post(
    _ gateway: TestGateway, _ target: String, _ body: [UInt8]
  ) async throws -> Response {
    let client = try await gateway.connectClear(.http1)
    let answer = try await client.request(
      RequestHead(method: "POST", target: target, authority: gateway.authority, scheme: "http"),
      body: body)
    await client.close()
    return answer
  }

  @Test func `an authorized user's file is written, works at once and is read again`() async throws
  {
    try await withGateway { gateway in
      let made = try await gateway.call("POST", path, body: ["kind": "authorizedUser"])
      #expect(made.status == 201)
      let file = try #require(made.json["file"])
      let written = try FileSystem.contents(of: try #require(made.json["path"]?.stringValue))
      #expect(try JSONReader.parse(written) == file)
      #expect(file["token_uri"]?.stringValue == "https://\(gateway.authority)/token")
      let answer = try await post(gateway, "/token", refresh(file))
      #expect(answer.head.status == 200, "\(answer.text)")
      let kept = try StateFolder.open(path: gateway.state.path, hosts: [], time: SystemTime())
      let user = try #require(kept.made.first)
      #expect(
        JSONValue.object(
          user.object(
            gateway: "https://\(gateway.authority)", folder: kept.paths.made)) == file)
    }
  }

  @Test func `a workload's file names the gateway, and its endpoints follow the port`() async throws
  {
    try await withGateway { gateway in
      let made = try await gateway.call("POST", path, body: ["kind": "externalAccount"])
      let file = try #require(made.json["file"])
      #expect(file["token_url"]?.stringValue == "https://\(gateway.authority)/v1/token")
      let source = try #require(file.pointer("/credential_source/file")?.stringValue)
      let token = String(decoding: try FileSystem.contents(of: source), as: UTF8.self)
      #expect(token == made.json["subjectToken"]?.stringValue)
      let kept = try StateFolder.open(path: gateway.state.path, hosts: [], time: SystemTime())
      #expect(kept.made.count == 1)
      try kept.setTokenEndpoint(port: 8443)
      let written = try FileSystem.contents(of: try #require(made.json["path"]?.stringValue))
      #expect(
        try JSONReader.parse(written)["token_url"]?.stringValue == "https://localhost:8443/v1/token"
      )
    }
  }

  @Test func `a user that was made is known to the next gateway of the folder`() async throws {
    try await withGateway { first in
      let made = try await first.call("POST", path, body: ["kind": "authorizedUser"])
      let file = try #require(made.json["file"])
      try await withGateway({ $0.state = .folder(first.state.path) }) { second in
        let answer = try await post(second, "/token", refresh(file))
        #expect(answer.head.status == 200, "\(answer.text)")
        let written = try FileSystem.contents(of: try #require(made.json["path"]?.stringValue))
        #expect(
          try JSONReader.parse(written)["token_uri"]?.stringValue
            == "https://\(second.authority)/token")
      }
    }
  }

  @Test func `a folder that cannot be written is a conflict`() async throws {
    try await withGateway { gateway in
      try gateway.state.write("made", "in the way")
      let made = try await gateway.call("POST", path, body: ["kind": "externalAccount"])
      #expect(made.status == 409)
      #expect(made.json["detail"]?.stringValue?.contains("cannot be written") == true)
    }
  }

  @Test func `the metadata server answers in clear text on the gateway's port`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connectClear(.http1)
      var head = RequestHead(
        method: "GET", target: "/", authority: gateway.authority, scheme: "http")
      #expect(try await client.request(head).head.status == 403)
      head.fields.append("metadata-flavor", "Google")
      let answer = try await client.request(head)
      #expect(answer.head.status == 200)
      #expect(answer.head.fields.text("metadata-flavor") == "Google")
      await client.close()
      #expect(try await gateway.lastEnvelope()["service"]?.stringValue == "oauth")
    }
  }
}
