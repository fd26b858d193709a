import PushpitHTTP
import PushpitHTTPTypes
import Testing

/// What a client and a server can speak with each other.
struct Speech: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let isTLS: Bool
  var protocols: [String] = []
  let expected: HTTPProtocol

  static let all = [
    Speech(testDescription: "TLS h2", isTLS: true, protocols: ["h2"], expected: .http2),
    Speech(
      testDescription: "TLS, both offered", isTLS: true, protocols: ["http/1.1", "h2"],
      expected: .http2),
    Speech(testDescription: "TLS http/1.1", isTLS: true, protocols: ["http/1.1"], expected: .http1),
    Speech(testDescription: "TLS without ALPN, HTTP/2", isTLS: true, expected: .http2),
    Speech(testDescription: "TLS without ALPN, HTTP/1.1", isTLS: true, expected: .http1),
    Speech(testDescription: "clear HTTP/2", isTLS: false, expected: .http2),
    Speech(testDescription: "clear HTTP/1.1", isTLS: false, expected: .http1),
  ]

  func connect(_ server: TestServer) async throws -> HTTPClient {
    guard isTLS else { return try await server.connectClear(expected) }
    return try await server.connect(protocols: protocols, assuming: expected)
  }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
  private let hello = RequestHead(method: "GET", target: "/hello", authority: "localhost")
  private let echo = RequestHead(method: "POST", target: "/echo", authority: "localhost")

  @Test(arguments: Speech.all)
  func `a request is answered in whatever the first bytes speak`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    #expect(await client.httpProtocol == speech.expected)
    #expect(await client.tlsVersion == (speech.isTLS ? "TLSv1.3" : nil))
    let answer = try await client.request(echo, body: Array("ping".utf8))
    #expect(answer.head.status == 200)
    #expect(answer.text == "ping")
    await client.close()
    let ending = await server.ending()
    #expect(ending.outline == ConnectionEnding(progress: .requestSeen, cause: .peerClosed))
    let facts = await server.endedFacts[0]
    #expect(facts.httpProtocol == speech.expected)
    #expect(facts.offeredProtocols == speech.protocols)
    let negotiated = speech.protocols.isEmpty ? nil : speech.expected.rawValue
    #expect(facts.negotiatedProtocol == negotiated)
    #expect(facts.tlsVersion == (speech.isTLS ? "TLSv1.3" : nil))
    #expect(facts.serverName == (speech.isTLS ? "localhost" : nil))
    #expect(facts.peer.hasPrefix("127.0.0.1:") || facts.peer.hasPrefix("[::1]:"))
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a thousand requests in flight are all answered`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let body = Array("\(number)".utf8)
          return try await client.request(echo, body: body).body == body
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
    await client.close()
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a body of megabytes arrives whole`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let big = RequestHead(method: "GET", target: "/big", authority: "localhost")
    let answer = try await client.request(big)
    #expect(answer.body.count == 8 << 20)
    #expect(try await client.request(hello).text == "hello")
    await client.close()
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a streaming answer comes in pieces and ends with its reader`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let events = RequestHead(method: "GET", target: "/events", authority: "localhost")
    let answer = try await client.stream(events)
    #expect(answer.head.status == 200)
    var text = ""
    for try await piece in answer.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text == "one\ntwo\n" { break }
    }
    await client.close()
    await server.wait { $0.producerStopCount == 1 }
    await server.close()
  }

  @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func `every loopback address serves`(host: String) async throws {
    let server = try await TestServer.start()
    let client = try await server.connect(host: host)
    #expect(try await client.request(hello).text == "hello")
    await client.close()
    await server.close()
  }

  @Test func `answers may come later and in any order`() async throws {
    let server = try await TestServer.start()
    let client = try await server.connect()
    let later = RequestHead(method: "GET", target: "/later", authority: "localhost")
    async let answer = client.request(later)
    await server.wait { $0.heldCount == 1 }
    #expect(try await client.request(hello).text == "hello")
    await server.answerLater()
    #expect(try await answer.text == "later")
    await client.close()
    await server.close()
  }

  // MARK: Stopping

  @Test(arguments: Speech.all)
  func `a graceful stop lets the requests in progress finish`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    let later = RequestHead(method: "GET", target: "/later", authority: "localhost")
    async let answer = client.request(later)
    await server.wait { $0.heldCount == 1 }
    async let stop: Void = server.stop(grace: .seconds(30))
    await server.wait { $0.isStopping }
    await server.answerLater()
    #expect(try await answer.text == "later")
    await stop
    #expect(await server.ending().cause == .serverStopped)
    #expect(await server.statistics.openCount == 0)
    await #expect(throws: HTTPClientError.self) { try await speech.connect(server) }
    await server.close()
  }

  @Test(arguments: Speech.all)
  func `a stop closes idle connections at once`(speech: Speech) async throws {
    let server = try await TestServer.start()
    let client = try await speech.connect(server)
    _ = try await client.request(hello)
    await server.stop(grace: .seconds(60))
    #expect(await server.ending().cause == .serverStopped)
    await #expect(throws: HTTPClientError.self) { try await client.request(hello) }
    await server.close()
  }

  @Test func `what is not answered within the grace is cut off`() async throws {
    let server = try await TestServer.start()
    let client = try await server.connect()
    let later = RequestHead(method: "GET", target: "/later", authority: "localhost")
    let answer = Task { try await client.request(later) }
    await server.wait { $0.heldCount == 1 }
    await server.stop(grace: .milliseconds(50))
    await #expect(throws: HTTPClientError.self) { try await answer.value }
    await server.close()
  }

  @Test func `a stop without connections completes`() async throws {
    let server = try await TestServer.start()
    await server.stop(grace: .seconds(60))
    await server.close()
  }

  @Test func `the handler can close a connection`() async throws {
    let server = try await TestServer.start()
    let client = try await server.connect()
    _ = try await client.request(hello)
    await server.closeConnections()
    #expect(await server.ending().cause == .closedByHandler)
    await server.close()
  }
}
