import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

/// What RFC 9113 demands of a server, for the cases that our options of nghttp2 could change.
@Suite struct HTTP2ConformanceTests {
  /// How a server must take offence.
  enum Verdict: Equatable {
    case connection(UInt32)
    case stream(UInt32)
    case none
  }

  /// Frames after the connection was set up, with stream 1 answered and stream 3 open.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frames: [Frame]
    let verdict: Verdict

    init(_ testDescription: String, _ frames: Frame..., expects verdict: Verdict) {
      self.testDescription = testDescription
      self.frames = frames
      self.verdict = verdict
    }
  }

  static let big = [UInt8](repeating: 0, count: 16385)

  static let cases: [Case] = [
    Case("5.5: an unknown frame", Frame(type: 0x16, payload: [1, 2]), expects: .none),
    Case("6.7: PING is answered", Frame(type: 6, payload: big.dropLast(16377)), expects: .none),
    Case(
      "6.7: a PING on a stream", Frame(type: 6, stream: 3, payload: Array(big.prefix(8))),
      expects: .connection(1)),
    Case(
      "6.7: a PING of 6 bytes", Frame(type: 6, payload: Array(big.prefix(6))),
      expects: .connection(6)),
    Case("4.2: a frame over MAX_FRAME_SIZE", .data(3, big), expects: .connection(6)),
    Case(
      "4.3: a block that is no HPACK",
      Frame(type: 1, flags: 5, stream: 5, payload: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      expects: .connection(9)),
    Case("5.1: DATA on an idle stream", .data(5, []), expects: .connection(1)),
    Case("5.1: RST_STREAM on an idle stream", .reset(5), expects: .connection(1)),
    Case("5.1: WINDOW_UPDATE on an idle stream", .windowUpdate(5, 1), expects: .connection(1)),
    Case(
      "6.10: CONTINUATION without HEADERS", Frame(type: 9, flags: 4, stream: 3),
      expects: .connection(1)),
    Case(
      "6.10: another frame inside a header block",
      Frame(type: 1, flags: 1, stream: 5), .data(3, []), expects: .connection(1)),
    Case(
      "5.1: DATA after END_STREAM", .headers(5, Frame.request()), .data(5, []),
      expects: .connection(5)),
    Case(
      "5.1: HEADERS after END_STREAM", .headers(5, Frame.request()), .headers(5, [("a", "b")]),
      expects: .connection(5)),
    Case("5.1: DATA on a stream that we closed", .data(1, [1]), expects: .none),
    Case("5.1: WINDOW_UPDATE on a closed stream", .windowUpdate(1, 1), expects: .none),
    Case("5.1.1: an even stream", .headers(4, Frame.request()), expects: .connection(1)),
    Case(
      "5.3: a stream that depends on itself",
      Frame(type: 2, stream: 5, payload: [0, 0, 0, 5, 1]), expects: .connection(1)),
    Case("6.1: DATA on stream 0", .data(0, []), expects: .connection(1)),
    Case(
      "6.1: padding longer than the frame",
      Frame(type: 0, flags: 8, stream: 3, payload: [5, 1]), expects: .connection(1)),
    Case("6.2: HEADERS on stream 0", .headers(0, Frame.request()), expects: .connection(1)),
    Case(
      "6.4: RST_STREAM of 3 bytes", Frame(type: 3, stream: 3, payload: [0, 0, 0]),
      expects: .connection(6)),
    Case("6.5: SETTINGS on a stream", Frame(type: 4, stream: 3), expects: .connection(1)),
    Case("6.5: SETTINGS of 3 bytes", Frame(type: 4, payload: [0, 0, 0]), expects: .connection(6)),
    Case(
      "6.5.2: ENABLE_PUSH 2", Frame(type: 4, payload: [0, 2, 0, 0, 0, 2]),
      expects: .connection(1)),
    Case(
      "6.5.2: a window of 2^31", Frame(type: 4, payload: [0, 4, 0x80, 0, 0, 0]),
      expects: .connection(3)),
    Case(
      "6.5.2: MAX_FRAME_SIZE 16383", Frame(type: 4, payload: [0, 5, 0, 0, 0x3f, 0xff]),
      expects: .connection(1)),
    Case(
      "6.5.2: an unknown setting", Frame(type: 4, payload: [0, 0xff, 0, 0, 0, 1]),
      expects: .none),
    Case(
      "8.4: PUSH_PROMISE from a client",
      Frame(type: 5, flags: 4, stream: 3, payload: [0, 0, 0, 2]), expects: .connection(1)),
    Case("6.9: a WINDOW_UPDATE of 0", .windowUpdate(0, 0), expects: .connection(1)),
    Case("6.9.1: a window beyond 2^31 - 1", .windowUpdate(0, 0x7fff_ffff), expects: .connection(3)),
  ]

  @Test(arguments: cases) func `the server takes offence as RFC 9113 says`(_ test: Case) throws {
    var held: [ServerStream] = []
    let exchange = try Exchange.http2 { held.append($0) }
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request()))
    held.first?.respond()
    _ = exchange.serve()
    _ = exchange.receive(.headers(3, Frame.request(), end: false))
    let answer = Frame.split(exchange.receive(test.frames.flatMap(\.bytes)))
    let verdict: Verdict =
      if let goAway = answer.first(where: { $0.type == Frame.goAway }) {
        .connection(goAway.code)
      } else if let reset = answer.first(where: { $0.type == Frame.reset }) {
        .stream(reset.code)
      } else {
        .none
      }
    #expect(verdict == test.verdict)
    guard case .connection(let code) = verdict else { return }
    #expect(exchange.session.failure == .http2(code: code))
  }
}
