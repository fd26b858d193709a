import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTPClientSessionTests {
  /// Both protocols behind one shape.
  enum Kind: CaseIterable, CustomTestStringConvertible {
    case http2, http1
    var testDescription: String { self == .http2 ? "h2" : "http/1.1" }

    func make(
      _ handler: @escaping (ServerStream) -> Void = Exchange.echo
    ) throws -> (any HTTPClientSession, Exchange) {
      switch self {
      case .http2: (try HTTP2ClientSession(), try Exchange.http2(handler: handler))
      case .http1: (HTTP1ClientSession(), Exchange.http1(handler: handler))
      }
    }
  }

  static let get = RequestHead(method: "GET", target: "/a", authority: "localhost")
  static let post = RequestHead(method: "POST", target: "/p", authority: "localhost")

  @Test(arguments: Kind.allCases) func `a request and its answer`(_ kind: Kind) throws {
    let (client, server) = try kind.make {
      $0.response.reset(status: 404)
      $0.response.fields.append("X-A", "b".utf8)
      $0.respond(body: $0.body)
    }
    let id = client.submit(Self.post, body: Array("body".utf8))
    let answer = Answer(settle(client, server), id)
    #expect(answer.status == 404)
    #expect(answer.body == "body")
    #expect(answer.isComplete)
    #expect(answer.fields.contains { $0.lowercased() == "x-a: b" })
    #expect(client.openRequestCount == 0)
  }

  @Test(arguments: Kind.allCases) func `many requests, each with its own answer`(_ kind: Kind)
    throws
  {
    let (client, server) = try kind.make()
    let ids = (0..<300).map { client.submit(Self.post, body: Array("\($0)".utf8)) }
    let events = settle(client, server)
    for (index, id) in ids.enumerated() { #expect(Answer(events, id).body == "/p\(index)") }
  }

  @Test(arguments: Kind.allCases) func `large bodies both ways`(_ kind: Kind) throws {
    let (client, server) = try kind.make()
    let body = (0..<500_000).map { UInt8(truncatingIfNeeded: 0x41 + $0 % 26) }
    let id = client.submit(Self.post, body: body)
    let answer = Answer(settle(client, server), id)
    #expect(answer.body.utf8.count == 500_002)
    #expect(answer.isComplete)
  }

  @Test(arguments: Kind.allCases) func `a streamed answer comes in pieces`(_ kind: Kind) throws {
    let producer = CountingProducer()
    let (client, server) = try kind.make { $0.respondStreaming(producer) }
    let id = client.submit(Self.get, body: [])
    #expect(Answer(settle(client, server), id).status == 200)
    producer.sink?.write(Array("one".utf8))
    let first = Answer(settle(client, server), id)
    #expect(first.body == "one")
    #expect(!first.isComplete)
    producer.sink?.write(Array("two".utf8))
    producer.sink?.finish()
    let second = Answer(settle(client, server), id)
    #expect(second.body == "two")
    #expect(second.isComplete)
  }

  @Test(arguments: Kind.allCases) func `giving up a streamed answer stops its producer`(
    _ kind: Kind
  )
    throws
  {
    let producer = CountingProducer()
    let (client, server) = try kind.make { $0.respondStreaming(producer) }
    let id = client.submit(Self.get, body: [])
    _ = settle(client, server)
    client.cancel(id)
    let answer = Answer(settle(client, server), id)
    #expect(answer.resetCode == 8)
    if client.wantsClose { server.session.connectionEnded() }
    #expect(producer.stopCount == 1)
  }

  @Test(arguments: Kind.allCases) func `HEAD and 204 have no body`(_ kind: Kind) throws {
    let (client, server) = try kind.make()
    let head = client.submit(RequestHead(method: "HEAD", target: "/", authority: "a"), body: [])
    let get = client.submit(Self.get, body: [])
    let events = settle(client, server)
    #expect(Answer(events, head).isComplete)
    #expect(Answer(events, head).body.isEmpty)
    #expect(Answer(events, get).body == "/a")
  }

  @Test(arguments: Kind.allCases) func `the end of the connection resets what is open`(_ kind: Kind)
    throws
  {
    let (client, server) = try kind.make { _ in }
    let id = client.submit(Self.get, body: [])
    _ = settle(client, server)
    client.connectionEnded()
    let reset = Answer(client.takeEvents(), id).resetCode
    #expect(reset == 8)
    #expect(client.wantsClose)
    #expect(client.openRequestCount == 0)
  }

  @Test func `the server's stream limit holds requests back`() throws {
    var limits = SessionLimits()
    limits.initialStreamLimit = 3
    var held: [ServerStream] = []
    let server = try Exchange.http2(limits) { held.append($0) }
    let client = try HTTP2ClientSession(assumedStreamLimit: 1)
    for _ in 0..<8 { _ = client.submit(Self.get, body: []) }
    var resets = 0
    var answered = 0
    for _ in 0..<8 {
      for event in settle(client, server) {
        if case .reset = event { resets += 1 }
        if case .head = event { answered += 1 }
      }
      #expect(held.count <= 3)
      for stream in held { stream.respond() }
      held = []
    }
    #expect(resets == 0)
    #expect(answered == 8)
  }

  @Test func `GOAWAY is an event and waiting requests are reset`() throws {
    let (client, server) = try Kind.http2.make()
    _ = settle(client, server)
    server.session.goAway()
    let events = settle(client, server)
    #expect(
      events.contains {
        if case .goAway(0, 0, _) = $0 { true } else { false }
      })
    let id = client.submit(Self.get, body: [])
    let late = Answer(settle(client, server), id)
    #expect(late.resetCode == 7)
    #expect(client.openRequestCount == 0)
  }

  @Test func `HTTP 1.1 answers of every framing are read`() {
    let client = HTTP1ClientSession()
    let first = client.submit(Self.get, body: [])
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1000)
    #expect(output == Array("GET /a HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8))
    let second = client.submit(Self.get, body: [])
    feed(client, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    client.takeOutput(into: &output, limit: 1000)
    feed(client, "HTTP/1.0 200 OK\r\n\r\nuntil ")
    feed(client, "the close")
    client.connectionEnded()
    let events = client.takeEvents()
    #expect(Answer(events, first).body == "ok")
    #expect(Answer(events, second).body == "until the close")
    #expect(Answer(events, second).isComplete)
  }

  @Test func `an endless answer head fails the client`() {
    let client = HTTP1ClientSession()
    let id = client.submit(Self.get, body: [])
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1000)
    feed(client, "HTTP/1.1 200 OK\r\n" + String(repeating: "x: abcdefgh\r\n", count: 6000))
    #expect(client.failure != nil)
    #expect(client.wantsClose)
    #expect(Answer(client.takeEvents(), id).resetCode == 8)
  }

  private func feed(_ client: HTTP1ClientSession, _ text: String) {
    Array(text.utf8).withUnsafeBufferPointer { client.feed($0) }
  }
}
