import PushpitNetwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct TCPTests {
  /// Starts a server and a client of it on one loop; returns the port.
  private func connect(
    _ probe: LoopProbe, host: String = "127.0.0.1", to name: String? = nil,
    _ prepare: @escaping @Sendable (NotingServer, NotingClient) -> Void
  ) async throws -> Int {
    try await probe.run { probe in
      let server = NotingServer(probe)
      let client = NotingClient(probe)
      prepare(server, client)
      probe.keep(server)
      let listener = try TCPListener(probe.loop, host: host, port: 0, delegate: server)
      TCPConnector(
        probe.loop, host: name ?? host, port: listener.port, timeLimit: .seconds(10),
        delegate: client)
      return listener.port
    }
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `bytes go there and back`(host: String) async throws {
    let probe = try LoopProbe()
    let port = try await connect(probe, host: host) { _, client in
      client.onConnect = { $0.write(Array("hello".utf8)) }
      client.onReceive = { stream, count in if count == 5 { stream.closeAfterWriting() } }
    }
    #expect(port > 0)
    let notes = await probe.notes(4)
    #expect(notes.first == "client: connected")
    #expect(Set(notes.dropFirst()) == ["server: end", "server: closed ", "client: closed "])
    await probe.stop()
  }

  @Test func `a name is tried at each of its addresses`() async throws {
    let probe = try LoopProbe()
    _ = try await connect(probe, to: "localhost") { _, client in
      client.onConnect = { $0.close() }
    }
    #expect(await probe.notes(1).first == "client: connected")
    await probe.stop()
  }

  @Test func `peer addresses are written as in a URL`() async throws {
    let probe = try LoopProbe()
    _ = try await connect(probe, host: "::1") { server, _ in
      server.onAccept = { [probe = server.probe] stream in
        let text = stream.peerText
        probe.assumeIsolated { $0.note(text) }
      }
    }
    let notes = await probe.notes(2)
    #expect(notes.contains { $0.hasPrefix("[::1]:") })
    await probe.stop()
  }

  @Test func `an error after a reset still names the peer`() async throws {
    let probe = try LoopProbe()
    _ = try await connect(probe) { server, client in
      server.onAccept = { [probe = server.probe] stream in
        let text = stream.peerText
        probe.assumeIsolated { $0.note(text) }
        stream.write([UInt8](repeating: 7, count: 32 << 20))
      }
      server.onError = { [probe = server.probe] error in
        probe.assumeIsolated { $0.note("\(error)") }
      }
      // A close with unread bytes resets the connection.
      client.onReceive = { stream, _ in stream.close() }
    }
    let notes = await probe.notes(5)
    let peer = try #require(notes.first { $0.hasPrefix("127.0.0.1:") })
    #expect(notes.last?.contains(" \(peer): ") == true, "\(notes)")
    await probe.stop()
  }

  @Test func `more than the kernel takes is queued and arrives whole`() async throws {
    let probe = try LoopProbe()
    let count = 32 << 20
    _ = try await connect(probe) { server, client in
      server.onAccept = { [probe = server.probe] stream in
        stream.write([UInt8](repeating: 7, count: count))
        let queued = stream.queuedByteCount
        probe.assumeIsolated { $0.note("queued \(queued > 0 && queued < count)") }
      }
      client.onReceive = { stream, received in if received == count { stream.close() } }
    }
    let notes = await probe.notes(4)
    #expect(notes.contains("queued true"))
    #expect(notes.contains("server: drained"))
    await probe.stop()
  }

  @Test func `the last bytes arrive although the closing side has unread input`() async throws {
    let probe = try LoopProbe()
    _ = try await connect(probe) { server, client in
      client.onConnect = { $0.write([UInt8](repeating: 1, count: 4 << 20)) }
      server.onBytes = { stream, _ in
        // The client is still sending: a plain close would reset the connection.
        stream.stopReading()
        stream.write([UInt8](repeating: 2, count: 1000))
        stream.closeAfterWriting()
      }
    }
    let notes = await probe.notes(4)
    #expect(notes.contains("client: end after 1000"))
    #expect(notes.contains("client: closed "))
    await probe.stop()
  }

  @Test func `a peer that never closes is closed after the linger limit`() async throws {
    let probe = try LoopProbe()
    let start = await probe.run { $0.loop.now }
    _ = try await connect(probe) { server, client in
      client.onConnect = { $0.stopReading() }
      server.onAccept = { $0.closeAfterWriting() }
    }
    let notes = await probe.notes(2)
    #expect(notes.last == "server: closed ")
    #expect(await probe.run { $0.loop.now } >= start + 900)
    await probe.stop()
  }

  @Test func `the last bytes reach a peer that had ended its own side before`() async throws {
    let probe = try LoopProbe()
    let count = 16 << 20
    let port = try await probe.run { probe in
      let server = NotingServer(probe)
      server.onEnd = { $0.write([UInt8](repeating: 7, count: count)) }
      probe.keep(server)
      return try TCPListener(probe.loop, host: "127.0.0.1", port: 0, delegate: server).port
    }
    let received = await countAfterEndingOwnSide(port: port) {
      _ = await probe.notes(1)
      // Turns of the loop in which the server must not mistake the end it knows for a new one.
      for _ in 0..<10 { await probe.run { _ in } }
    }
    #expect(received == count)
    await probe.stop()
  }

  @Test func `a peer that does not read the last bytes is closed after the flush limit`()
    async throws
  {
    let probe = try LoopProbe()
    _ = try await connect(probe) { server, client in
      client.onConnect = { $0.stopReading() }
      server.onAccept = { stream in
        stream.write([UInt8](repeating: 7, count: 32 << 20))
        stream.closeAfterWriting(flushLimit: .milliseconds(20))
      }
    }
    #expect(await probe.notes(2).contains("server: closed "))
    await probe.stop()
  }

  @Test func `stopped reading leaves bytes with the kernel`() async throws {
    let probe = try LoopProbe()
    _ = try await connect(probe) { server, client in
      client.onConnect = { $0.write(Array("held back".utf8)) }
      server.onAccept = { [probe = server.probe] stream in
        stream.stopReading()
        let isReading = stream.isReading
        probe.assumeIsolated { $0.note("reading \(isReading)") }
        _ = Timer(stream.loop, after: .milliseconds(20)) {
          probe.assumeIsolated { $0.note("resumed") }
          stream.startReading()
        }
      }
      server.onBytes = { [probe = server.probe] stream, bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        probe.assumeIsolated { $0.note(text) }
      }
    }
    let notes = await probe.notes(4)
    #expect(notes.suffix(2) == ["resumed", "held back"])
    await probe.stop()
  }

  @Test func `a taken port is a typed error with the address in its text`() async throws {
    let probe = try LoopProbe()
    try await probe.run { probe in
      let server = NotingServer(probe)
      let first = try TCPListener(probe.loop, host: "127.0.0.1", port: 0, delegate: server)
      let error = #expect(throws: NetworkError.self) {
        try TCPListener(probe.loop, host: "127.0.0.1", port: first.port, delegate: server)
      }
      #expect(error?.name == "EADDRINUSE")
      #expect(error?.isAddressInUse == true)
      #expect(
        error?.description == "cannot listen on 127.0.0.1:\(first.port): address already in use")
    }
    await probe.stop()
  }

  @Test func `a name is no address to listen on`() async throws {
    let probe = try LoopProbe()
    await probe.run { probe in
      let error = #expect(throws: NetworkError.self) {
        try TCPListener(
          probe.loop, host: "localhost", port: 0, delegate: NotingServer(probe))
      }
      #expect(error?.description == "cannot listen on localhost:0: invalid argument")
    }
    await probe.stop()
  }

  @Test func `port 0 gives both loopback addresses the same number`() async throws {
    let probe = try LoopProbe()
    let ports = try await probe.run { probe in
      try TCPListener.listen(
        probe.loop, hosts: ["127.0.0.1", "::1"], port: 0, delegate: NotingServer(probe)
      ).map(\.port)
    }
    #expect(Set(ports).count == 1)
    #expect(ports.count == 2)
    await probe.stop()
  }

  @Test func `an address that the machine lacks is left out unless it is the only one`()
    async throws
  {
    let probe = try LoopProbe()
    let foreign = "192.0.2.1"  // RFC 5737: never an address of this machine.
    try await probe.run { probe in
      let server = NotingServer(probe)
      let both = try TCPListener.listen(
        probe.loop, hosts: ["127.0.0.1", foreign], port: 0, delegate: server)
      #expect(both.map(\.host) == ["127.0.0.1"])
      let error = #expect(throws: NetworkError.self) {
        try TCPListener.listen(probe.loop, hosts: [foreign], port: 0, delegate: server)
      }
      #expect(error?.isAddressMissing == true)
    }
    await probe.stop()
  }

  @Test func `nobody listening is a typed error`() async throws {
    let probe = try LoopProbe()
    let port = try await probe.run { probe in
      let listener = try TCPListener(
        probe.loop, host: "127.0.0.1", port: 0, delegate: NotingServer(probe))
      listener.close()
      TCPConnector(
        probe.loop, host: "127.0.0.1", port: listener.port, timeLimit: .seconds(10),
        delegate: NotingClient(probe))
      return listener.port
    }
    #expect(
      await probe.notes(1) == ["client: cannot connect to 127.0.0.1:\(port): connection refused"])
    await probe.stop()
  }
}
