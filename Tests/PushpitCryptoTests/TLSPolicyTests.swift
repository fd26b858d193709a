import Testing

@testable import PushpitCrypto

@Suite struct TLSPolicyTests {
  /// What a client offers for which server name, and what it gets.
  struct ALPNCase: CustomTestStringConvertible {
    let serverName: String?
    let offered: [String]
    let selected: String?
    var testDescription: String { "\(offered) for \(serverName ?? "no name")" }

    init(_ serverName: String?, _ offered: [String], _ selected: String?) {
      self.serverName = serverName
      self.offered = offered
      self.selected = selected
    }
  }

  static let alpnCases = [
    ALPNCase("localhost", ["h2", "http/1.1"], "h2"),
    ALPNCase("localhost", ["http/1.1", "h2"], "h2"),
    ALPNCase("fcm.googleapis.com", ["spdy/3", "http/1.1"], "http/1.1"),
    ALPNCase("localhost", ["spdy/3"], nil), ALPNCase("localhost", [], nil),
    ALPNCase(nil, ["http/1.1"], "http/1.1"), ALPNCase("127.0.0.1", ["h2"], "h2"),
    ALPNCase("api.push.apple.com", ["http/1.1", "h2"], "h2"),
    ALPNCase("api.push.apple.com", ["http/1.1"], nil), ALPNCase("api.push.apple.com", [], nil),
  ]

  @Test(arguments: alpnCases)
  func `ALPN follows the client, but for Apple's names only h2 (observed 2021 and 2026)`(
    _ example: ALPNCase
  ) throws {
    let pair = try TLSTestPair(alpn: example.offered, serverName: example.serverName)
    let steps = pair.handshake()
    #expect(steps.server == .done && steps.client == .done)
    #expect(pair.server.negotiatedProtocol == example.selected)
    #expect(pair.client.negotiatedProtocol == example.selected)
    #expect(pair.server.offeredProtocols == example.offered)
    #expect(
      pair.server.serverName == (example.serverName == "127.0.0.1" ? nil : example.serverName))
  }

  @Test(arguments: [[], [0], [5, 0x68], [2, 0x68, 0x32, 9]] as [[UInt8]])
  func `a damaged list of names is read as far as it goes`(wire: [UInt8]) {
    #expect(ApplicationProtocols.names(wire) == (wire.count == 4 ? ["h2"] : []))
  }

  @Test func `a client that does not trust the authority says unknown_ca`() throws {
    let pair = try TLSTestPair(verify: true, trustsAuthority: false)
    let steps = pair.handshake()
    guard case .failed(let failure) = steps.client, case .failed(let seen) = steps.server else {
      Issue.record("\(steps)")
      return
    }
    #expect(failure.alertSent == .unknownCA)
    guard case .certificateRejected(let reason) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(reason == "unable to get local issuer certificate")
    #expect(seen.cause == .alertReceived(.unknownCA))
    #expect(seen.description == "the peer sent the TLS alert unknown_ca")
    #expect(pair.server.alertReceived?.name == "unknown_ca")
  }

  @Test(arguments: [("example.com", "hostname mismatch"), ("10.0.0.1", "IP address mismatch")])
  func `a client refuses a certificate without the name`(name: String, reason: String) throws {
    let steps = try TLSTestPair(serverName: name, verify: true).handshake()
    guard case .failed(let failure) = steps.client else {
      Issue.record("\(steps)")
      return
    }
    #expect(failure.cause == .certificateRejected(reason))
  }

  @Test func `a client finds an address in the certificate`() throws {
    let steps = try TLSTestPair(serverName: "127.0.0.1", verify: true).handshake()
    #expect(steps.client == .done)
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n", "POST /v1 HTTP/1.1\r\n", "CONNECT a:443 HTTP/1.1\r\n"])
  func `HTTP in clear text is recognised`(text: String) throws {
    let server = try TLSTestPair().server
    server.take(Array(text.utf8))
    guard case .failed(let failure) = server.handshake() else {
      Issue.record("no failure")
      return
    }
    #expect(failure.cause == .plainHTTP)
  }

  @Test func `other clear text is recognised`() throws {
    let server = try TLSTestPair().server
    server.take(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
    guard case .failed(let failure) = server.handshake() else {
      Issue.record("no failure")
      return
    }
    #expect(failure.cause == .notTLS)
  }

  @Test func `ciphertext that was changed on the way is a protocol error with an alert`() throws {
    let pair = try TLSTestPair()
    _ = pair.handshake()
    #expect(pair.client.send(Array("ping".utf8)))
    var bytes = pair.client.withPendingCiphertext { [UInt8]($0) }
    bytes[bytes.count - 1] ^= 1
    pair.server.take(bytes)
    guard case .failed(let failure) = pair.server.readAll().ending else {
      Issue.record("no failure")
      return
    }
    #expect(failure.cause == .protocolError)
    #expect(failure.alertSent?.name == "bad_record_mac")
    TLSTestPair.carry(from: pair.server, to: pair.client)
    guard case .failed(let seen) = pair.client.readAll().ending else {
      Issue.record("no failure at the client")
      return
    }
    #expect(seen.cause == .alertReceived(TLSAlert(number: 20)))
  }

  @Test func `a key that is not the certificate's is refused`() throws {
    let (_, certificate, _) = try TLSTestPair.identity()
    let error = #expect(throws: CryptoError.self) {
      _ = try TLSContext(server: certificate.pem, key: PrivateKey.generateP256())
    }
    #expect(error?.description == "use the certificate and its key: key values mismatch")
  }

  @Test func `a server name that is none is refused`() throws {
    #expect(throws: CryptoError.self) { _ = try TLSTestPair(serverName: "a b") }
  }
}
