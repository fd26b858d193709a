import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// What a sender of APNs sees on the wire, and what is recorded of it.
@Suite(.timeLimit(.minutes(5))) struct APNsEndToEndTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  @Test func `a good push is answered with apns-id and apns-unique-id and no body`() async throws {
    try await withGateway { gateway in
      // Apple echoes the request's id byte for byte, lower case included (seen in client sources).
      let id = "123e4567-e89b-12d3-a456-42665544000a"
      let answer = try await gateway.push(token, fields: ["apns-id": id])
      #expect(answer.head.status == 200)
      #expect(answer.names == ["apns-id", "apns-unique-id"])
      #expect(answer.head.fields.text("apns-id") == id)
      #expect(answer.body.isEmpty)
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["outcome"]?.stringValue == "accepted")
      #expect(envelope["apnsID"]?.stringValue == id)
      #expect(envelope["environment"]?.stringValue == "sandbox")
      #expect(envelope["protocol"]?.stringValue == "h2")
      #expect(envelope["tls"]?.stringValue == "TLSv1.3")
    }
  }

  @Test func `production has no apns-unique-id, as Apple documents it for development only`()
    async throws
  {
    try await withGateway {
      $0.environment = .production
    } _: { gateway in
      let answer = try await gateway.push(token)
      #expect(answer.head.status == 200)
      #expect(answer.names == ["apns-id"])
      let id = try #require(answer.head.fields.text("apns-id"))
      #expect(id == id.uppercased() && id.count == 36)
    }
  }

  @Test func `a bad provider token is answered with its reason and nothing else`() async throws {
    try await withGateway { gateway in
      let good = try gateway.providerToken()
      let answer = try await gateway.push(token, authorization: good.dropLast(8) + "AAAAAAAA")
      #expect(answer.head.status == 403)
      #expect(answer.text == #"{"reason":"InvalidProviderToken"}"#)
      #expect(answer.names == ["apns-id"])
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["reason"]?.stringValue == "InvalidProviderToken")
      #expect(envelope.pointer("/diagnosis/code")?.stringValue == "provider-token-signature")
    }
  }

  @Test func `APNs is served in clear text over both versions of HTTP`() async throws {
    try await withGateway { gateway in
      for version in [HTTPProtocol.http2, .http1] {
        let client = try await gateway.connectClear(version)
        let head = gateway.apnsHead(token, authorization: try gateway.providerToken())
        let answer = try await client.request(head, body: gateway.apnsPayload("Hi"))
        #expect(answer.head.status == 200, "\(version)")
        let envelope = try await gateway.lastEnvelope()
        #expect(envelope["protocol"]?.stringValue == version.rawValue)
        #expect(envelope["tls"] == .null)
      }
    }
  }

  @Test func `a body over one MiB is PayloadTooLarge, and the connection lives on`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect()
      let head = gateway.apnsHead(token, authorization: try gateway.providerToken())
      let large = [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 1)
      let answer = try await client.request(head, body: large)
      #expect(answer.head.status == 413)
      #expect(answer.text == #"{"reason":"PayloadTooLarge"}"#)
      #expect(try await gateway.lastEnvelope()["isBodyCut"]?.boolValue == true)
      let next = try await client.request(head, body: gateway.apnsPayload("Hi"))
      #expect(next.head.status == 200)
    }
  }

  // Observed 2019 and July 2026 with curl: SETTINGS and GOAWAY instead of an answer.
  @Test(arguments: [["http/1.1"], []])
  func `HTTP 1.1 over TLS at an Apple path gets HTTP 2 frames`(protocols: [String]) async throws {
    try await withGateway { gateway in
      let (port, authority) = (gateway.report.gatewayPort, gateway.folder.certificates.authority)
      let token = token
      let request =
        "POST /3/device/\(token) HTTP/1.1\r\nhost: api.push.apple.com\r\ncontent-length: 2\r\n"
        + "authorization: bearer \(try gateway.providerToken())\r\napns-topic: com.example.app\r\n\r\n{}"
      let received = try await onThread {
        try exchangeOverTLS(
          port: port, authority: authority, serverName: "api.push.apple.com",
          protocols: protocols, sending: Array(request.utf8))
      }
      #expect(received.negotiated == nil, "only h2 is ever selected under an Apple name")
      let goAway = received.received.dropFirst(9 + 30)
      #expect(received.received.prefix(9) == [0, 0, 30, 4, 0, 0, 0, 0, 0])
      #expect(goAway.dropFirst(3).prefix(6) == [7, 0, 0, 0, 0, 0])
      #expect(
        String(decoding: goAway.dropFirst(9 + 8), as: UTF8.self)
          == "Unexpected HTTP/1.x request: POST /3/device/\(token) ")
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope.pointer("/diagnosis/code")?.stringValue == "http1-at-apns")
      #expect(envelope["token"]?.stringValue == token)
      #expect(envelope["topic"]?.stringValue == "com.example.app")
      #expect(
        envelope.pointer("/credential/keyID")?.stringValue
          == gateway.folder.defaults.apnsKey.keyID)
      let connections = try await gateway.call("GET", "/api/v1/connections")
      #expect(connections.json.pointer("/items/0/goAways")?.intValue == 1)
    }
  }

  @Test func `a provider token is never in the records`() async throws {
    try await withGateway { gateway in
      let provider = try gateway.providerToken()
      _ = try await gateway.push(token, authorization: provider)
      let answer = try await gateway.call("GET", "/api/v1/envelopes")
      let text = String(decoding: answer.json.serialized(), as: UTF8.self)
      let signature = try #require(provider.split(separator: ".").last)
      #expect(!text.contains(signature))
      #expect(!text.contains(provider))
      #expect(text.contains(gateway.folder.defaults.apnsKey.keyID))
    }
  }

  @Test func `records keep provider tokens whole when the user asks for it`() async throws {
    try await withGateway {
      $0.recordsCredentials = true
    } _: { gateway in
      let provider = try gateway.providerToken()
      _ = try await gateway.push(token, authorization: provider)
      let answer = try await gateway.call("GET", "/api/v1/envelopes")
      #expect(String(decoding: answer.json.serialized(), as: UTF8.self).contains(provider))
    }
  }
}
