import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitNetwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
  private let hello = RequestHead(method: "GET", target: "/hello", authority: "localhost")
  private let later = RequestHead(method: "GET", target: "/later", authority: "localhost")

  @Test func `nobody listening is said with the address`() async throws {
    let server = try await TestServer.start()
    let port = await server.port
    await server.stop(grace: .zero)
    let error = await #expect(throws: HTTPClientError.self) {
      try await HTTPClient.connect(to: "127.0.0.1", port: port)
    }
    #expect("\(try #require(error))" == "cannot connect to 127.0.0.1:\(port): connection refused")
    await server.close()
  }

  @Test func `an unknown host is said`() async throws {
    let error = await #expect(throws: HTTPClientError.self) {
      try await HTTPClient.connect(to: "unknown.invalid", port: 1)
    }
    guard case .network(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.operation == "connect to unknown.invalid:1")
  }

  @Test func `an authority that is no certificate is said`() async throws {
    let server = try await TestServer.start()
    let error = await #expect(throws: HTTPClientError.self) {
      try await server.connect(trusting: Array("no PEM".utf8))
    }
    guard case .setup = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await server.close()
  }

  @Test func `a clear port is no TLS server`() async throws {
    let server = try await TestServer.start(isClearOnly: true)
    await #expect(throws: HTTPClientError.closed) { try await server.connect() }
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a request that takes too long is given up`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    await #expect(throws: HTTPClientError.timedOut) {
      try await client.request(later, timeLimit: .milliseconds(20))
    }
    if speech.expected == .http2 {
      #expect(try await client.request(hello).text == "hello")
    }
    await client.close()
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a cancelled task gives up its request`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let task = Task { try await client.request(later) }
    await server.wait { $0.heldCount == 1 }
    task.cancel()
    await #expect(throws: HTTPClientError.cancelled) { try await task.value }
    await client.close()
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `requests in flight fail when the client closes`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let task = Task { try await client.request(later) }
    await server.wait { $0.heldCount == 1 }
    await client.close()
    await #expect(throws: HTTPClientError.closed) { try await task.value }
    await #expect(throws: HTTPClientError.closed) { try await client.request(hello) }
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a streaming answer fails when the server closes`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let events = RequestHead(method: "GET", target: "/events", authority: "localhost")
    let answer = try await client.stream(events)
    await server.stop(grace: .zero)
    await #expect(throws: HTTPClientError.self) { for try await _ in answer.pieces {} }
    await server.close()
  }

  @Test func `an answer over the body limit is given up`() async throws {
    let server = try await TestServer.start()
    var options = ClientOptions()
    options.bodyLimit = 1 << 20
    let client = try await HTTPClient.connect(to: "127.0.0.1", port: server.port, options)
    let big = RequestHead(method: "GET", target: "/big", authority: "localhost")
    await #expect(throws: HTTPClientError.bodyTooLarge) { try await client.request(big) }
    await client.close()
    await server.close()
  }

  @Test func `a client that is let go closes its connection`() async throws {
    let server = try await TestServer.start()
    do {
      let client = try await server.connect()
      _ = try await client.request(hello)
    }
    #expect(await server.ending().cause == .peerClosed)
    await server.close()
  }

  @Test func `several clients share one loop`() async throws {
    let server = try await TestServer.start()
    let loop = try EventLoop()
    let port = await server.port
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let client = try await HTTPClient.connect(to: "localhost", port: port, loop: loop)
          return try await client.request(hello).text
        }
      }
      for try await text in group { #expect(text == "hello") }
    }
    await loop.stop()
    await server.close()
  }
}
