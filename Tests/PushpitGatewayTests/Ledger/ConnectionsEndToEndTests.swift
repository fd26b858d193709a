import Foundation
import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitTestSupport
import Testing

@testable import PushpitGateway

/// Senders that never got as far as a request, as `/connections` shows them.
@Suite(.timeLimit(.minutes(5))) struct ConnectionsEndToEndTests {
  private static let openssl = "/usr/bin/openssl"

  @Test func `a client that does not trust the gateway is ca-not-trusted`() async throws {
    try await withGateway { gateway in
      let stranger = try TemporaryState.current(of: "stranger")
      let other = try StateFolder.open(path: stranger.path, hosts: [], time: SystemTime())
      await #expect(throws: HTTPClientError.self) {
        try await gateway.connect { $0.authorities = other.certificates.authority }
      }
      let entry = try await gateway.connection(diagnosed: "ca-not-trusted")
      #expect(entry["serverName"]?.stringValue == "localhost")
      #expect(entry["offeredProtocols"] == ["h2"])
      #expect(entry["requests"]?.intValue == 0)
      #expect(entry["alert"]?.stringValue == "unknown_ca")
      let fix = entry.pointer("/diagnosis/fix")?.stringValue ?? ""
      #expect(fix.contains(gateway.folder.paths.authority))
    }
  }

  // asyncio, Node, the JDK's HTTP client and wget send no alert.
  @Test func `a client that leaves at the certificate without a word is ca-not-trusted`()
    async throws
  {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      try await onThread {
        let context = try TLSContext(client: nil, alpn: ["h2"], verify: false)
        let tls = try TLSSession(context, serverName: "localhost")
        _ = tls.handshake()
        let socket = BlockingSocket(port: port)
        tls.withPendingCiphertext { socket?.send($0) }
        // Our part of the handshake has come; it is not even looked at.
        _ = socket?.read()
      }
      let entry = try await gateway.connection(diagnosed: "ca-not-trusted")
      #expect(entry["alert"] == .null)
      #expect(entry.pointer("/diagnosis/what")?.stringValue?.contains("probably") == true)
    }
  }

  @Test func `a connection's beginning and end are events`() async throws {
    try await withGateway { gateway in
      let feed = try await gateway.follow("/api/v1/events?kind=connection")
      let port = gateway.report.gatewayPort
      try await onThread {
        let socket = BlockingSocket(port: port)
        socket?.send("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".utf8)
        _ = socket?.readToEnd()
      }
      let opened = try #require(try await feed.next()?.data["connection"])
      var last = opened
      while last["closedAt"] == .null {
        last = try #require(try await feed.next()?.data["connection"])
      }
      #expect(last["id"] == opened["id"])
      #expect(last["requests"]?.intValue == 1)
      #expect(last["ending"]?.stringValue?.isEmpty == false)
      await feed.close()
    }
  }

  @Test func `a request that no handler saw is malformed-request`() async throws {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      try await onThread {
        let socket = BlockingSocket(port: port)
        socket?.send("GET / HTTP/1.1\r\nhost : a\r\n\r\n".utf8)
        _ = socket?.readToEnd()
      }
      let entry = try await gateway.connection(diagnosed: "malformed-request")
      #expect(entry.pointer("/diagnosis/what")?.stringValue?.contains("400") == true)
    }
  }

  @Test func `TLS on the console's port is said so`() async throws {
    try await withGateway { gateway in
      await #expect(throws: HTTPClientError.self) {
        try await gateway.connect(port: gateway.report.consolePort)
      }
      let entry = try await gateway.connection(diagnosed: "tls-on-console-port")
      #expect(entry["listener"]?.stringValue == "console")
      let fix = entry.pointer("/diagnosis/fix")?.stringValue ?? ""
      #expect(fix.contains("\(gateway.report.gatewayPort)"))
    }
  }

  @Test func `a name that the certificate lacks is said with the flag that adds it`()
    async throws
  {
    try await withGateway { gateway in
      await #expect(throws: HTTPClientError.self) {
        try await gateway.connect { $0.serverName = "push.example" }
      }
      let entry = try await gateway.connection(diagnosed: "name-not-in-certificate")
      #expect(entry["serverName"]?.stringValue == "push.example")
      let fix = entry.pointer("/diagnosis/fix")?.stringValue ?? ""
      #expect(fix.contains("--host push.example"))
    }
  }

  @Test func `a connection that just closes is closed-without-request`() async throws {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      try await onThread { _ = BlockingSocket(port: port) }
      let entry = try await gateway.connection(diagnosed: "closed-without-request")
      #expect(entry["progress"]?.stringValue == "accepted")
      #expect(entry["closedAt"]?.stringValue != nil)
    }
  }

  @Test func `an open connection shows its requests and provider tokens`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect()
      let token = String(repeating: "ab", count: 32)
      for _ in 0..<2 {
        let head = gateway.apnsHead(token, authorization: try gateway.providerToken())
        _ = try await client.request(head, body: gateway.apnsPayload("Hi"))
      }
      let list = try await gateway.call("GET", "/api/v1/connections")
      let entry = try #require(list.json.pointer("/items/0"))
      #expect(entry["progress"]?.stringValue == "request")
      #expect(entry["requests"]?.intValue == 2)
      #expect(entry["protocol"]?.stringValue == "h2")
      #expect(entry["closedAt"] == .null)
      #expect(entry["diagnosis"] == .null)
      await client.close()
    }
  }

  @Test func `the console's own connections are not counted as forgotten ones`() async throws {
    try await withGateway { gateway in
      _ = try await gateway.call("GET", "/livez")
      let list = try await gateway.call("GET", "/api/v1/connections")
      #expect(list.json["total"]?.intValue == 0)
      #expect(list.json["evicted"]?.intValue == 0)
    }
  }

  // A server that asks for client certificates and has no session id context refuses such a client.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: openssl)), arguments: [false, true])
  func `a TLS 1.2 client that offers a session gets a full handshake`(hasCertificate: Bool)
    async throws
  {
    try await withGateway { gateway in
      let sender = try await gateway.providerIdentity()
      let path = "\(gateway.state.path)/sender.pem"
      try FileSystem.writeAtomically(sender.certificate + sender.key, to: path, for: .owner)
      let arguments =
        [
          "s_client", "-connect", "127.0.0.1:\(gateway.report.gatewayPort)", "-servername",
          "localhost", "-CAfile", gateway.folder.paths.authority, "-verify_return_error",
          "-tls1_2", "-reconnect",
        ] + (hasCertificate ? ["-cert", path] : [])
      let output = try await onThread {
        let process = ChildProcess()
        let pipe = Pipe()
        process.executableURL = URL(filePath: Self.openssl)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return "\(process.terminationStatus) " + String(decoding: output, as: UTF8.self)
      }
      #expect(output.hasPrefix("0 "), "\(output)")
      #expect(output.split(separator: "New, TLSv1.2").count == 7, "\(output)")
      #expect(!output.contains("Reused, TLSv1.2"))
    }
  }
}
