import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Who is let in at the console's port, and what may be asked there.
@Suite(.timeLimit(.minutes(5))) struct ConsoleEndToEndTests {
  @Test func `a foreign Host and a foreign Origin are refused`() async throws {
    try await withGateway { gateway in
      let port = gateway.report.consolePort
      let foreign = try await gateway.call(
        "GET", "/api/v1/envelopes", host: "rebound.example:\(port)")
      #expect(foreign.status == 403)
      #expect(foreign.json["code"]?.stringValue == "host-not-allowed")
      for path in ["/api/v1/envelopes", "/api/v1/events"] {
        let page = try await gateway.call(
          "GET", path, fields: ["origin": "http://evil.example"])
        #expect(page.status == 403 && page.json["code"]?.stringValue == "foreign-origin")
        let other = try await gateway.call(
          "GET", path, fields: ["sec-fetch-site": "cross-site"])
        #expect(other.status == 403)
      }
      let own = try await gateway.call(
        "GET", "/api/v1/envelopes", fields: ["origin": "http://localhost:\(port)"])
      #expect(own.status == 200)
    }
  }

  @Test func `a name given by --host is answered to`() async throws {
    try await withGateway(hosts: ["pushpit"]) { gateway in
      let port = gateway.report.consolePort
      let answer = try await gateway.call("GET", "/api/v1/gateway", host: "pushpit:\(port)")
      #expect(answer.status == 200)
      #expect(
        answer.json["gateway"]?.stringValue == "https://pushpit:\(gateway.report.gatewayPort)")
      let file = try JSONReader.parse(gateway.state.read("service-account.json"))
      #expect(
        file["token_uri"]?.stringValue == "https://pushpit:\(gateway.report.gatewayPort)/token")
      // The name is in the certificate, and the grant's audience is known by it.
      let client = try await gateway.connect { $0.serverName = "pushpit" }
      _ = try await gateway.accessToken(client)
    }
  }

  @Test func `a console token is needed for everything but health`() async throws {
    try await withGateway {
      $0.consoleToken = "secret"
    } _: { gateway in
      #expect(try await gateway.call("GET", "/livez").status == 200)
      #expect(try await gateway.call("GET", "/readyz").status == 200)
      for path in ["/", "/metrics", "/api/v1/envelopes", "/api/v1/events", "/api/v1/gateway"] {
        #expect(try await gateway.call("GET", path).status == 401, "\(path)")
        let wrong = try await gateway.call(
          "GET", path, fields: ["authorization": "Bearer secret2"])
        #expect(wrong.status == 401, "\(path)")
      }
      let right = try await gateway.call(
        "GET", "/api/v1/envelopes", fields: ["authorization": "Bearer secret"])
      #expect(right.status == 200)
    }
  }

  @Test func `a body over eight MiB is a problem with 413`() async throws {
    try await withGateway { gateway in
      for version in [HTTPProtocol.http2, .http1] {
        let client = try await gateway.connectConsole(version)
        let head = RequestHead(
          method: "POST", target: "/api/v1/devices",
          authority: "localhost:\(gateway.report.consolePort)", scheme: "http",
          fields: ["content-type": "application/json"])
        let large = [UInt8](repeating: UInt8(ascii: " "), count: (8 << 20) + 1)
        let answer = try await client.request(head, body: large)
        #expect(answer.head.status == 413)
        #expect(try JSONReader.parse(answer.body)["code"]?.stringValue == "body-too-long")
      }
    }
  }

  @Test func `a vendor's path at the console names the gateway's port`() async throws {
    try await withGateway { gateway in
      let answer = try await gateway.call("POST", "/3/device/00")
      #expect(answer.status == 404)
      #expect(answer.json["code"]?.stringValue == "vendor-path-on-console-port")
      let detail = answer.json["detail"]?.stringValue ?? ""
      #expect(detail.contains("\(gateway.report.gatewayPort)"))
    }
  }

  @Test func `metrics count what was recorded`() async throws {
    try await withGateway { gateway in
      _ = try await gateway.push(String(repeating: "ab", count: 32))
      let client = try await gateway.connectConsole()
      let answer = try await client.request(
        RequestHead(
          method: "GET", target: "/metrics",
          authority: "localhost:\(gateway.report.consolePort)", scheme: "http"))
      #expect(
        answer.text.contains(
          "\npushpit_envelopes_total{service=\"apns\",outcome=\"accepted\"} 1\n"))
    }
  }
}

/// `POST /workspaces/{id}/credentials` on a running gateway.
@Suite(.timeLimit(.minutes(5))) struct ConsoleImportTests {
  private let path = "/api/v1/workspaces/default/credentials"
  private let token = String(repeating: "ab", count: 32)

  /// What `pushpit credentials import` sends for a new key.
  private func body(
    _ key: PrivateKey, keyID: String = "KEYID67890", _ change: (inout JSONObject) -> Void = { _ in }
  ) -> JSONValue {
    let credential = ImportedCredential.apnsKey(
      APNsKey(keyID: keyID, teamID: "TEAM123456", publicKey: key.publicKey.spki))
    var object = credential.object
    change(&object)
    return .object(object)
  }

  @Test func `an imported key signs pushes at once, and a second import is a conflict`()
    async throws
  {
    try await withGateway { gateway in
      let key = try PrivateKey.generateP256()
      let provider = try gateway.providerToken(
        key: key.pem, keyID: "KEYID67890", teamID: "TEAM123456")
      #expect(try await gateway.push(token, authorization: provider).head.status == 403)
      #expect(try await gateway.call("POST", path, body: body(key)).status == 201)
      #expect(try await gateway.push(token, authorization: provider).head.status == 200)
      let again = try await gateway.call("POST", path, body: body(key))
      #expect(again.status == 409)
      #expect(again.json["detail"]?.stringValue?.contains("'default'") == true)
      let kept = try StateFolder.open(path: gateway.state.path, hosts: [], time: SystemTime())
      #expect(kept.apnsKeys.map(\.keyID).contains("KEYID67890"))
    }
  }

  @Test func `a key without environments is good for both`() async throws {
    try await withGateway { gateway in
      let key = try PrivateKey.generateP256()
      let body = body(key) { object in
        object = JSONObject([
          "kind": "apnsKey", "keyID": "KEYID67890", "teamID": "TEAM123456",
          "publicKey": object["publicKey"] ?? .null,
        ])
      }
      #expect(try await gateway.call("POST", path, body: body).status == 201)
      let provider = try gateway.providerToken(
        key: key.pem, keyID: "KEYID67890", teamID: "TEAM123456")
      let answer = try await gateway.push(token, authorization: provider)
      #expect(answer.head.status == 200, "\(answer.text)")
    }
  }

  @Test(arguments: ["../../escaped", "a/b", "", "KEY ID6789", "short"])
  func `a key id that is none is refused, and no file is written for it`(keyID: String)
    async throws
  {
    try await withGateway { gateway in
      let before = try gateway.state.contents().keys.sorted()
      let answer = try await gateway.call(
        "POST", path, body: body(try PrivateKey.generateP256(), keyID: keyID))
      #expect(answer.status == 400)
      #expect(try gateway.state.contents().keys.sorted() == before)
    }
  }

  @Test func `an unknown environment is refused`() async throws {
    try await withGateway { gateway in
      let body = body(try PrivateKey.generateP256()) { $0["environments"] = ["staging"] }
      #expect(try await gateway.call("POST", path, body: body).status == 400)
    }
  }
}
