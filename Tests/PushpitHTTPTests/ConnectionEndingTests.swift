import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConnectionEndingTests {
  @Test func `a client that does not trust the authority is known by its alert`() async throws {
    let server = try await TestServer.start()
    let other = try await TestServer.start()
    let error = await #expect(throws: HTTPClientError.self) {
      try await server.connect(trusting: other.authority)
    }
    guard case .tls(let failure) = error, case .certificateRejected = failure.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    let ending = await server.ending()
    #expect(ending.alertReceived == .unknownCA)
    guard case .tls = ending.cause else {
      Issue.record("\(ending)")
      return
    }
    #expect(ending.progress >= .tlsHelloSeen)
    #expect(ending.progress < .requestSeen)
    await server.close()
    await other.close()
  }

  @Test func `a name that the certificate lacks is known by its alert`() async throws {
    let server = try await TestServer.start()
    var tls = ClientOptions.TLS(authorities: server.authority)
    tls.serverName = "api.push.apple.com"
    let options = ClientOptions(tls: tls)
    let port = await server.port
    await #expect(throws: HTTPClientError.self) {
      try await HTTPClient.connect(to: "127.0.0.1", port: port, options)
    }
    #expect(await server.ending().alertReceived != nil)
    #expect(await server.endedFacts[0].serverName == "api.push.apple.com")
    await server.close()
  }

  @Test func `a TLS hello on a clear port is told apart and gets no answer`() async throws {
    let server = try await TestServer.start(isClearOnly: true)
    let socket = RawSocket(port: await server.port)
    socket.send([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])
    #expect((await socket.readToEnd()) == [])
    let ending = await server.ending()
    #expect(ending == ConnectionEnding(progress: .tlsHelloSeen, cause: .tlsOnClearPort))
    await server.close()
  }

  @Test func `a peer that closes without a word is seen`() async throws {
    let server = try await TestServer.start()
    RawSocket(port: await server.port).endSending()
    #expect(
      await server.ending() == ConnectionEnding(progress: .accepted, cause: .peerClosed))
    await server.close()
  }

  @Test func `a peer that closes within its TLS hello is seen`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send([0x16, 3, 1])
    socket.endSending()
    #expect(
      await server.ending() == ConnectionEnding(progress: .tlsHelloSeen, cause: .peerClosed))
    await server.close()
  }

  @Test func `bytes that only begin like TLS fail in TLS`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send([0x16] + [UInt8](repeating: 0xFF, count: 64))
    _ = await socket.readToEnd()
    let ending = await server.ending()
    guard case .tls = ending.cause else {
      Issue.record("\(ending)")
      return
    }
    #expect(ending.progress == .tlsHelloSeen)
    await server.close()
  }

  @Test func `a failure of HTTP/2 ends the connection after GOAWAY`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    // A SETTINGS frame on stream 1 is a connection error (RFC 9113 section 6.5).
    socket.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 1])
    let answer = try #require(await socket.readToEnd())
    // A frame of type 7, with 8 bytes or more after its stream identifier 0.
    #expect(answer.windows(of: [7, 0, 0, 0, 0, 0]))
    guard case .http = await server.ending().cause else {
      Issue.record("\(await server.ending())")
      return
    }
    await server.close()
  }

  @Test func `HTTP/1.1 that cannot be read is answered before the end`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send("nonsense\r\n\r\n")
    let answer = String(decoding: try #require(await socket.readToEnd()), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    await server.close()
  }

  @Test func `a connection is closed after an answer that says so`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send("GET /hello HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
    let answer = String(decoding: try #require(await socket.readToEnd()), as: UTF8.self)
    #expect(answer.hasSuffix("\r\n\r\nhello"))
    #expect(await server.ending().cause == .answered)
    await server.close()
  }

  @Test func `a peer that has ended its side still gets the answer in HTTP/1.1`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send("GET /later HTTP/1.1\r\nhost: a\r\n\r\n")
    await server.wait { $0.heldCount == 1 }
    socket.endSending()
    _ = try await server.connectClear(.http1).request(
      RequestHead(method: "GET", target: "/hello", authority: "a"))
    await server.answerLater()
    let answer = String(decoding: try #require(await socket.readToEnd()), as: UTF8.self)
    #expect(answer.hasSuffix("\r\n\r\nlater"))
    #expect(await server.endings.contains { $0.cause == .peerClosed })
    await server.close()
  }

  @Test func `a peer that has ended its side loses its streaming answer in HTTP/1.1`()
    async throws
  {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send("GET /events HTTP/1.1\r\nhost: a\r\n\r\n")
    #expect(!(await socket.readSome()).isEmpty)
    socket.endSending()
    await server.wait { $0.producerStopCount == 1 }
    await server.close()
  }

  @Test(arguments: ["P", "PR", "PRI"])
  func `the first bytes may come one by one`(first: String) async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    socket.send(first)
    await server.wait { $0.openedCount == 1 }
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    socket.send(String(preface.dropFirst(first.count)))
    socket.send([0, 0, 0, 4, 0, 0, 0, 0, 0])
    // A SETTINGS frame, type 4, is the first that a server sends (RFC 9113 section 3.4).
    #expect((await socket.readSome()).dropFirst(3).first == 4)
    await server.close()
  }
}

extension [UInt8] {
  /// Whether these bytes lie somewhere in it.
  func windows(of bytes: [UInt8]) -> Bool {
    guard count >= bytes.count else { return false }
    return (0...(count - bytes.count)).contains { self[$0...].starts(with: bytes) }
  }
}
