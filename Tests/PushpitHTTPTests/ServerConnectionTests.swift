import PushpitHTTP
import PushpitHTTPTypes
import Testing

/// Answers with the target as the body, at once or for `/later` when it is told to.
private final class EchoHandler: ServerHandler {
  var held: ServerStream?
  var endings: [ConnectionEnding] = []

  func requestCompleted(_ stream: ServerStream) {
    stream.response.reset(status: 200)
    if stream.head.target == Array("/later".utf8) {
      held = stream
    } else {
      stream.respond(body: stream.head.target)
    }
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    endings.append(ending)
  }
}

/// Counts how often a connection asks to be served.
private final class CountingTransport: ServerConnectionTransport {
  var count = 0

  func connectionNeedsService(_ connection: ServerConnection) { count += 1 }
}

@Suite struct ServerConnectionTests {
  private let handler = EchoHandler()

  private func makeConnection(
    _ change: (inout ListenerOptions) -> Void = { _ in }
  ) -> ServerConnection {
    .accepted(by: handler, change)
  }

  private func feed(_ connection: ServerConnection, _ text: some StringProtocol, now: Int64 = 0) {
    Array(text.utf8).withUnsafeBufferPointer { connection.feed($0, now: now) }
  }

  /// All output, one element for each time something was sent.
  private func output(_ connection: ServerConnection, room: Int = 1 << 20) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    while connection.takeOutput(room: room, { pieces.append(Array($0)) }) {}
    return pieces
  }

  @Test func `the answers to one feed leave in one piece`() {
    let connection = makeConnection()
    let request = "GET /a HTTP/1.1\r\nhost: a\r\n\r\n"
    feed(connection, String(repeating: request, count: 10))
    let pieces = output(connection)
    #expect(pieces.count == 1)
    let text = String(decoding: pieces[0], as: UTF8.self)
    #expect(text.split(separator: "HTTP/1.1 200 ").count == 10)
    #expect(connection.requestCount == 10)
    #expect(connection.ending == nil)
  }

  @Test func `more output than there is room for comes in further pieces`() {
    let connection = makeConnection()
    let target = "/" + String(repeating: "x", count: 8000)
    feed(connection, String(repeating: "GET \(target) HTTP/1.1\r\nhost: a\r\n\r\n", count: 10))
    let pieces = output(connection, room: 16 * 1024)
    #expect(pieces.count > 1)
    #expect(pieces.joined().count > 80_000)
  }

  @Test func `every byte on its own is as good as all at once`() {
    let connection = makeConnection()
    for character in "POST /b HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nok" {
      feed(connection, String(character))
    }
    #expect(String(decoding: output(connection).joined(), as: UTF8.self).hasSuffix("\r\n\r\n/b"))
  }

  @Test func `a stream limit set before the first bytes is the one in SETTINGS`() throws {
    let connection = makeConnection()
    connection.setStreamLimit(77)
    feed(connection, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    let settings = try #require(output(connection).first)
    // Identifier 3 (RFC 9113 section 6.5.2) with the value 77.
    #expect(settings.windows(of: [0, 3, 0, 0, 0, 77]))
  }

  @Test func `an end tells whether HTTP came and which rule a refused request broke`() {
    let silent = makeConnection()
    silent.peerEnded()
    #expect(silent.ending?.hasHTTPBytes == false)
    let connection = makeConnection()
    let frames: [Frame] = [
      Frame(type: Frame.settings), .headers(1, Frame.request([("connection", "close")])),
    ]
    let bytes = Frame.preface + frames.flatMap(\.bytes)
    bytes.withUnsafeBufferPointer { connection.feed($0, now: 0) }
    _ = output(connection)
    connection.peerEnded()
    #expect(connection.ending?.hasHTTPBytes == true)
    #expect(connection.ending?.refusal == .oneHopField)
    #expect(connection.ending?.progress == .handshakeDone)
  }

  @Test func `the handler hears of a connection's end once`() {
    let connection = makeConnection()
    feed(connection, "GET / HTTP/1.1\r\nhost: a\r\n\r\n")
    _ = output(connection)
    connection.close()
    _ = output(connection)
    connection.transportEnded("broken pipe")
    connection.peerEnded()
    #expect(
      handler.endings.map(\.outline) == [
        ConnectionEnding(progress: .requestSeen, cause: .closedByHandler)
      ])
  }

  @Test func `a broken socket is told with its words`() {
    let connection = makeConnection()
    connection.transportEnded("connection reset by peer")
    #expect(
      handler.endings == [
        ConnectionEnding(progress: .accepted, cause: .socket("connection reset by peer"))
      ])
  }

  @Test func `each head has its own time, whatever came before`() {
    let connection = makeConnection { $0.headTimeout = .seconds(10) }
    let request = "GET /a HTTP/1.1\r\nhost: a\r\n\r\n"
    // Reads that all end within a head, as under load, but never within the same one.
    feed(connection, "GET ", now: 0)
    for second in 1...60 {
      feed(connection, request.dropFirst(4) + "GET ", now: Int64(second) * 1000)
      connection.checkTime(now: Int64(second) * 1000)
      _ = output(connection)
      #expect(connection.ending == nil)
    }
    connection.checkTime(now: 69_999)
    #expect(connection.ending == nil)
    connection.checkTime(now: 70_000)
    _ = output(connection)
    #expect(connection.ending?.cause == .headTimeout)
  }

  @Test func `the idle time counts from the last bytes`() {
    let connection = makeConnection { $0.idleTimeout = .seconds(60) }
    feed(connection, "GET /a HTTP/1.1\r\nhost: a\r\n\r\n", now: 1000)
    _ = output(connection)
    connection.checkTime(now: 60_999)
    #expect(connection.ending == nil)
    connection.checkTime(now: 61_000)
    _ = output(connection)
    #expect(connection.ending?.cause == .idle)
  }

  @Test func `the body time counts from the last bytes, in HTTP/2 as in HTTP/1.1`() throws {
    let exchange = try Exchange.http2()
    _ = exchange.receive(Frame.preface + Frame(type: Frame.settings).bytes)
    _ = exchange.receive(.headers(1, Frame.request(), end: false))
    #expect(exchange.session.isAwaitingBody)
    _ = exchange.receive(.data(1, [1]))
    #expect(!exchange.session.isAwaitingBody)

    let connection = makeConnection { $0.bodyTimeout = .seconds(60) }
    feed(connection, "POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n", now: 0)
    feed(connection, "x", now: 30_000)
    connection.checkTime(now: 89_999)
    #expect(connection.ending == nil)
    connection.checkTime(now: 90_000)
    _ = output(connection)
    #expect(connection.ending?.cause == .bodyTimeout)
  }

  @Test func `a late answer is announced after a full pipeline and half of the next head`() {
    let transport = CountingTransport()
    let connection = makeConnection()
    connection.transport = transport
    let request = "GET /a HTTP/1.1\r\nhost: a\r\n\r\n"
    let others = String(repeating: request, count: SessionLimits().pipelineLimit - 1)
    feed(connection, others + "GET /later HTTP/1.1\r\nhost: a\r\n\r\nGET /b HT")
    #expect(output(connection).count == 1)
    transport.count = 0
    handler.held?.respond()
    handler.held = nil
    #expect(transport.count == 1)
    #expect(output(connection).count == 1)
  }

  @Test func `a connection with an open stream is not idle`() {
    let connection = makeConnection { $0.idleTimeout = .seconds(60) }
    feed(connection, "GET /later HTTP/1.1\r\nhost: a\r\n\r\n")
    connection.checkTime(now: 3_600_000)
    #expect(connection.ending == nil)
    handler.held?.respond()
    handler.held = nil
    #expect(output(connection).count == 1)
    connection.checkTime(now: 3_659_999)
    #expect(connection.ending == nil)
    connection.checkTime(now: 3_660_000)
    _ = output(connection)
    #expect(connection.ending?.cause == .idle)
  }

  @Test func `the second head of a connection has its own time`() {
    let connection = makeConnection { $0.headTimeout = .seconds(10) }
    feed(connection, "GET / HTTP/1.1\r\nhost: a\r\n\r\n", now: 0)
    _ = output(connection)
    connection.checkTime(now: 100_000)
    feed(connection, "GET / HTTP/1.1\r\n", now: 100_000)
    connection.checkTime(now: 109_999)
    #expect(connection.ending == nil)
    connection.checkTime(now: 110_000)
    _ = output(connection)
    #expect(
      connection.ending?.outline == ConnectionEnding(progress: .requestSeen, cause: .headTimeout))
  }
}
