import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct HTTP1StreamingTests {
  @Test func `a stream is sent in chunks and the connection stays`() {
    let producer = CountingProducer()
    let exchange = Exchange.http1 { $0.respondStreaming(producer) }
    let head = exchange.receive(HTTP1ServerSessionTests.get)
    #expect(head == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    producer.sink?.write(Array("data: 0123456789\n\n".utf8))
    #expect(producer.sink?.bufferedByteCount == 4 + 18 + 2)
    let chunk = String(decoding: exchange.serve(), as: UTF8.self)
    #expect(chunk == "12\r\ndata: 0123456789\n\n\r\n")
    #expect(producer.sink?.bufferedByteCount == 0)
    producer.sink?.finish()
    #expect(String(decoding: exchange.serve(), as: UTF8.self) == "0\r\n\r\n")
    #expect(producer.stopCount == 1)
    #expect(!exchange.session.wantsClose)
    exchange.handler = Exchange.echo
    #expect(exchange.receive(HTTP1ServerSessionTests.get) == HTTP1ServerSessionTests.answer)
  }

  @Test func `HTTP 1.0 streams until the close`() {
    let producer = CountingProducer()
    let exchange = Exchange.http1 { $0.respondStreaming(producer) }
    let head = exchange.receive("GET / HTTP/1.0\r\n\r\n")
    #expect(head == "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
    producer.sink?.write(Array("abc".utf8))
    producer.sink?.finish()
    #expect(exchange.serve() == Array("abc".utf8))
    #expect(exchange.session.wantsClose)
  }

  @Test func `HEAD of a stream is answered and never produces`() {
    let producer = CountingProducer()
    let exchange = Exchange.http1 { $0.respondStreaming(producer) }
    #expect(exchange.receive("HEAD / HTTP/1.1\r\nhost: h\r\n\r\n") == "HTTP/1.1 200 OK\r\n\r\n")
    #expect(producer.startCount == 0)
    #expect(producer.stopCount == 1)
  }

  @Test func `the end of the connection stops the producer once`() {
    let producer = CountingProducer()
    let exchange = Exchange.http1 { $0.respondStreaming(producer) }
    _ = exchange.receive(HTTP1ServerSessionTests.get)
    let sink = producer.sink
    exchange.session.connectionEnded()
    exchange.session.connectionEnded()
    #expect(producer.stopCount == 1)
    #expect(sink?.write([1]) == false)
  }

  @Test func `a reset in the middle closes without the last chunk`() {
    let producer = CountingProducer()
    var held: ServerStream?
    let exchange = Exchange.http1 {
      held = $0
      $0.respondStreaming(producer)
    }
    _ = exchange.receive(HTTP1ServerSessionTests.get)
    held?.reset(code: 2)
    #expect(exchange.serve().isEmpty)
    #expect(producer.stopCount == 1)
    #expect(exchange.session.wantsClose)
  }
}
