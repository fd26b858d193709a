import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

/// A server session with a handler, turned as a connection turns it.
final class Exchange: HTTPSessionObserver {
  let session: any HTTPSession
  var handler: (ServerStream) -> Void
  private(set) var serviceCount = 0

  init(_ session: any HTTPSession, handler: @escaping (ServerStream) -> Void = Exchange.echo) {
    self.session = session
    self.handler = handler
    session.observer = self
  }

  deinit { session.observer = nil }

  static func http2(
    _ limits: SessionLimits = SessionLimits(),
    handler: @escaping (ServerStream) -> Void = Exchange.echo
  ) throws -> Exchange {
    Exchange(
      try HTTP2ServerSession(resources: SessionResources(), limits: limits), handler: handler)
  }

  static func http1(
    _ limits: SessionLimits = SessionLimits(),
    handler: @escaping (ServerStream) -> Void = Exchange.echo
  ) -> Exchange {
    Exchange(HTTP1ServerSession(resources: SessionResources(), limits: limits), handler: handler)
  }

  /// Answers 200 with the request's target and body.
  static func echo(_ stream: ServerStream) {
    stream.response.reset(status: stream.isBodyCut ? 413 : 200)
    stream.respond(body: stream.head.target + stream.body)
  }

  func sessionNeedsService() { serviceCount += 1 }

  /// One turn: input, handler, output.
  func receive(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { session.feed($0) }
    return serve()
  }

  /// One turn with frames on both sides.
  func receive(_ frames: Frame...) -> [Frame] {
    Frame.split(receive(frames.flatMap(\.bytes)))
  }

  /// One turn with text on both sides.
  func receive(_ text: String) -> String {
    String(decoding: receive(Array(text.utf8)), as: UTF8.self)
  }

  /// Hands out completed requests and takes all output, again while there is more.
  func serve() -> [UInt8] {
    var output: [UInt8] = []
    while true {
      let before = output.count
      while let stream = session.nextCompleted() { handler(stream) }
      session.takeOutput(into: &output, limit: 16 * 1024)
      if output.count == before { return output }
    }
  }

  /// Sends preface and SETTINGS, acknowledges ours; returns what the server sent first.
  @discardableResult
  func connect() -> [Frame] {
    let first = Frame.split(receive(Frame.preface + Frame(type: Frame.settings).bytes))
    return first + receive(.settingsAck)
  }
}

/// Counts how often it was started and stopped, and writes when told.
final class CountingProducer: ResponseProducer {
  private(set) var startCount = 0
  private(set) var stopCount = 0
  private(set) var sink: (any ResponseSink)?

  func start(_ sink: any ResponseSink) {
    startCount += 1
    self.sink = sink
  }

  func stop() {
    stopCount += 1
    sink = nil
  }
}

/// Joins a client session and a server's exchange until neither has anything to say.
func settle(_ client: any HTTPClientSession, _ server: Exchange) -> [ClientEvent] {
  var events: [ClientEvent] = []
  while true {
    var request: [UInt8] = []
    client.takeOutput(into: &request, limit: 1 << 20)
    let answer = server.receive(request)
    answer.withUnsafeBufferPointer { client.feed($0) }
    let new = client.takeEvents()
    events += new
    if request.isEmpty, answer.isEmpty, new.isEmpty { return events }
  }
}

/// What a client got for one request.
struct Answer: Equatable {
  var status = 0
  var fields: [String] = []
  var body = ""
  var isComplete = false
  var resetCode: UInt32?

  init(_ events: [ClientEvent], _ id: Int64) {
    for event in events {
      switch event {
      case .head(id, let head, let isLast):
        status = head.status
        fields = head.fields.pairs.map { "\($0.name): \($0.value)" }
        isComplete = isLast
      case .body(id, let bytes, let isLast):
        body += String(decoding: bytes, as: UTF8.self)
        isComplete = isLast
      case .reset(id, let code): resetCode = code
      default: break
      }
    }
  }
}
