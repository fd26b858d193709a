import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Senders with client certificates, over TLS.
@Suite(.timeLimit(.minutes(5))) struct CertificatesEndToEndTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  @Test func `a push with a known certificate is delivered, and recorded with its subject`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let feed = try await gateway.follow(device)
      let sender = try await gateway.providerIdentity()
      #expect(try await gateway.push(device.apns, by: sender).head.status == 200)
      #expect(try await feed.titles(1) == ["Hello"])
      await feed.close()
      let envelope = try await gateway.lastEnvelope()
      let credential = try #require(envelope["credential"])
      #expect(credential["kind"]?.stringValue == "certificate")
      #expect(
        credential["subject"]?.stringValue
          == "UID=com.example.app, CN=Apple Push Services: com.example.app, O=Pushpit")
      let der = try Certificate(pem: sender.certificate).der
      #expect(credential["sha256"]?.stringValue == SHA256.hex(der))
      // `authorization` was not looked at: what is shown of it is not the certificate's hash.
      #expect(
        envelope["headers"]?.arrayValue?.contains(["authorization", "bearer (cut)"]) == true)
    }
  }

  @Test func `the list of connections shows the certificate`() async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity()
      let client = try await gateway.connect { $0.identity = sender.identity }
      let list = try await gateway.call("GET", "/api/v1/connections")
      let entry = try #require(list.json.pointer("/items/0"))
      #expect(
        entry.pointer("/certificate/subject")?.stringValue?.hasPrefix("UID=com.example.app") == true
      )
      #expect(entry["diagnosis"] == .null && entry["goAways"]?.intValue == 0)
      await client.close()
    }
  }

  // Observed 2019 to 2021; the client's bytes are no HTTP/2, so that the server ends the connection.
  @Test(arguments: [(true, UInt8(0xE8)), (false, 1)])
  func `the first SETTINGS say 1000 streams with a known certificate and 1 without`(
    isKnown: Bool, lastByte: UInt8
  ) async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity(isKnown: isKnown)
      let (port, authority) = (gateway.report.gatewayPort, gateway.folder.certificates.authority)
      let received = try await onThread {
        try exchangeOverTLS(
          port: port, authority: authority, serverName: "localhost", protocols: ["h2"],
          identity: sender.identity, sending: Array("no preface of HTTP/2 at all".utf8)
        ).received
      }
      #expect(received.dropFirst(3).first == 4)
      #expect(received.contains([0, 3, 0, 0, isKnown ? 3 : 0, lastByte]))
    }
  }

  @Test func `a topic of another app is TopicDisallowed`() async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity(.universal("com.example.other"))
      let answer = try await gateway.push(token, by: sender)
      #expect(answer.text == #"{"reason":"TopicDisallowed"}"#)
      let envelope = try await gateway.lastEnvelope()
      #expect(
        envelope.pointer("/diagnosis/code")?.stringValue == "topic-not-of-certificate")
    }
  }

  @Test func `with the policy shape a foreign certificate is taken`() async throws {
    try await withGateway {
      $0.policies.authentication = .shape
    } _: { gateway in
      let sender = try await gateway.providerIdentity(isKnown: false)
      #expect(try await gateway.push(token, by: sender).head.status == 200)
    }
  }

  // MARK: Google's side

  @Test(arguments: ["localhost", "fcm.googleapis.com"], [["h2"], ["http/1.1"]])
  func `Google's side never looks at a certificate`(serverName: String, protocols: [String])
    async throws
  {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity(isKnown: false)
      let client = try await gateway.connect(protocols: protocols) {
        $0.identity = sender.identity
        $0.serverName = serverName
      }
      let bearer = try await gateway.accessToken(client)
      let device = try await gateway.makeDevice(["platform": "android"])
      let answer = try await gateway.send(
        ["token": .string(device.fcm)], client, bearer: bearer)
      #expect(answer.status == 200)
      await client.close()
      let list = try await gateway.call("GET", "/api/v1/connections")
      #expect(list.json.pointer("/items/0/diagnosis") == .null)
    }
  }

  @Test func `HTTP/1.1 at an Apple path is answered as without a certificate`() async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity(isKnown: false)
      let (port, authority) = (gateway.report.gatewayPort, gateway.folder.certificates.authority)
      let answer = try await onThread {
        try exchangeOverTLS(
          port: port, authority: authority, serverName: "localhost", protocols: ["http/1.1"],
          identity: sender.identity,
          sending: Array("GET /3/device/ HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8))
      }
      let text = String(decoding: answer.received, as: UTF8.self)
      #expect(text.hasSuffix("Unexpected HTTP/1.x request: GET /3/device/ "))
    }
  }

  // MARK: Import

  @Test func `a second import is 409 and names the workspace`() async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity()
      let body = try #require(sender.credential).object
      let again = try await gateway.call(
        "POST", "/api/v1/workspaces/default/credentials", body: .object(body))
      #expect(again.status == 409)
      #expect(again.json["detail"]?.stringValue?.contains("'default'") == true)
    }
  }

  @Test(
    arguments: [
      ["kind": "certificate"], ["kind": "certificate", "certificate": "x"],
    ] as [JSONValue])
  func `what is no certificate is 400 and says what to give`(body: JSONValue) async throws {
    try await withGateway { gateway in
      let answer = try await gateway.call(
        "POST", "/api/v1/workspaces/default/credentials", body: body)
      #expect(answer.status == 400)
      #expect(answer.json.pointer("/errors/0/pointer")?.stringValue == "/certificate")
      #expect(answer.json["detail"]?.stringValue?.contains("PEM") == true)
    }
  }

  @Test(arguments: ["pem", "p12"])
  func `a certificate's file that is named at the start is imported`(form: String) async throws {
    let state = try TemporaryState.current()
    let folder = try StateFolder.open(path: state.path, hosts: [], time: SystemTime())
    let made = try CertificateMaker(folder, time: SystemTime()).make(
      app: TestGateway.topic, kind: .universal, environments: [.sandbox],
      path: "\(state.path)/a.p12", password: CredentialFile.defaultPassword, workspace: .default)
    let pem = try FileSystem.contents(of: made.pemPath)
    try await withGateway {
      $0.imports = ["\(state.path)/a.\(form)"]
    } _: { gateway in
      let sender = ProviderIdentity(certificate: pem, key: pem, credential: nil)
      let answer = try await gateway.push(token, by: sender)
      #expect(answer.head.status == 200)
    }
  }

  @Test func `an imported certificate is known after a restart`() async throws {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity()
      let folder = try StateFolder.open(
        path: gateway.state.path, hosts: [], time: SystemTime())
      #expect(folder.providerCertificates.count == 1)
      let again = try await TestGateway.start { $0.state = .folder(gateway.state.path) }
      let answer = try await again.push(token, by: sender)
      await again.stop()
      #expect(answer.head.status == 200)
    }
  }
}
