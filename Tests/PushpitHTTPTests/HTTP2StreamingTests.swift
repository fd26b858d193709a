import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP2StreamingTests {
  /// An exchange whose only stream streams from `producer`.
  private func open(_ producer: CountingProducer) throws -> Exchange {
    let exchange = try Exchange.http2 { $0.respondStreaming(producer) }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request(method: "GET")))
    #expect(frames == [Frame(type: Frame.headers, flags: 4, stream: 1, payload: [0x88])])
    return exchange
  }

  @Test func `each write becomes a DATA frame and tells the connection`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    let count = exchange.serviceCount
    #expect(producer.sink?.write(Array("one".utf8)) == true)
    #expect(exchange.serviceCount == count + 1)
    #expect(Frame.split(exchange.serve()) == [.data(1, Array("one".utf8), end: false)])
    producer.sink?.write(Array("two".utf8))
    let sink = producer.sink
    sink?.finish()
    #expect(producer.stopCount == 1)
    #expect(sink?.write([1]) == false)
    #expect(Frame.split(exchange.serve()) == [.data(1, Array("two".utf8))])
    #expect(exchange.session.openStreamCount == 0)
  }

  @Test func `finish with nothing left sends an empty DATA frame`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    producer.sink?.finish()
    #expect(Frame.split(exchange.serve()) == [.data(1, [])])
    #expect(producer.stopCount == 1)
  }

  @Test func `a closed window keeps bytes back and counts them`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    producer.sink?.write(Array(repeating: 1, count: 100_000))
    #expect(exchange.serve().count > 65535)
    #expect(producer.sink?.bufferedByteCount == 100_000 - 65535)
    #expect(exchange.session.bufferedByteCount == 100_000 - 65535)
    #expect(exchange.receive(.windowUpdate(1, 10_000)).isEmpty)
    let more = exchange.receive(.windowUpdate(0, 10_000))
    #expect(more.reduce(0) { $0 + $1.payload.count } == 10_000)
    #expect(producer.sink?.bufferedByteCount == 100_000 - 75535)
    let rest = exchange.receive(.windowUpdate(0, 100_000), .windowUpdate(1, 100_000))
    #expect(rest.reduce(0) { $0 + $1.payload.count } == 100_000 - 75535)
    #expect(producer.sink?.bufferedByteCount == 0)
    #expect(exchange.session.bufferedByteCount == 0)
  }

  @Test func `output is taken in pieces of about the limit`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    producer.sink?.write(Array(repeating: 1, count: 60_000))
    var output: [UInt8] = []
    exchange.session.takeOutput(into: &output, limit: 1000)
    #expect(output.count == 16384 + 9)
  }

  @Test func `a reset by the peer stops the producer once`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    producer.sink?.write(Array(repeating: 1, count: 100_000))
    _ = exchange.serve()
    _ = exchange.receive(.reset(1))
    #expect(producer.stopCount == 1)
    #expect(exchange.session.bufferedByteCount == 0)
    exchange.session.connectionEnded()
    #expect(producer.stopCount == 1)
  }

  @Test func `a reset by the handler stops the producer once`() throws {
    let producer = CountingProducer()
    let exchange = try Exchange.http2 {
      $0.respondStreaming(producer)
      $0.reset(code: 2)
    }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request(method: "GET")))
    #expect(frames.last == .reset(1, code: 2))
    #expect(producer.stopCount == 1)
  }

  @Test func `the end of the connection stops every producer once`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    let sink = producer.sink
    exchange.session.connectionEnded()
    #expect(producer.stopCount == 1)
    #expect(sink?.write([1]) == false)
    #expect(exchange.session.wantsClose)
    exchange.session.connectionEnded()
    #expect(producer.stopCount == 1)
  }

  @Test func `a session that is dropped stops its producers`() throws {
    let producer = CountingProducer()
    _ = try open(producer)
    #expect(producer.stopCount == 1)
  }

  @Test func `a connection error stops every producer`() throws {
    let producer = CountingProducer()
    let exchange = try open(producer)
    _ = exchange.receive(.data(0, [1]))
    #expect(exchange.session.failure == .http2(code: 1))
    exchange.session.connectionEnded()
    #expect(producer.stopCount == 1)
  }

  @Test func `HEAD of a stream is answered and never produces`() throws {
    let producer = CountingProducer()
    let exchange = try Exchange.http2 { $0.respondStreaming(producer) }
    exchange.connect()
    let frames = exchange.receive(.headers(1, Frame.request(method: "HEAD")))
    #expect(frames.map(\.endsStream) == [true])
    #expect(producer.startCount == 0)
    #expect(producer.stopCount == 1)
  }
}
