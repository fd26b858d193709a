import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP1RequestParserTests {
  /// A request that must be refused, and with what.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let status: Int

    init(_ testDescription: String, _ text: String, _ status: Int = 400) {
      self.testDescription = testDescription
      self.text = text
      self.status = status
    }
  }

  static let start = "POST / HTTP/1.1\r\nhost: h\r\n"

  static let refused: [Case] = [
    Case("a bare line feed", "GET / HTTP/1.1\nhost: h\n\n"),
    Case("no version", "GET /\r\n"),
    Case("HTTP/0.9", "GET / HTTP/0.9\r\n", 505),
    Case("HTTP/2.0", "GET / HTTP/2.0\r\n", 505),
    Case("a malformed version", "GET / HTTP/1.1x\r\n"),
    Case("a lower-case version", "GET / http/1.1\r\n"),
    Case("an empty method", " / HTTP/1.1\r\n"),
    Case("a method that is no token", "G(T / HTTP/1.1\r\n"),
    Case("a space in the target", "GET /a b HTTP/1.1\r\n"),
    Case("a tab in the target", "GET /a\tb HTTP/1.1\r\n"),
    Case("two spaces", "GET  / HTTP/1.1\r\n"),
    Case("a target of another form", "GET example.com HTTP/1.1\r\n"),
    Case("an unknown scheme", "GET ftp://a/ HTTP/1.1\r\n"),
    Case("bytes that are no text", "\u{16}\u{3}\u{1}"),
    Case("too many empty lines", String(repeating: "\r\n", count: 5)),
    Case("no host", "GET / HTTP/1.1\r\n\r\n"),
    Case("two hosts", "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n"),
    Case("a host with a space", "GET / HTTP/1.1\r\nhost: a b\r\n\r\n"),
    Case("a folded line", start + "x: a\r\n b\r\n\r\n"),
    Case("a folded first line", "GET / HTTP/1.1\r\n host: h\r\n\r\n"),
    Case("a space before the colon", start + "x : a\r\n\r\n"),
    Case("a field without a colon", start + "x\r\n\r\n"),
    Case("a field without a name", start + ": a\r\n\r\n"),
    Case("a carriage return in a value", start + "x: a\rb\r\n\r\n"),
    Case("a NUL in a value", start + "x: a\0b\r\n\r\n"),
    Case("a negative length", start + "content-length: -1\r\n\r\n"),
    Case("a length with a sign", start + "content-length: +1\r\n\r\n"),
    Case("a list of lengths", start + "content-length: 1, 1\r\n\r\n"),
    Case("two lengths", start + "content-length: 1\r\ncontent-length: 1\r\n\r\n"),
    Case("a huge length", start + "content-length: 9999999999999999999\r\n\r\n"),
    Case("an empty length", start + "content-length:\r\n\r\n"),
    Case("length and encoding", start + "content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n"),
    Case("encoding and length", start + "transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n"),
    Case(
      "chunked twice", start + "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n"),
    Case("another encoding", start + "transfer-encoding: gzip, chunked\r\n\r\n", 501),
    Case("chunked in HTTP/1.0", "POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n"),
    Case("a head that is too long", start + "x: " + String(repeating: "a", count: 16384), 431),
    Case("too many fields", start + String(repeating: "x: abcdefgh\r\n", count: 2000), 431),
    Case("a target that is too long", "GET /" + String(repeating: "a", count: 16384), 414),
    Case("a chunk size that is no number", chunked("x\r\n")),
    Case("an empty chunk size", chunked("\r\n")),
    Case("a huge chunk size", chunked("1000000000000000\r\n")),
    Case("a chunk longer than its size", chunked("1\r\nab\r\n")),
    Case("a chunk line that is too long", chunked("1;" + String(repeating: "a", count: 1024))),
    Case("a bare line feed after a chunk size", chunked("1\n")),
    Case(
      "trailers that are too long", chunked("0\r\nx: " + String(repeating: "a", count: 16384)), 431),
    Case("a malformed trailer", chunked("0\r\nx\r\n")),
  ]

  static func chunked(_ rest: String) -> String {
    start + "transfer-encoding: chunked\r\n\r\n" + rest
  }

  @Test(arguments: refused) func `a bad request is refused and closes`(_ test: Case) {
    var handled = 0
    let exchange = Exchange.http1 { _ in handled += 1 }
    let answer = exchange.receive(test.text)
    #expect(answer.hasPrefix("HTTP/1.1 \(test.status) "))
    #expect(answer.hasSuffix("content-length: 0\r\nconnection: close\r\n\r\n"))
    #expect(handled == 0)
    #expect(exchange.session.failure == .http1(status: test.status))
    #expect(exchange.session.wantsClose)
  }

  @Test(arguments: refused) func `it is refused byte by byte likewise`(_ test: Case) {
    let exchange = Exchange.http1 { _ in }
    var output: [UInt8] = []
    for byte in test.text.utf8 { output += exchange.receive([byte]) }
    #expect(output.starts(with: "HTTP/1.1 \(test.status) ".utf8))
  }

  @Test func `answers before a bad request are sent first`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive(HTTP1ServerSessionTests.get + "bad\r\n")
    #expect(answer.hasPrefix(HTTP1ServerSessionTests.answer + "HTTP/1.1 400 Bad Request"))
  }

  @Test func `an empty line before a request is skipped`() {
    let exchange = Exchange.http1()
    let answer = exchange.receive("\r\n" + HTTP1ServerSessionTests.get)
    #expect(answer == HTTP1ServerSessionTests.answer)
  }

  @Test func `a higher minor version is read as 1.1`() {
    let exchange = Exchange.http1()
    #expect(
      exchange.receive("GET /a HTTP/1.9\r\nhost: h\r\n\r\n") == HTTP1ServerSessionTests.answer)
  }
}
