import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP1ServerSessionTests {
  static let get = "GET /a HTTP/1.1\r\nhost: localhost\r\n\r\n"
  static let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n/a"

  @Test func `a request is answered and the connection stays`() {
    let exchange = Exchange.http1()
    #expect(exchange.receive(Self.get) == Self.answer)
    #expect(exchange.receive(Self.get) == Self.answer)
    #expect(!exchange.session.wantsClose)
    #expect(exchange.session.openStreamCount == 0)
  }

  @Test func `a request may come byte by byte`() {
    let exchange = Exchange.http1()
    let request = "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + Self.get
    var output: [UInt8] = []
    for byte in request.utf8 { output += exchange.receive([byte]) }
    let text = String(decoding: output, as: UTF8.self)
    #expect(text == "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n/pabc" + Self.answer)
  }

  @Test func `the head is handed out as it came`() {
    var head = RequestHead()
    let exchange = Exchange.http1 {
      head = $0.head
      $0.respond()
    }
    _ = exchange.receive("PUT /x?y=1 HTTP/1.1\r\nHost: Example:80\r\nX-A:  b \r\n\r\n")
    #expect(String(decoding: head.method, as: UTF8.self) == "PUT")
    #expect(String(decoding: head.target, as: UTF8.self) == "/x?y=1")
    #expect(String(decoding: head.authority, as: UTF8.self) == "Example:80")
    #expect(head.scheme.isEmpty)
    let pairs = head.fields.pairs.map { "\($0.name)=\($0.value)" }
    #expect(pairs == ["Host=Example:80", "X-A=b"])
  }

  @Test func `an absolute target gives authority and path`() {
    var head = RequestHead()
    let exchange = Exchange.http1 { head = $0.head }
    _ = exchange.receive("GET http://a.example:81?q HTTP/1.1\r\nhost: b\r\n\r\n")
    #expect(String(decoding: head.target, as: UTF8.self) == "/?q")
    #expect(String(decoding: head.authority, as: UTF8.self) == "a.example:81")
    #expect(String(decoding: head.scheme, as: UTF8.self) == "http")
  }

  @Test func `chunks are joined, extensions and trailers ignored`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive(
      "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: Chunked\r\n\r\n"
        + "3;a=\"b\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nx-sum: 1\r\n\r\n" + Self.get)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n/abc0123456789"))
    #expect(answer.hasSuffix(Self.answer))
  }

  @Test func `pipelined requests are answered in their order`() {
    var held: [ServerStream] = []
    let exchange = Exchange.http1 { held.append($0) }
    let requests = ["/1", "/2", "/3"].map { "GET \($0) HTTP/1.1\r\nhost: h\r\n\r\n" }.joined()
    #expect(exchange.receive(requests).isEmpty)
    #expect(held.map(\.id) == [1, 2, 3])
    held[2].respond(body: [0x33])
    held[1].respond(body: [0x32])
    #expect(exchange.serve().isEmpty)
    held[0].respond(body: [0x31])
    let bodies = String(decoding: exchange.serve(), as: UTF8.self).split(separator: "\r\n\r\n")
    #expect(bodies.map(\.first) == ["H", "1", "2", "3"])
  }

  @Test func `the pipeline is bounded and reads on when answers have gone`() {
    var limits = SessionLimits()
    limits.pipelineLimit = 4
    var handled = 0
    var isAnswering = false
    var held: [ServerStream] = []
    let exchange = Exchange.http1(limits) {
      handled += 1
      if isAnswering { Exchange.echo($0) } else { held.append($0) }
    }
    #expect(exchange.receive(String(repeating: Self.get, count: 10)).isEmpty)
    #expect(handled == 4)
    isAnswering = true
    for stream in held { Exchange.echo(stream) }
    let text = String(decoding: exchange.serve(), as: UTF8.self)
    #expect(handled == 10)
    #expect(text == String(repeating: Self.answer, count: 10))
  }

  @Test func `input that nobody reads is not wanted`() {
    let exchange = Exchange.http1 { _ in }
    #expect(exchange.session.wantsInput)
    for _ in 0..<40 { _ = exchange.receive(String(repeating: Self.get, count: 60)) }
    #expect(!exchange.session.wantsInput)
    #expect(exchange.session.openStreamCount == SessionLimits().pipelineLimit)
  }

  @Test func `100 Continue is sent when the body is wanted`() {
    let exchange = Exchange.http1()
    let head = "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n"
    #expect(exchange.receive(head) == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(exchange.receive("{}") == "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n/{}")
    #expect(exchange.receive(head + "{}").hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a body that is too long is refused without 100 Continue`() {
    var limits = SessionLimits()
    limits.bodyLimit = 10
    let exchange = Exchange.http1(limits)
    let answer = exchange.receive(
      "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 20\r\nexpect: 100-continue\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    #expect(answer.contains("connection: close"))
    #expect(exchange.session.wantsClose)
  }

  @Test(arguments: [
    "content-length: 20\r\n\r\n0123456789abcdefghij",
    "transfer-encoding: chunked\r\n\r\n8\r\n01234567\r\nc\r\n89abcdefghij\r\n0\r\n\r\n",
  ])
  func `a body over the limit is cut, completed and closes`(_ rest: String) {
    var limits = SessionLimits()
    limits.bodyLimit = 10
    var body: [UInt8] = []
    let exchange = Exchange.http1(limits) {
      body = $0.body
      Exchange.echo($0)
    }
    let answer = exchange.receive("POST / HTTP/1.1\r\nhost: h\r\n" + rest + Self.get)
    #expect(String(decoding: body, as: UTF8.self) == "0123456789")
    #expect(
      answer == "HTTP/1.1 413 Content Too Large\r\ncontent-length: 11\r\n"
        + "connection: close\r\n\r\n/0123456789")
    #expect(exchange.session.wantsClose)
  }

  @Test func `HEAD has the length and no body`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive("HEAD /a HTTP/1.1\r\nhost: h\r\n\r\n" + Self.get)
    #expect(answer == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n" + Self.answer)
  }

  @Test func `204 has neither length nor body`() {
    let exchange = Exchange.http1 {
      $0.response.reset(status: 204)
      $0.respond()
    }
    #expect(exchange.receive(Self.get) == "HTTP/1.1 204 No Content\r\n\r\n")
  }

  @Test func `connection: close is honoured`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive(
      "GET /a HTTP/1.1\r\nhost: h\r\nconnection: x, Close\r\n\r\n" + Self.get)
    #expect(answer == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n/a")
    #expect(exchange.session.wantsClose)
  }

  @Test func `HTTP 1.0 closes unless it asks to stay`() {
    let staying = Exchange.http1()
    let answer = staying.receive("GET /a HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
    #expect(answer == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\n/a")
    #expect(staying.receive("GET /a HTTP/1.0\r\n\r\n").contains("connection: close"))
    #expect(staying.session.wantsClose)
  }

  @Test func `Upgrade h2c is ignored`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive(
      "GET /a HTTP/1.1\r\nhost: h\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\n"
        + "http2-settings: AAMAAABkAAQAAP__\r\n\r\n")
    #expect(answer == Self.answer)
  }

  @Test func `raw bytes replace an answer and close`() {
    let exchange = Exchange.http1 { $0.respondRaw([0, 1, 2]) }
    #expect(exchange.receive(Array((Self.get + Self.get).utf8)) == [0, 1, 2])
    #expect(exchange.session.wantsClose)
  }

  @Test func `a reset closes without an answer`() {
    let exchange = Exchange.http1 { $0.reset(code: 2) }
    #expect(exchange.receive(Self.get).isEmpty)
    #expect(exchange.session.wantsClose)
  }

  @Test func `going away lets requests in progress finish`() {
    var held: ServerStream?
    let exchange = Exchange.http1 { held = $0 }
    _ = exchange.receive(Self.get)
    exchange.session.goAway()
    #expect(exchange.receive(Self.get).isEmpty)
    #expect(!exchange.session.wantsClose)
    held?.respond()
    let text = String(decoding: exchange.serve(), as: UTF8.self)
    #expect(text.contains("connection: close"))
    #expect(exchange.session.wantsClose)
  }

  @Test func `going away closes an idle connection at once`() {
    let exchange = Exchange.http1()
    exchange.session.goAway()
    #expect(exchange.session.wantsClose)
  }

  @Test func `going away finishes a request that is half read`() {
    let exchange = Exchange.http1()
    _ = exchange.receive("GET /a HTTP/1.1\r\n")
    #expect(exchange.session.isReadingHead)
    exchange.session.goAway()
    let answer = exchange.receive("host: h\r\n\r\n" + Self.get)
    #expect(answer == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n/a")
    #expect(exchange.session.wantsClose)
  }
}
