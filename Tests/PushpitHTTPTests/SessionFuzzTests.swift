import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct SessionFuzzTests {
  /// SplitMix64: a seed gives the same bytes everywhere.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
      return value ^ value >> 31
    }
  }

  static let seeds = Array(UInt64(1)...8)
  static let roundCount = 300
  /// More than any of the inputs can make a session hold.
  static let bufferBound = 1 << 20

  @Test(arguments: seeds) func `mutated HTTP 2 never traps and stays bounded`(_ seed: UInt64) throws
  {
    var random = Generator(state: seed)
    let valid = Self.http2Stream()
    for _ in 0..<Self.roundCount {
      var limits = SessionLimits()
      limits.bodyLimit = Int.random(in: 0...2000, using: &random)
      let exchange = try Exchange.http2(limits, handler: Self.handler(random.next()))
      feed(Self.mutated(valid, keeping: Frame.preface.count, &random), exchange, &random)
    }
  }

  @Test(arguments: seeds) func `mutated HTTP 1.1 never traps and stays bounded`(_ seed: UInt64) {
    var random = Generator(state: seed)
    for _ in 0..<Self.roundCount {
      var limits = SessionLimits()
      limits.bodyLimit = Int.random(in: 0...20, using: &random)
      let exchange = Exchange.http1(limits, handler: Self.handler(random.next()))
      feed(Self.mutated(Self.http1Stream, keeping: 0, &random), exchange, &random)
    }
  }

  @Test(arguments: seeds) func `mutated answers never trap a client`(_ seed: UInt64) throws {
    var random = Generator(state: seed)
    let answers = Self.http1Answers
    for _ in 0..<Self.roundCount {
      let client = HTTP1ClientSession()
      for _ in 0..<4 {
        _ = client.submit(RequestHead(method: "GET", target: "/", authority: "a"), body: [])
      }
      for piece in Self.split(Self.mutated(answers, keeping: 0, &random), &random) {
        var output: [UInt8] = []
        client.takeOutput(into: &output, limit: 1000)
        piece.withUnsafeBufferPointer { client.feed($0) }
      }
      client.connectionEnded()
      #expect(client.openRequestCount == 0)
    }
  }

  @Test(arguments: seeds) func `splitting valid HTTP 2 anywhere changes nothing`(_ seed: UInt64)
    throws
  {
    var random = Generator(state: seed)
    let whole = try Exchange.http2()
    let expected = Frame.split(whole.receive(Self.http2Stream()))
    let exchange = try Exchange.http2()
    var output: [UInt8] = []
    for piece in Self.split(Self.http2Stream(), &random) { output += exchange.receive(piece) }
    #expect(Self.payloads(Frame.split(output)) == Self.payloads(expected))
  }

  private func feed(_ bytes: [UInt8], _ exchange: Exchange, _ random: inout Generator) {
    for piece in Self.split(bytes, &random) where !exchange.session.wantsClose {
      let output = exchange.receive(piece)
      #expect(output.count < Self.bufferBound)
      #expect(exchange.session.bufferedByteCount < Self.bufferBound)
      #expect(exchange.session.openStreamCount <= SessionLimits().streamCap)
    }
    exchange.session.connectionEnded()
    #expect(exchange.session.openStreamCount == 0)
  }

  /// Answers at once, never, in a stream, or with a reset, by the bits of a number.
  private static func handler(_ bits: UInt64) -> (ServerStream) -> Void {
    var bits = bits
    var held: [ServerStream] = []
    return { stream in
      bits = bits >> 2 | bits << 62
      switch bits & 3 {
      case 0: held.append(stream)
      case 1: stream.respondStreaming(CountingProducer())
      case 2: stream.reset(code: 2)
      default: Exchange.echo(stream)
      }
      if held.count > 3 { Exchange.echo(held.removeFirst()) }
    }
  }

  /// What was answered on each stream; in which order the frames of streams come does not matter.
  private static func payloads(_ frames: [Frame]) -> [UInt32: [UInt8]] {
    frames.filter { $0.type < 2 }.reduce(into: [:]) { $0[$1.stream, default: []] += $1.payload }
  }

  private static func http2Stream() -> [UInt8] {
    var frames = [Frame(type: Frame.settings), .settingsAck]
    for id in stride(from: UInt32(1), to: 40, by: 4) {
      frames.append(.headers(id, Frame.request([("content-length", "5")]), end: false))
      frames.append(.data(id, Array("he".utf8), end: false))
      frames.append(.data(id, Array("llo".utf8)))
      frames.append(.headers(id + 2, Frame.request(), priority: true))
      frames.append(.windowUpdate(0, 100))
    }
    frames.append(Frame(type: 6, payload: Array(repeating: 1, count: 8)))
    return Frame.preface + frames.flatMap(\.bytes)
  }

  private static let http1Stream = Array(
    (HTTP1ServerSessionTests.get
      + "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\nhello world"
      + HTTP1RequestParserTests.chunked("5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nt: u\r\n\r\n")
      + "HEAD http://h/p?q HTTP/1.1\r\nhost: h\r\nconnection: keep-alive\r\n\r\n"
      + "GET / HTTP/1.0\r\n\r\n").utf8)

  private static let http1Answers = Array(
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
      + "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      + "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.0 200 OK\r\n\r\nthe rest").utf8)

  private static func mutated(
    _ bytes: [UInt8], keeping kept: Int, _ random: inout Generator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > kept + 20 {
      let index = Int.random(in: kept..<bytes.count - 16, using: &random)
      let end = index + Int.random(in: 1...16, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(index..<end)
      case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      }
    }
    return bytes
  }

  private static func split(_ bytes: [UInt8], _ random: inout Generator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return pieces
  }
}
