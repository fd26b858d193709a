import PushpitAPNs
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// How APNs begins and ends connections, over real sockets.
@Suite(.timeLimit(.minutes(5))) struct ConnectionHabitsTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)
  private let preface = RawHTTP2.preface
  /// GOAWAY, NO_ERROR, last stream 0.
  private let goodbye: [UInt8] = [0, 0, 8, 7] + [UInt8](repeating: 0, count: 13)

  /// What the gateway sends until it closes, over clear HTTP/2 with prior knowledge.
  private func received(_ gateway: TestGateway, after bytes: [UInt8]) async throws -> [UInt8] {
    let port = gateway.report.gatewayPort
    return try await onThread {
      guard let socket = BlockingSocket(port: port) else { return [] }
      socket.send(bytes)
      return socket.readToEnd()
    }
  }

  // Noted in the sources of two admin SDKs: Google's front end advertises 100.
  @Test(arguments: [("fcm.googleapis.com", 100), ("localhost", 1), ("api.push.apple.com", 1)])
  func `the server name decides the stream limit of the first SETTINGS`(
    name: String, limit: UInt8
  ) async throws {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      let authority = gateway.folder.certificates.authority
      let bytes = preface + goodbye
      let answer = try await onThread {
        try exchangeOverTLS(
          port: port, authority: authority, serverName: name, protocols: ["h2"], sending: bytes)
      }
      #expect(answer.negotiated == "h2")
      let settings: [UInt8] = [
        0, 0, 30, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x10, 0, 0, 3, 0, 0, 0, limit,
        0, 4, 0, 0, 0xFF, 0xFF, 0, 5, 0, 0, 0x40, 0, 0, 6, 0, 0, 0x1F, 0x40,
      ]
      #expect(answer.received.starts(with: settings), "\(answer.received.prefix(39))")
    }
  }

  // Assumed: the reason is in Apple's table, and its GOAWAY has the form of the captured ones.
  @Test func `a silent connection ends with GOAWAY IdleTimeout when the workspace says so`()
    async throws
  {
    try await withGateway { gateway in
      await gateway.set { $0.idleTimeout = .milliseconds(100) }
      let bytes = try await received(gateway, after: preface)
      #expect(bytes.ends(with: AppleGoAway.bytes(.idleTimeout)), "\(bytes)")
    }
  }

  @Test func `with two GOAWAYs the second one has no reason`() async throws {
    try await withGateway { gateway in
      await gateway.set {
        $0.idleTimeout = .milliseconds(100)
        $0.goAways = .two
      }
      let bytes = try await received(gateway, after: preface)
      #expect(bytes.ends(with: AppleGoAway.bytes(.idleTimeout) + goodbye), "\(bytes)")
      let connections = try await gateway.call("GET", "/api/v1/connections")
      let counts = (connections.json["items"]?.arrayValue ?? []).map { $0["goAways"]?.intValue }
      #expect(counts.contains(2), "\(counts)")
    }
  }

  // Assumed: nothing else on an idle connection could be answered with the reason.
  @Test func `a push whose body stops coming is IdleTimeout before the connection ends`()
    async throws
  {
    try await withGateway { gateway in
      await gateway.set { $0.idleTimeout = .milliseconds(100) }
      let bytes = try await received(gateway, after: try gateway.begun(token, body: "{\"aps\":"))
      let body = Array(#"{"reason":"IdleTimeout"}"#.utf8)
      // One DATA frame with END_STREAM on stream 1, then GOAWAY with that stream as the last.
      let last =
        [0, 0, UInt8(body.count), 0, 1, 0, 0, 0, 1] + body
        + AppleGoAway.bytes(.idleTimeout, lastStreamID: 1)
      #expect(bytes.ends(with: last), "\(String(decoding: bytes, as: UTF8.self))")
      let envelope = try await gateway.lastEnvelope()
      #expect(envelope["status"]?.intValue == 400)
      #expect(envelope["reason"]?.stringValue == "IdleTimeout")
      #expect(envelope.pointer("/diagnosis/code")?.stringValue == "request-stalled")
    }
  }

  @Test func `a client that can only speak HTTP/1.1 is answered where the workspace says so`()
    async throws
  {
    try await withGateway { gateway in
      let head =
        "POST /3/device/\(token) HTTP/1.1\r\nhost: localhost\r\nauthorization: bearer "
        + "\(try gateway.providerToken())\r\napns-topic: com.example.app\r\n"
        + "connection: close\r\ncontent-length: 2\r\n\r\n{}"
      let port = gateway.report.gatewayPort
      let authority = gateway.folder.certificates.authority
      func send(as name: String) async throws -> (negotiated: String?, received: [UInt8]) {
        try await onThread {
          try exchangeOverTLS(
            port: port, authority: authority, serverName: name, protocols: ["http/1.1"],
            sending: Array(head.utf8))
        }
      }
      let refused = try await send(as: "localhost")
      #expect(refused.received.first == 0)
      await gateway.set { $0.http1OverTLS = .serve }
      for (name, negotiated) in [("localhost", "http/1.1"), ("api.push.apple.com", nil)] {
        let served = try await send(as: name)
        #expect(served.negotiated == negotiated)
        #expect(String(decoding: served.received, as: UTF8.self).hasPrefix("HTTP/1.1 200"))
      }
    }
  }
}
