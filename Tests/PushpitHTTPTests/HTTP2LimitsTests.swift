import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP2LimitsTests {
  /// A handler that never answers.
  static func keep(_ stream: ServerStream) {}

  @Test func `before the first acknowledgement only the cap holds`() throws {
    var limits = SessionLimits()
    limits.initialStreamLimit = 1
    limits.streamCap = 3
    let exchange = try Exchange.http2(limits, handler: Self.keep)
    _ = exchange.receive(Frame.preface + Frame(type: Frame.settings).bytes)
    for id: UInt32 in [1, 3, 5] { #expect(exchange.receive(.headers(id, Frame.request())).isEmpty) }
    let refused = exchange.receive(.headers(7, Frame.request()))
    #expect(refused == [.reset(7, code: 7)])
    #expect(exchange.session.openStreamCount == 3)
  }

  @Test func `a stream over the acknowledged limit is refused alone and unread`() throws {
    var limits = SessionLimits()
    limits.initialStreamLimit = 1
    var bodies: [[UInt8]] = []
    var first: ServerStream?
    let exchange = try Exchange.http2(limits) {
      bodies.append($0.body)
      first = first ?? $0
    }
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request(), end: false), .data(1, [1]))
    let refused = exchange.receive(.headers(3, Frame.request(), end: false), .data(3, [2]))
    #expect(refused == [.reset(3, code: 7)])
    #expect(exchange.session.refusedStreamCount == 1)
    first?.respond()
    #expect(Frame.split(exchange.serve()).map(\.stream) == [1])
    _ = exchange.receive(.headers(5, Frame.request(), end: false), .data(5, [3]))
    #expect(bodies == [[1], [3]])
    #expect(exchange.session.failure == nil)
  }

  @Test func `raising the limit counts when sent and lowering when acknowledged`() {
    var limit = HTTP2StreamLimit(cap: 2000)
    limit.submit(1)
    #expect(limit.enforced == 2000)
    limit.acknowledge()
    #expect(limit.enforced == 1)
    limit.submit(1000)
    #expect(limit.enforced == 1000)
    limit.submit(5)
    #expect(limit.enforced == 1000)
    limit.acknowledge()
    #expect(limit.enforced == 1000)
    limit.acknowledge()
    #expect(limit.enforced == 5)
    limit.acknowledge()
    #expect(limit.enforced == 5)
    limit.submit(100_000)
    #expect(limit.enforced == 2000)
  }

  @Test func `a peer that acknowledges no change of the limit is told so and left`() throws {
    let exchange = try Exchange.http2(SessionLimits(), handler: Self.keep)
    exchange.connect()
    for limit in 1...HTTP2StreamLimit.pendingLimit { exchange.session.setStreamLimit(limit) }
    #expect(exchange.session.failure == nil)
    exchange.session.setStreamLimit(1)
    // RFC 9113 section 6.5.3: SETTINGS_TIMEOUT.
    #expect(exchange.session.failure == .http2(code: 4))
  }

  @Test func `a header list over 16 KiB is answered with 431 and the connection lives`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let big = Frame.request([("x-big", String(repeating: "x", count: 16 * 1024))])
    let frame = Frame.headers(1, big, end: false)
    var first = frame
    first.flags = 0
    first.payload = Array(frame.payload.prefix(16000))
    let rest = Frame(
      type: 9, flags: Frame.endHeaders, stream: 1, payload: Array(frame.payload.dropFirst(16000)))
    let answer = exchange.receive(first, rest, .data(1, [1, 2, 3], end: false))
    #expect(answer.map(\.type) == [Frame.headers])
    #expect(answer.first?.endsStream == true)
    // `:status` with an indexed name and the three digits, Huffman-coded or not.
    #expect(answer.first?.payload.first == 0x48)
    #expect(exchange.receive(.data(1, [4])).isEmpty)
    #expect(exchange.session.openStreamCount == 0)
    #expect(exchange.receive(.headers(3, Frame.request())).last?.endsStream == true)
  }

  @Test func `a header list of just under 16 KiB passes`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let fields = Frame.request([("x-big", String(repeating: "x", count: 16 * 1024 - 400))])
    #expect(exchange.receive(.headers(1, fields)).count == 2)
  }

  @Test func `a body over the limit is cut, swallowed and completed`() throws {
    var limits = SessionLimits()
    limits.bodyLimit = 100_000
    var seen: (count: Int, isCut: Bool)?
    let exchange = try Exchange.http2(limits) {
      seen = ($0.body.count, $0.isBodyCut)
      $0.respond()
    }
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request(), end: false))
    var windowUpdates = 0
    for index in 0..<20 {
      let frames = exchange.receive(
        .data(1, Array(repeating: 7, count: 16384), end: index == 19))
      windowUpdates += frames.filter { $0.type == Frame.windowUpdate }.count
    }
    #expect(seen?.count == 100_000)
    #expect(seen?.isCut == true)
    #expect(windowUpdates > 4)
  }

  @Test func `bodies that pass the connection's limit together end their stream`() throws {
    var limits = SessionLimits()
    limits.connectionBodyLimit = 1000
    let exchange = try Exchange.http2(limits, handler: Self.keep)
    exchange.connect()
    _ = exchange.receive(.headers(1, Frame.request(), end: false))
    _ = exchange.receive(.data(1, Array(repeating: 0, count: 900), end: false))
    _ = exchange.receive(.headers(3, Frame.request(), end: false))
    let frames = exchange.receive(.data(3, Array(repeating: 0, count: 200)))
    #expect(frames == [.reset(3, code: 11)])
  }

  @Test func `rapid resets of unanswered streams end the connection`() throws {
    var limits = SessionLimits()
    limits.resetLimit = 10
    let exchange = try Exchange.http2(limits, handler: Self.keep)
    exchange.connect()
    var frames: [Frame] = []
    for index: UInt32 in 0..<11 {
      frames += exchange.receive(
        .headers(2 * index + 1, Frame.request()), .reset(2 * index + 1))
    }
    #expect(frames.map(\.type) == [Frame.goAway])
    #expect(frames.last?.code == 11)
    #expect(exchange.session.failure == .http2(code: 11))
    #expect(exchange.session.wantsClose)
  }

  @Test func `resets of answered streams do not count (APNSwift, 807 of 2,000)`() throws {
    var limits = SessionLimits()
    limits.resetLimit = 10
    let exchange = try Exchange.http2(limits)
    exchange.connect()
    for index: UInt32 in 0..<200 {
      // The answer waits in the session when the reset comes: no window for it.
      let frames = exchange.receive(.headers(2 * index + 1, Frame.request()))
      #expect(frames.last?.endsStream == true)
      #expect(exchange.receive(.reset(2 * index + 1)).isEmpty)
    }
    #expect(exchange.session.failure == nil)
  }

  @Test func `more acknowledgements than the peer reads fail the session`() throws {
    let exchange = try Exchange.http2()
    exchange.connect()
    let ping = Frame(type: 6, payload: Array(repeating: 0, count: 8))
    _ = exchange.receive(Array(repeating: ping.bytes, count: 2000).flatMap(\.self))
    #expect(exchange.session.failure == .flooded)
    #expect(exchange.session.wantsClose)
  }

  @Test func `a stream that nobody keeps is used again`() throws {
    let resources = SessionResources()
    let exchange = Exchange(try HTTP2ServerSession(resources: resources, limits: SessionLimits()))
    exchange.connect()
    for id in stride(from: UInt32(1), to: 20, by: 2) {
      _ = exchange.receive(.headers(id, Frame.request(), end: false), .data(id, [1, 2]))
      #expect(resources.pooledStreams.count == 1)
    }
    let unused = try #require(resources.pooledStreams.first)
    #expect(unused.body.isEmpty && unused.outbound.isEmpty && unused.head.fields.entries.isEmpty)
    #expect(!unused.isBodyCut && !unused.isAnswered && !unused.isFinished)
    #expect(unused.owner == nil && unused.http2.receivedCount == 0)
  }

  @Test func `a stream that a handler keeps never carries another request`() throws {
    var held: [ServerStream] = []
    let exchange = try Exchange.http2 { held.append($0) }
    exchange.connect()
    for id: UInt32 in [1, 5, 9] {
      _ = exchange.receive(.headers(id, Frame.request(path: "/\(id)")))
      _ = exchange.receive(.reset(id))
      _ = exchange.receive(.headers(id + 2, Frame.request(path: "/\(id + 2)")))
      held.last?.respond()
      _ = exchange.serve()
    }
    #expect(held.map(\.id) == [1, 3, 5, 7, 9, 11])
    #expect(held.allSatisfy { !$0.isOpen })
    for stream in held { stream.respond(body: [1]) }
    #expect(exchange.serve().isEmpty)
  }
}
