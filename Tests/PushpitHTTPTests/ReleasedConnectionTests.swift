import PushpitHTTP
import PushpitHTTPTypes
import Testing

/// Keeps every stream, and answers with a producer.
private final class KeepingHandler: ServerHandler {
  private(set) var streams: [ServerStream] = []

  func requestCompleted(_ stream: ServerStream) {
    streams.append(stream)
    stream.response.reset(status: 200)
    stream.respondStreaming(MeddlingProducer(self))
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {}

  /// What writing to each stream gives.
  func writeToAll() -> [Bool] { streams.map { $0.write([1]) } }
}

/// Writes to every stream of the handler when it is told to stop.
private final class MeddlingProducer: ResponseProducer {
  private let handler: KeepingHandler

  init(_ handler: KeepingHandler) { self.handler = handler }

  func start(_ sink: any ResponseSink) {}

  func stop() {
    #expect(handler.writeToAll().allSatisfy { !$0 })
    #expect(handler.streams.allSatisfy { $0.connection == nil })
  }
}

/// Streams know their session and connection without retaining them; these tests are for the address
/// sanitizer too.
@Suite struct ReleasedConnectionTests {
  private static let http2 =
    Frame.preface + Frame(type: Frame.settings).bytes
    + Frame.headers(1, Frame.request()).bytes + Frame.headers(3, Frame.request()).bytes

  private static let http1 = Array(
    "GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n".utf8)

  private func feed(_ handler: KeepingHandler, _ bytes: [UInt8]) -> ServerConnection {
    let connection = ServerConnection(
      facts: ConnectionFacts(id: 1, peer: "127.0.0.1:1", listener: 0), options: ListenerOptions(),
      handler: handler, resources: ServerResources(), now: 0)
    bytes.withUnsafeBufferPointer { connection.feed($0, now: 0) }
    return connection
  }

  @Test(arguments: [http1, http2])
  func `a stream that outlives its connection reaches nothing`(_ bytes: [UInt8]) {
    let handler = KeepingHandler()
    var connection: ServerConnection? = feed(handler, bytes)
    weak let released = connection
    #expect(handler.streams.map { $0.connection === connection } == [true, true])
    #expect(handler.writeToAll() == [true, true])
    connection = nil
    #expect(released == nil)
    #expect(handler.streams.allSatisfy { $0.connection == nil && !$0.isOpen })
    #expect(handler.writeToAll() == [false, false])
  }

  @Test(arguments: [http1, http2])
  func `a stream of a connection that has ended reaches nothing`(_ bytes: [UInt8]) {
    let handler = KeepingHandler()
    let connection = feed(handler, bytes)
    connection.transportEnded(nil)
    #expect(handler.streams.count == 2)
    #expect(handler.streams.allSatisfy { $0.connection == nil && !$0.isOpen })
    #expect(handler.writeToAll() == [false, false])
  }
}
