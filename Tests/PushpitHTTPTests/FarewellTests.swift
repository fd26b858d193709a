import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

/// A handler with words of its own for the end of a connection.
private final class PoliteHandler: ServerHandler {
  var limit: Duration?
  var held: [ServerStream] = []
  var stalled: [[UInt8]] = []
  var endings: [ConnectionEnding] = []
  var causes: [ConnectionEnding.Cause] = []

  func requestCompleted(_ stream: ServerStream) { held.append(stream) }

  func silenceLimit(of connection: ServerConnection) -> Duration? { limit }

  func requestStalled(_ stream: ServerStream) {
    stalled.append(stream.body)
    stream.response.reset(status: 400)
    stream.respond(body: Array("stalled".utf8))
  }

  func lastFrames(
    _ connection: ServerConnection, _ cause: ConnectionEnding.Cause
  ) -> [UInt8]? {
    causes.append(cause)
    return GoAwayFrame(
      lastStreamID: connection.lastStreamID, debugData: Array("bye".utf8)
    ).bytes
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    endings.append(ending)
  }
}

/// The last frames of a connection, and whom they still serve.
@Suite struct FarewellTests {
  private let handler = PoliteHandler()

  private func makeConnection(
    _ change: (inout ListenerOptions) -> Void = { _ in }
  ) -> ServerConnection {
    .accepted(by: handler, change)
  }

  private func feed(_ connection: ServerConnection, _ bytes: [UInt8], now: Int64 = 0) {
    bytes.withUnsafeBufferPointer { connection.feed($0, now: now) }
  }

  private func feed(_ connection: ServerConnection, _ frames: Frame..., now: Int64 = 0) {
    feed(connection, frames.flatMap(\.bytes), now: now)
  }

  private func output(_ connection: ServerConnection) -> [UInt8] {
    var bytes: [UInt8] = []
    while connection.takeOutput(room: 1 << 20, { bytes += $0 }) {}
    return bytes
  }

  /// Begins HTTP/2 and takes what the server says first.
  private func start(_ connection: ServerConnection) {
    feed(connection, Frame.preface)
    feed(connection, Frame(type: Frame.settings), .settingsAck)
    _ = output(connection)
  }

  private func goAway(last: UInt32) -> Frame {
    Frame(
      type: Frame.goAway, payload: Frame.word(last) + [0, 0, 0, 0] + Array("bye".utf8))
  }

  @Test func `a stop says the handler's words, finishes what is open and refuses what is new`() {
    let connection = makeConnection()
    start(connection)
    feed(connection, .headers(1, Frame.request()), .headers(3, Frame.request(), end: false))
    connection.shutDownGracefully()
    #expect(Frame.split(output(connection)) == [goAway(last: 3)])
    feed(connection, .headers(5, Frame.request()), .data(3, [1]))
    #expect(Frame.split(output(connection)) == [.reset(5, code: 7)])
    #expect(handler.held.count == 2)
    #expect(connection.ending == nil)
    for stream in handler.held { stream.respond() }
    #expect(Frame.split(output(connection)).map(\.stream) == [1, 3])
    #expect(handler.endings.map(\.cause) == [.serverStopped])
    #expect(handler.causes == [.serverStopped])
  }

  @Test func `a PING during the stop is still answered`() {
    let connection = makeConnection()
    start(connection)
    feed(connection, .headers(1, Frame.request()))
    connection.shutDownGracefully()
    _ = output(connection)
    let ping = Frame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8])
    feed(connection, ping)
    #expect(
      Frame.split(output(connection)) == [Frame(type: 6, flags: Frame.ack, payload: ping.payload)])
  }

  @Test func `a connection's own limit ends it with the handler's words`() {
    let connection = makeConnection()
    handler.limit = .seconds(5)
    start(connection)
    connection.checkTime(now: 4999)
    #expect(output(connection).isEmpty)
    connection.checkTime(now: 5000)
    #expect(Frame.split(output(connection)) == [goAway(last: 0)])
    #expect(handler.endings.map(\.cause) == [.idle])
  }

  @Test func `an end that is under way is announced once`() {
    let connection = makeConnection()
    handler.limit = .seconds(5)
    start(connection)
    feed(connection, .headers(1, Frame.request(), end: false))
    connection.checkTime(now: 5000)
    connection.shutDownGracefully()
    connection.checkTime(now: 6000)
    #expect(Frame.split(output(connection)).filter { $0.type == Frame.goAway }.count == 1)
    #expect(handler.endings.map(\.cause) == [.idle])
    #expect(handler.stalled.count == 1)
  }

  @Test func `a session that has failed adds nothing to its last frames`() throws {
    let exchange = try Exchange.http2()
    _ = exchange.receive(Array("nonsense that is no preface".utf8))
    exchange.session.goAway(sending: goAway(last: 0).bytes)
    #expect(exchange.serve().isEmpty)
    #expect(exchange.session.wantsClose)
  }

  @Test func `a request without the rest of its body is offered before the end, in HTTP/2`() {
    let connection = makeConnection()
    handler.limit = .seconds(5)
    start(connection)
    feed(connection, .headers(1, Frame.request(), end: false), .data(1, [7, 8], end: false))
    connection.checkTime(now: 4999)
    #expect(handler.stalled.isEmpty)
    connection.checkTime(now: 5000)
    let frames = Frame.split(output(connection))
    #expect(frames.map(\.type) == [Frame.headers, Frame.data, Frame.goAway])
    #expect(frames.map(\.flags) == [Frame.endHeaders, Frame.endStream, 0])
    #expect(frames.last == goAway(last: 1))
    #expect(handler.stalled == [[7, 8]])
    #expect(handler.endings.map(\.cause) == [.idle])
    #expect(handler.endings.map(\.progress) == [.requestSeen])
  }

  @Test func `a request without the rest of its body is offered before the end, in HTTP/1.1`() {
    let connection = makeConnection()
    handler.limit = .seconds(5)
    feed(connection, Array("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab".utf8))
    connection.checkTime(now: 5000)
    let text = String(decoding: output(connection), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 400 "))
    #expect(text.hasSuffix("\r\n\r\nstalled"))
    #expect(handler.stalled == [Array("ab".utf8)])
    #expect(handler.endings.map(\.cause) == [.idle])
    #expect(handler.causes.isEmpty)
  }

  @Test func `requests that are complete, refused or still in their head are not offered`() {
    let connection = makeConnection()
    handler.limit = .seconds(5)
    start(connection)
    let malformed = Frame.request([("connection", "close")])
    feed(
      connection, .headers(1, Frame.request()), .headers(3, malformed, end: false),
      .headers(5, Frame.request(), end: false))
    connection.checkTime(now: 5000)
    #expect(handler.stalled.count == 1)
    #expect(handler.endings.isEmpty)
    _ = output(connection)
    #expect(handler.endings.map(\.cause) == [.idle])
  }

  @Test func `a longer limit of the connection leaves the one for a body, and its cause`() {
    let connection = makeConnection { $0.bodyTimeout = .seconds(60) }
    handler.limit = .seconds(3600)
    start(connection)
    feed(connection, .headers(1, Frame.request(), end: false))
    connection.checkTime(now: 59_999)
    #expect(handler.endings.isEmpty)
    connection.checkTime(now: 60_000)
    _ = output(connection)
    #expect(handler.stalled.isEmpty)
    #expect(handler.endings.map(\.cause) == [.bodyTimeout])
  }

  @Test func `without a limit of its own the listener's hold and nothing is offered`() {
    let connection = makeConnection { $0.bodyTimeout = .seconds(60) }
    start(connection)
    feed(connection, .headers(1, Frame.request(), end: false))
    connection.checkTime(now: 60_000)
    _ = output(connection)
    #expect(handler.stalled.isEmpty)
    #expect(handler.endings.map(\.cause) == [.bodyTimeout])
  }

  @Test func `a closed stream limit stays closed whatever is acknowledged`() {
    var limit = HTTP2StreamLimit(cap: 2000)
    limit.submit(1000)
    limit.close()
    #expect(limit.enforced == 0)
    limit.acknowledge()
    limit.submit(5)
    limit.acknowledge()
    #expect(limit.enforced == 0)
  }
}
