import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP2ServerSessionTests {
  // Captures of 2017 and 2021 have these five entries in this order.
  @Test func `the first SETTINGS frame is Apple's, byte for byte`() throws {
    var limits = SessionLimits()
    limits.initialStreamLimit = 1
    let frames = try Exchange.http2(limits).connect()
    let settings = try #require(frames.first)
    #expect(settings.type == Frame.settings && settings.flags == 0)
    let expected: [UInt8] = [
      0, 1, 0, 0, 0x10, 0, 0, 3, 0, 0, 0, 1, 0, 4, 0, 0, 0xff, 0xff, 0, 5, 0, 0, 0x40, 0,
      0, 6, 0, 0, 0x1f, 0x40,
    ]
    #expect(settings.payload == expected)
    #expect(FirstSettings.frame(streamLimit: 1) == settings.bytes)
  }

  @Test func `a changed stream limit is a SETTINGS frame of its own with that entry alone`() throws
  {
    let exchange = try Exchange.http2()
    exchange.connect()
    exchange.session.setStreamLimit(1000)
    #expect(exchange.serviceCount == 1)
    let sent = Frame.split(exchange.serve())
    #expect(sent == [Frame(type: Frame.settings, payload: [0, 3, 0, 0, 3, 0xe8])])
  }

  @Test func `a request that comes before our SETTINGS is answered`() throws {
    let exchange = try Exchange.http2()
    let request = Frame.headers(1, Frame.request()).bytes
    let frames = Frame.split(
      exchange.receive(Frame.preface + Frame(type: Frame.settings).bytes + request))
    #expect(frames.map(\.type) == [Frame.settings, Frame.settings, Frame.headers, Frame.data])
  }

  @Test func `host stands in for a missing authority`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    var authority = ""
    exchange.handler = { stream in
      authority = String(decoding: stream.head.authority, as: UTF8.self)
      stream.respond()
    }
    let fields = [
      (":method", "POST"), (":scheme", "https"), (":path", "/"), ("host", "api.push.apple.com"),
    ]
    #expect(exchange.receive(.headers(1, fields)).map(\.type) == [Frame.headers])
    #expect(authority == "api.push.apple.com")
  }

  @Test func `a frame with PRIORITY and a first stream of 3 work, as pushy sends them`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(.headers(3, Frame.request(), priority: true))
    #expect(frames.map(\.stream) == [3, 3])
  }

  @Test func `an empty DATA frame ends a request, as httpx sends it`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(
      .headers(1, Frame.request(), end: false), .data(1, Array("{}".utf8), end: false),
      .data(1, []))
    #expect(frames.last?.payload == Array("/3/device/00{}".utf8))
  }

  @Test func `an answer without a body is one HEADERS frame that ends the stream`() throws {
    let exchange = try Exchange.http2 { $0.respond() }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request()))
    #expect(frames == [Frame(type: Frame.headers, flags: 5, stream: 1, payload: [0x88])])
  }

  @Test func `an answer with a body is one HEADERS and one DATA frame`() throws {
    let exchange = try Exchange.http2 { $0.respond(body: Array("{}".utf8)) }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request()))
    #expect(frames.map(\.flags) == [Frame.endHeaders, Frame.endStream])
    #expect(frames.last?.payload == Array("{}".utf8))
  }

  @Test func `the first apns-id is indexed and later ones are never indexed (observed 2018)`()
    throws
  {
    let exchange = try Exchange.http2 {
      $0.response.fields.append("apns-id", Array("ABC".utf8))
      $0.respond()
    }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request()), .headers(3, Frame.request()))
    #expect(frames.map(\.type) == [Frame.headers, Frame.headers])
    // Literal with incremental indexing and a new name; then never indexed with an indexed name.
    #expect(frames.first?.payload.prefix(2) == [0x88, 0x40])
    let later = Array(frames.last?.payload.prefix(3) ?? [])
    #expect(later == [0x88, 0x1f, 47])
  }

  @Test func `a response head without a field of ours carries none`() throws {
    let exchange = try Exchange.http2 { $0.respond(body: [1]) }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request(method: "GET")))
    #expect(frames.first?.payload == [0x88])
  }

  @Test func `HEAD is answered without a body`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request(method: "HEAD")))
    #expect(frames.map(\.type) == [Frame.headers])
    #expect(frames.first?.endsStream == true)
  }

  @Test func `what is not a preface fails the session`() throws {
    let exchange = try Exchange.http2()
    _ = exchange.receive("GET of something else entirely\r\n")
    #expect(exchange.session.failure == .notHTTP2)
    #expect(exchange.session.wantsClose)
  }

  // Observed at Apple's with curl in 2019 and July 2026.
  @Test func `HTTP/1.x in place of a preface gets SETTINGS and GOAWAY`() throws {
    let exchange = try Exchange.http2()
    let bytes = exchange.receive(Array("GET /3/device/ HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8))
    let frames = Frame.split(bytes)
    #expect(frames.map(\.type) == [Frame.settings, Frame.goAway])
    let payload = frames.last?.payload ?? []
    #expect(payload.prefix(8) == [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1])
    #expect(
      String(decoding: payload.dropFirst(8), as: UTF8.self)
        == "Unexpected HTTP/1.x request: GET /3/device/ ")
    #expect(exchange.session.failure == .http1InHTTP2)
    #expect(exchange.session.wantsClose)
  }

  @Test func `a connection error goes out as GOAWAY and is the session's failure`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(.data(1, []))
    #expect(frames.map(\.type) == [Frame.goAway])
    #expect(exchange.session.failure == .http2(code: 1))
    #expect(exchange.session.wantsClose)
  }

  @Test func `after GOAWAY open streams finish and the connection wants to close`() throws {
    var held: ServerStream?
    let exchange = try Exchange.http2 { held = $0 }
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request()))
    exchange.session.goAway()
    let frames = Frame.split(exchange.serve())
    #expect(frames == [Frame(type: Frame.goAway, payload: [0, 0, 0, 1, 0, 0, 0, 0])])
    #expect(!exchange.session.wantsClose)
    #expect(exchange.receive(.headers(3, Frame.request())).isEmpty)
    held?.respond()
    #expect(Frame.split(exchange.serve()).map(\.type) == [Frame.headers])
    #expect(exchange.session.wantsClose)
  }

  @Test func `a raw frame goes out after what was pending and before what follows`() throws {
    let session = try HTTP2ServerSession(resources: SessionResources(), limits: SessionLimits())
    let exchange = Exchange(session)
    exchange.connect()
    exchange.handler = { stream in
      stream.respond(body: [1])
      let goAway = Frame(type: Frame.goAway, payload: Array(repeating: 0, count: 8))
      session.appendRawFrame(goAway.bytes)
    }
    let frames = exchange.receive(.headers(1, Frame.request()), .headers(3, Frame.request()))
    #expect(frames.map(\.type) == [1, 0, 7, 1, 0, 7])
    #expect(!session.wantsClose)
    #expect(session.failure == nil)
  }
}
