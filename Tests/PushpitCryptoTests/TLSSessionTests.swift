import Testing

@testable import PushpitCrypto

@Suite struct TLSSessionTests {
  @Test func `a handshake agrees on TLS 1_3 and h2, and bytes go both ways`() throws {
    let pair = try TLSTestPair(verify: true)
    let steps = pair.handshake()
    #expect(steps.server == .done && steps.client == .done)
    #expect(pair.server.version == "TLSv1.3")
    #expect(pair.server.negotiatedProtocol == "h2" && pair.client.negotiatedProtocol == "h2")
    #expect(pair.server.offeredProtocols == ["h2", "http/1.1"])
    #expect(pair.server.serverName == "localhost")
    #expect(pair.server.peerCertificate == nil)
    #expect(pair.client.peerCertificate?.dnsNames.first == "localhost")
    #expect(pair.client.send(Array("ping".utf8)))
    #expect(pair.server.send(Array("pong".utf8)))
    pair.carry()
    #expect(pair.server.readAll() == (Array("ping".utf8), .needsMoreInput))
    #expect(pair.client.readAll() == (Array("pong".utf8), .needsMoreInput))
  }

  @Test func `a megabyte arrives whole, also in single bytes of ciphertext`() throws {
    let pair = try TLSTestPair()
    _ = pair.handshake()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(pair.client.send(bytes))
    pair.carry()
    #expect(pair.server.readAll() == (bytes, .needsMoreInput))
    #expect(pair.client.send(Array("slow".utf8)))
    var read: [UInt8] = []
    for byte in pair.client.withPendingCiphertext({ [UInt8]($0) }) {
      pair.server.take([byte])
      read += pair.server.readAll().bytes
    }
    #expect(read == Array("slow".utf8))
  }

  @Test func `the ciphertext stays pending until it is cleared`() throws {
    let client = try TLSTestPair().client
    #expect(client.pendingCiphertextCount == 0)
    #expect(client.handshake() == .needsMoreInput)
    let count = client.pendingCiphertextCount
    #expect(count > 100)
    #expect(client.withPendingCiphertext { $0.count } == count)
    client.clearPendingCiphertext()
    #expect(client.pendingCiphertextCount == 0)
  }

  @Test func `a close is told to the peer`() throws {
    let pair = try TLSTestPair()
    _ = pair.handshake()
    pair.server.closeNotify()
    pair.carry()
    #expect(pair.client.readAll() == ([], .closed))
    #expect(pair.client.alertReceived == .closeNotify)
    #expect(pair.client.send([1]))
    #expect(!pair.server.send([1]))
    pair.server.closeNotify()
    #expect(pair.server.pendingCiphertextCount == 0)
  }

  @Test func `no session ticket is sent (a ticket would follow the handshake of TLS 1_3)`() throws {
    let pair = try TLSTestPair()
    #expect(pair.client.handshake() == .needsMoreInput)
    TLSTestPair.carry(from: pair.client, to: pair.server)
    #expect(pair.server.handshake() == .needsMoreInput)
    TLSTestPair.carry(from: pair.server, to: pair.client)
    #expect(pair.client.handshake() == .done)
    TLSTestPair.carry(from: pair.client, to: pair.server)
    #expect(pair.server.handshake() == .done)
    #expect(pair.server.pendingCiphertextCount == 0)
  }

  @Test func `any client certificate is taken, even a foreign one`() throws {
    let pair = try TLSTestPair(sendsClientCertificate: true)
    #expect(pair.handshake().server == .done)
    #expect(pair.server.peerCertificate?.dnsNames.first == "localhost")
  }

  @Test func `no client certificate is asked for when that is switched off`() throws {
    let pair = try TLSTestPair(requestClientCertificate: false, sendsClientCertificate: true)
    #expect(pair.handshake().server == .done)
    #expect(pair.server.peerCertificate == nil)
  }

  @Test func `after a megabyte a session keeps at most 2 KiB of its queues`() throws {
    let pair = try TLSTestPair()
    _ = pair.handshake()
    #expect(pair.client.send([UInt8](repeating: 1, count: 1_000_000)))
    #expect(pair.client.heldByteCount > 1_000_000)
    pair.carry()
    #expect(pair.server.heldByteCount > 1_000_000)
    #expect(pair.server.readAll().bytes.count == 1_000_000)
    #expect(pair.client.heldByteCount <= 2048 && pair.server.heldByteCount <= 2048)
  }
}
