import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Senders whose client certificate is no good: how Apple ends their connections.
@Suite(.timeLimit(.minutes(5))) struct BadCertificatesEndToEndTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  struct Bad: CustomTestStringConvertible, Sendable {
    let code: String
    let reason: String
    var contents = PushCertificate.universal(TestGateway.topic)
    var isKnown = true
    var daysAgo: Int64 = 0

    var testDescription: String { code }

    /// GOAWAY, NO_ERROR, last stream 0, and the reason: the bytes that were captured in 2016 to 2018.
    var frame: [UInt8] {
      let json = Array(#"{"reason":"\#(reason)"}"#.utf8)
      return [0, 0, UInt8(8 + json.count), 7] + [UInt8](repeating: 0, count: 13) + json
    }
  }

  static let badOnes = [
    Bad(code: "certificate-unknown", reason: "BadCertificate", isKnown: false),
    Bad(code: "certificate-expired", reason: "BadCertificate", daysAgo: 400),
    Bad(
      code: "certificate-without-apple-extensions", reason: "BadCertificate",
      contents: .universal(TestGateway.topic, isForDevelopment: false, isForProduction: false)),
    Bad(
      code: "certificate-of-other-environment", reason: "BadCertificateEnvironment",
      contents: .universal(TestGateway.topic, isForDevelopment: false)),
  ]

  @Test func `the frame for the other environment is the one that was captured`() {
    let captured: [UInt8] =
      [0x00, 0x00, 0x2E, 0x07, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      + #"{"reason":"BadCertificateEnvironment"}"#.utf8
    #expect(Self.badOnes.last?.frame == captured)
  }

  private func identity(of bad: Bad, _ gateway: TestGateway) async throws -> ProviderIdentity {
    try await gateway.providerIdentity(
      bad.contents, isKnown: bad.isKnown && !bad.code.hasSuffix("extensions"),
      daysAgo: bad.daysAgo)
  }

  /// Speaks HTTP/2 on a TLS connection and returns all that the server sent until it closed.
  private func received(
    _ gateway: TestGateway, _ sender: ProviderIdentity, serverName: String,
    protocols: [String] = ["h2"], sendsRequest: Bool
  ) async throws -> [UInt8] {
    let (port, authority) = (gateway.report.gatewayPort, gateway.folder.certificates.authority)
    let session = try HTTP2ClientSession()
    if sendsRequest {
      let head = gateway.apnsHead(token, authorization: "x")
      _ = session.submit(head, body: Array("{}".utf8))
    }
    var bytes: [UInt8] = []
    session.takeOutput(into: &bytes, limit: 65_536)
    let sent = bytes
    return try await onThread {
      try exchangeOverTLS(
        port: port, authority: authority, serverName: serverName, protocols: protocols,
        identity: sender.identity, sending: sent
      ).received
    }
  }

  @Test(arguments: badOnes)
  func `at a host of Apple's a bad certificate gets SETTINGS, its GOAWAY and the end`(
    _ bad: Bad
  ) async throws {
    try await withGateway { gateway in
      let sender = try await identity(of: bad, gateway)
      let bytes = try await received(
        gateway, sender, serverName: "api.sandbox.push.apple.com", sendsRequest: false)
      let settingsCount = 9 + Int(bytes.count > 2 ? bytes[2] : 0)
      #expect(bytes.dropFirst(3).first == 4, "the first frame is SETTINGS")
      #expect(Array(bytes.dropFirst(settingsCount)) == bad.frame)
      let entry = try await gateway.connection(diagnosed: bad.code)
      #expect(entry["goAways"]?.intValue == 1 && entry["requests"]?.intValue == 0)
      #expect(entry.pointer("/certificate/subject")?.stringValue?.isEmpty == false)
      #expect(try await gateway.envelopes().isEmpty)
    }
  }

  @Test(arguments: badOnes)
  func `at another host the first request to Apple's side gets the GOAWAY, and is recorded`(
    _ bad: Bad
  ) async throws {
    try await withGateway { gateway in
      let sender = try await identity(of: bad, gateway)
      let bytes = try await received(
        gateway, sender, serverName: "localhost", sendsRequest: true)
      #expect(Array(bytes.suffix(bad.frame.count)) == bad.frame)
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["reason"]?.stringValue == bad.reason)
      #expect(envelope["status"]?.intValue == 403)
      #expect(envelope.pointer("/diagnosis/code")?.stringValue == bad.code)
      #expect(envelope.pointer("/credential/kind")?.stringValue == "certificate")
      _ = try await gateway.connection(diagnosed: bad.code)
    }
  }

  // aioapns, apnotic and Pushy offer no ALPN names: HTTP/2 begins with its preface.
  @Test func `a client without ALPN gets the GOAWAY when HTTP/2 has begun`() async throws {
    try await withGateway { gateway in
      let bad = Self.badOnes[0]
      let sender = try await gateway.providerIdentity(isKnown: false)
      let bytes = try await received(
        gateway, sender, serverName: "api.push.apple.com", protocols: [], sendsRequest: true)
      #expect(Array(bytes.suffix(bad.frame.count)) == bad.frame)
      #expect(bytes.dropFirst(3).first == 4)
      #expect(try await gateway.envelopes().isEmpty)
    }
  }

  @Test(arguments: badOnes)
  func `as documented it is a 403, and the connection goes on`(_ bad: Bad) async throws {
    try await withGateway {
      $0.policies.wire = .documented
    } _: { gateway in
      let sender = try await identity(of: bad, gateway)
      for name in ["localhost", "api.development.push.apple.com"] {
        let client = try await gateway.connect {
          $0.identity = sender.identity
          $0.serverName = name
        }
        for _ in 0..<2 {
          let head = gateway.apnsHead(token, authorization: "x")
          let answer = try await client.request(head, body: gateway.apnsPayload("Hi"))
          #expect(answer.head.status == 403)
          #expect(answer.text == #"{"reason":"\#(bad.reason)"}"#)
        }
        await client.close()
      }
    }
  }

  @Test func `the environment is that of the host, else that of the port`() async throws {
    try await withGateway {
      $0.extraListeners = [.init(environment: .production, host: "127.0.0.1", port: 0)]
    } _: { gateway in
      let sender = try await gateway.providerIdentity(
        .universal(TestGateway.topic, isForDevelopment: false))
      let good = try await gateway.push(
        token, by: sender, serverName: "api.push.apple.com", authority: "api.push.apple.com")
      #expect(good.head.status == 200)
      let named = try await gateway.push(token, by: sender, authority: "api.push.apple.com")
      #expect(named.head.status == 200)
      let port = try #require(gateway.report.listeners.first { $0.environment == "production" })
      let client = try await gateway.connect(host: "127.0.0.1", port: port.port) {
        $0.identity = sender.identity
      }
      let head = gateway.apnsHead(token, authorization: "x")
      #expect(try await client.request(head, body: Array("{}".utf8)).head.status == 200)
      await client.close()
      await #expect(throws: HTTPClientError.self) { try await gateway.push(token, by: sender) }
    }
  }
}
