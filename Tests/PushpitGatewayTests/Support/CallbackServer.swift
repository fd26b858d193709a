import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitNetwork

/// A provider's server that notes what devices report to it, and answers by path.
///
/// `/status/<n>` gives that status, `/redirect` one to `/followed`, `/hold` nothing; all else 204.
actor CallbackServer {
  /// A request as it came.
  struct Request: Sendable {
    let method: String
    let target: String
    let authority: String
    let fields: FieldList
    let body: JSONValue
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let server: HTTPServer
  private var requests: [Request] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<[Request], Never>)] = []

  private init(_ loop: EventLoop) {
    self.loop = loop
    server = HTTPServer(loop: loop)
  }

  /// Starts a server in clear text, or with a certificate and its key; returns its port too.
  static func start(
    _ certificate: (pem: [UInt8], key: [UInt8])? = nil
  ) async throws -> (server: CallbackServer, port: Int) {
    let server = CallbackServer(try EventLoop())
    return (server, try await server.listen(certificate))
  }

  private func listen(_ certificate: (pem: [UInt8], key: [UInt8])?) throws -> Int {
    var options = ListenerOptions()
    if let certificate {
      options.tls = try TLSContext(
        server: certificate.pem, key: PrivateKey(pem: certificate.key))
    }
    return try server.listen(
      hosts: ["127.0.0.1"], port: 0, options: options, handler: CallbackHandler(self))
  }

  /// What came so far.
  var received: [Request] { requests }

  /// Waits until so many requests have come; the test's time limit is the deadline.
  func requests(_ count: Int) async -> [Request] {
    if requests.count >= count { return requests }
    return await withCheckedContinuation { waiters.append((count, $0)) }
  }

  fileprivate func take(_ request: Request) {
    requests.append(request)
    let ready = waiters.filter { $0.count <= requests.count }
    waiters.removeAll { $0.count <= requests.count }
    for waiter in ready { waiter.continuation.resume(returning: requests) }
  }

  func stop() async { await loop.stop() }
}

private final class CallbackHandler: ServerHandler {
  private weak let server: CallbackServer?

  init(_ server: CallbackServer) { self.server = server }

  func requestCompleted(_ stream: ServerStream) {
    let target = String(decoding: stream.head.target, as: UTF8.self)
    let request = CallbackServer.Request(
      method: String(decoding: stream.head.method, as: UTF8.self), target: target,
      authority: String(decoding: stream.head.authority, as: UTF8.self),
      fields: stream.head.fields, body: (try? JSONReader.parse(stream.body)) ?? .null)
    let path = target.split(separator: "/")
    switch path.first {
    case "hold": break
    case "status": answer(stream, path.last.flatMap { Int($0) } ?? 204)
    case "redirect":
      stream.response.reset(status: 302)
      stream.response.fields.append("location", "/followed")
      stream.respond(body: [])
    default: answer(stream, 204)
    }
    server?.assumeIsolated { $0.take(request) }
  }

  private func answer(_ stream: ServerStream, _ status: Int) {
    stream.response.reset(status: status)
    stream.respond(body: [])
  }
}
