import PushpitHTTP
import PushpitHTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListenerOptionsTests {
  private let hello = RequestHead(method: "GET", target: "/hello", authority: "localhost")

  @Test func `the connection over the limit is closed at once and counted`() async throws {
    let server = try await TestServer.start { $0.connectionLimit = 2 }
    let first = RawSocket(port: await server.port)
    let second = RawSocket(port: await server.port)
    let third = RawSocket(port: await server.port)
    #expect((await third.readToEnd()) == [])
    let statistics = await server.statistics
    #expect(statistics.openCount == 2)
    #expect(statistics.acceptedCount == 2)
    #expect(statistics.refusedCount == 1)
    first.endSending()
    _ = await server.ending()
    _ = await first.readToEnd()
    second.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
    #expect(!(await second.readSome()).isEmpty)
    await server.close()
  }

  @Test(arguments: Speech.all.filter { $0.expected == .http2 })
  func `an idle connection is closed after the idle time`(speech: Speech) async throws {
    let server = try await TestServer.start { $0.idleTimeout = .milliseconds(100) }
    let client = try await speech.connect(server)
    #expect(
      await server.ending().outline == ConnectionEnding(progress: .handshakeDone, cause: .idle))
    await #expect(throws: HTTPClientError.self) { try await client.request(hello) }
    await server.close()
  }

  @Test(arguments: [
    "", "P", "PRI * HTTP/2.0\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: a\r\nx: y",
  ])
  func `a head that does not come in time ends the connection`(sent: String) async throws {
    let server = try await TestServer.start { $0.headTimeout = .milliseconds(100) }
    let socket = RawSocket(port: await server.port)
    socket.send(sent)
    #expect((await socket.readToEnd()) != nil)
    #expect(await server.ending().cause == .headTimeout)
    await server.close()
  }

  @Test func `a body that does not come in time ends the connection`() async throws {
    let server = try await TestServer.start { $0.bodyTimeout = .milliseconds(100) }
    let socket = RawSocket(port: await server.port)
    socket.send("POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf")
    #expect((await socket.readToEnd()) != nil)
    #expect(await server.ending().cause == .bodyTimeout)
    await server.close()
  }

  @Test func `more pipelined requests than are taken at a time are all answered`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    let count = 1000
    let request = "GET /hello HTTP/1.1\r\nhost: a\r\n\r\n"
    let last = "GET /hello HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
    socket.send(String(repeating: request, count: count - 1) + last)
    let answers = try #require(await socket.readToEnd())
    let text = String(decoding: answers, as: UTF8.self)
    #expect(text.split(separator: "HTTP/1.1 200").count == count)
    await server.close()
  }

  @Test func `a TLS handshake that does not end in time ends the connection`() async throws {
    let server = try await TestServer.start { $0.headTimeout = .milliseconds(100) }
    let socket = RawSocket(port: await server.port)
    socket.send([0x16, 3, 1])
    #expect((await socket.readToEnd()) == [])
    #expect(
      await server.ending().outline
        == ConnectionEnding(progress: .tlsHelloSeen, cause: .headTimeout))
    await server.close()
  }

  @Test func `a stream of events for a reader that reads nothing ends at the output limit`()
    async throws
  {
    let server = try await TestServer.start { $0.outputLimit = 1 << 20 }
    let socket = RawSocket(port: await server.port)
    socket.send("GET /flood HTTP/1.1\r\nhost: a\r\n\r\n")
    #expect(
      await server.ending().outline == ConnectionEnding(progress: .requestSeen, cause: .slowReader))
    #expect(await server.producerStopCount == 1)
    await server.close()
    _ = socket
  }

  @Test func `a whole answer that is not read ends at the write time`() async throws {
    let server = try await TestServer.start { $0.writeTimeout = .milliseconds(200) }
    let socket = RawSocket(port: await server.port)
    socket.send("GET /big HTTP/1.1\r\nhost: a\r\n\r\n")
    #expect(await server.ending().cause == .slowReader)
    await server.close()
    _ = socket
  }

  @Test func `a whole answer over the output limit reaches a reader that reads`() async throws {
    let server = try await TestServer.start { $0.outputLimit = 1 << 20 }
    let client = try await server.connectClear(.http1)
    let big = RequestHead(method: "GET", target: "/big", authority: "localhost")
    #expect(try await client.request(big).body.count == 8 << 20)
    await client.close()
    await server.close()
  }

  @Test func `a peer that asks and does not read is not read from either`() async throws {
    let server = try await TestServer.start()
    let socket = RawSocket(port: await server.port)
    let request = "GET /big HTTP/1.1\r\nhost: a\r\n\r\n"
    socket.send(String(repeating: request, count: 64))
    socket.endSending()
    // All are answered, although 512 MiB never lie in memory: reading waits for the peer.
    let count = await socket.readToEnd()?.count ?? 0
    #expect(count > 64 * (8 << 20))
    await server.close()
  }
}
