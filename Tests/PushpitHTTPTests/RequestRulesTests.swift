import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct RequestRulesTests {
  /// A request's fields and what is wrong, or special, with them.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var fields: [(String, String)]

    init(_ testDescription: String, _ fields: [(String, String)]) {
      self.testDescription = testDescription
      self.fields = fields
    }

    /// A valid request without one field and with others behind it.
    static func without(
      _ name: String, _ description: String, _ more: [(String, String)] = []
    ) -> Case {
      Case(description, Frame.request().filter { $0.0 != name } + more)
    }
  }

  static let valid: [Case] = [
    Case("a plain request", Frame.request()),
    .without(":scheme", "https: as firebase-admin-node writes it", [(":scheme", "https:")]).sorted,
    .without(":path", "a space in the path", [(":path", "/3/device/a b")]).sorted,
    .without(":path", "angle brackets in the path", [(":path", "/3/device/<token>")]).sorted,
    .without(":authority", "host for :authority (aioapns)", [("host", "localhost")]),
    Case("host equal to :authority", Frame.request([("host", "LOCALHOST")])),
    Case("host that differs from :authority", Frame.request([("host", "api.push.apple.com")])),
    Case("a space before a value", Frame.request([("x", " a")])),
    Case("a space after a value", Frame.request([("x", "bearer ")])),
    Case("te: trailers", Frame.request([("te", "trailers")])),
    Case(
      "a repeated content-length of one value",
      Frame.request([
        ("content-length", "0"), ("content-length", "0"),
      ])),
    Case("an empty value", Frame.request([("x", "")])),
    Case("a value with tab and bytes over 127", Frame.request([("x", "a\tbö")])),
    Case(
      "OPTIONS *",
      [
        (":method", "OPTIONS"), (":scheme", "https"), (":path", "*"), (":authority", "a"),
      ]),
    Case("CONNECT", [(":method", "CONNECT"), (":authority", "a:443")]),
    Case("pseudo-header fields in another order", Frame.request().reversed()),
  ]

  static let malformed: [Case] = [
    .without(":method", "no :method"), .without(":scheme", "no :scheme"),
    .without(":path", "no :path"), .without(":authority", "neither :authority nor host"),
    .without(":authority", "an empty host alone", [("host", "")]),
    Case("a second :path", Frame.request() + [(":path", "/")]),
    Case("an unknown pseudo-header field", Frame.request() + [(":status", "200")]),
    .without(":path", "a pseudo-header field after a regular one", [("x", "y"), (":path", "/")]),
    .without(":path", "an empty path", [(":path", "")]).sorted,
    .without(":path", "a path without a slash", [(":path", "3/device")]).sorted,
    .without(":path", "a path with a control character", [(":path", "/\u{1}")]).sorted,
    .without(":method", "a method that is no token", [(":method", "PO ST")]).sorted,
    .without(":scheme", "a scheme with two colons", [(":scheme", "https::")]).sorted,
    .without(":scheme", "http:", [(":scheme", "http:")]).sorted,
    .without(":authority", "user information", [(":authority", "me@localhost")]).sorted,
    Case("two host fields", Frame.request([("host", "localhost"), ("host", "localhost")])),
    Case("an upper-case name", Frame.request([("X-A", "b")])),
    Case("a name with a space", Frame.request([("x a", "b")])),
    Case("an empty name", Frame.request([("", "b")])),
    Case("connection", Frame.request([("connection", "close")])),
    Case("keep-alive", Frame.request([("keep-alive", "1")])),
    Case("proxy-connection", Frame.request([("proxy-connection", "close")])),
    Case("transfer-encoding", Frame.request([("transfer-encoding", "chunked")])),
    Case("upgrade", Frame.request([("upgrade", "h2c")])),
    Case("te: gzip", Frame.request([("te", "gzip")])),
    Case("a line feed in a value", Frame.request([("x", "a\nb")])),
    Case("a NUL late in a long value", Frame.request([("x", "0123456789abcdef\0")])),
    Case("DEL in a long value", Frame.request([("x", "01\u{7f}3456789abcdef")])),
    Case("a line feed after a value", Frame.request([("x", "a\n")])),
    Case("a content-length that is no number", Frame.request([("content-length", "-1")])),
    Case("two lengths", Frame.request([("content-length", "0"), ("content-length", "1")])),
    Case("a length without its body", Frame.request([("content-length", "3")])),
    Case(
      "CONNECT with a path",
      [
        (":method", "CONNECT"), (":authority", "a:443"), (":path", "/"),
      ]),
  ]

  @Test(arguments: valid) func `a valid request is answered`(_ test: Case) throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(.headers(1, test.fields))
    #expect(frames.first?.type == Frame.headers)
  }

  @Test(arguments: malformed)
  func `a malformed request is a stream error (RFC 9113 section 8.1.1)`(_ test: Case) throws {
    var handled = 0
    let exchange = try Exchange.http2 { _ in handled += 1 }
    exchange.connect()
    #expect(exchange.receive(.headers(1, test.fields)) == [.reset(1, code: 1)])
    #expect(handled == 0)
    #expect(exchange.session.openStreamCount == 0)
    exchange.handler = Exchange.echo
    #expect(exchange.receive(.headers(3, Frame.request())).count == 2)
  }

  @Test func `blanks around a value are cut, as httpx and the JDK do before they send`() throws {
    let exchange = try Exchange.http2 {
      let values = $0.head.fields.pairs.map { "[\($0.value)]" }
      $0.respond(body: Array(values.joined().utf8))
    }
    exchange.connect()
    let frames = exchange.receive(
      .headers(1, Frame.request([("a", "bearer "), ("b", "\t x y\t "), ("c", " \t"), ("d", "")])))
    #expect(String(decoding: frames.last?.payload ?? [], as: UTF8.self) == "[bearer][x y][][]")
  }

  // Senders copy `host: api.push.apple.com` from Apple's samples.
  @Test func `:authority wins over a host that differs`() throws {
    let exchange = try Exchange.http2 { $0.respond(body: $0.head.authority) }
    exchange.connect()
    let frames = exchange.receive(
      .headers(1, Frame.request([("host", "api.push.apple.com")])))
    #expect(String(decoding: frames.last?.payload ?? [], as: UTF8.self) == "localhost")
  }

  @Test func `the session tells what was wrong with the last refused request`() throws {
    var limits = SessionLimits()
    limits.headLimit = 400
    let exchange = try Exchange.http2(limits)
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request()))
    #expect(exchange.session.refusal == nil)
    _ = exchange.receive(.headers(3, Frame.request([("connection", "close")])))
    #expect(exchange.session.refusal == .oneHopField)
    _ = exchange.receive(.headers(5, Frame.request([("X-A", "b")])))
    #expect(exchange.session.refusal == .fieldName)
    let long = String(repeating: "x", count: 400)
    _ = exchange.receive(.headers(7, Frame.request([("x", long)])))
    #expect(exchange.session.refusal == .headTooLong)
  }

  @Test func `a content-length must equal the DATA`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let good = exchange.receive(
      .headers(1, Frame.request([("content-length", "3")]), end: false),
      .data(1, [1, 2], end: false), .data(1, [3]))
    #expect(good.first?.type == Frame.headers)
    let short = exchange.receive(
      .headers(3, Frame.request([("content-length", "3")]), end: false), .data(3, [1, 2]))
    #expect(short == [.reset(3, code: 1)])
    let long = exchange.receive(
      .headers(5, Frame.request([("content-length", "3")]), end: false), .data(5, [1, 2, 3, 4]))
    #expect(long == [.reset(5, code: 1)])
  }

  @Test func `trailers end a request and are not kept`() throws {
    let exchange = try Exchange.http2 {
      $0.respond(body: Array("\($0.head.fields.pairs.count)".utf8))
    }
    exchange.connect()
    let frames = exchange.receive(
      .headers(1, Frame.request([("a", "b")]), end: false), .data(1, [1], end: false),
      .headers(1, [("x-sum", "1")]))
    #expect(frames.last?.payload == Array("1".utf8))
  }

  @Test(arguments: [
    (fields: [("x", "y")], end: false), (fields: [(":path", "/")], end: true),
    (fields: [("connection", "close")], end: true), (fields: [("X", "y")], end: true),
  ])
  func `malformed trailers are a stream error`(_ test: (fields: [(String, String)], end: Bool))
    throws
  {
    let exchange = try Exchange.http2()
    exchange.connect()
    let frames = exchange.receive(
      .headers(1, Frame.request(), end: false), .headers(1, test.fields, end: test.end))
    #expect(frames == [.reset(1, code: 1)])
  }
}

extension RequestRulesTests.Case {
  /// The same fields with the pseudo-header fields first.
  fileprivate var sorted: Self {
    var copy = self
    copy.fields = fields.filter { $0.0.hasPrefix(":") } + fields.filter { !$0.0.hasPrefix(":") }
    return copy
  }
}
