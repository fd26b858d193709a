import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitNetwork

/// A console that notes what it is asked and answers what a test tells it to.
actor FakeConsole {
  /// What a command asked for.
  struct Request: Sendable, Equatable {
    /// Method and target, `GET /api/v1/clock`.
    let line: String
    let body: JSONValue?

    init(_ line: String, _ body: JSONValue? = nil) {
      self.line = line
      self.body = body
    }
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let server: HTTPServer
  private let handler: Handler
  private var port = 0

  private init(loop: EventLoop, status: Int, body: [UInt8]) {
    self.loop = loop
    server = HTTPServer(loop: loop)
    handler = Handler(status: status, body: body)
  }

  /// Starts one, runs the program with its address and stops it.
  static func run(
    _ words: [String], answering status: Int = 200, _ answer: JSONValue? = nil,
    bytes: [UInt8] = [], environment: [String: String] = [:]
  ) async throws -> (run: ProgramRun, requests: [Request]) {
    let loop = try EventLoop()
    let console = FakeConsole(
      loop: loop, status: status, body: answer?.serialized() ?? bytes)
    let url = "http://127.0.0.1:\(try await console.listen())"
    let run = try await ProgramRun.of(
      words, environment: ["PUSHPIT_CONSOLE": url].merging(environment) { $1 })
    let requests = await console.requests
    await loop.stop()
    return (run, requests)
  }

  private var requests: [Request] { handler.requests }

  private func listen() throws -> Int {
    try server.listen(
      hosts: ["127.0.0.1"], port: 0, options: ListenerOptions(), handler: handler)
  }

  private final class Handler: ServerHandler {
    let status: Int
    let body: [UInt8]
    private(set) var requests: [Request] = []

    init(status: Int, body: [UInt8]) {
      self.status = status
      self.body = body
    }

    func connectionOpened(_ connection: ServerConnection) {}
    func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {}

    func requestCompleted(_ stream: ServerStream) {
      let line = [stream.head.method, stream.head.target].map {
        String(decoding: $0, as: UTF8.self)
      }.joined(separator: " ")
      requests.append(Request(line, try? JSONReader.parse(stream.body)))
      stream.response.reset(status: status)
      stream.respond(body: body)
    }
  }
}
