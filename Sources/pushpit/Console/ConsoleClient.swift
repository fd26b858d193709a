internal import PushpitClient
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON

/// The commands' connection to the console of a running gateway.
struct ConsoleClient: Sendable {
  let address: ConsoleAddress
  private let client: HTTPClient

  /// Connects, over HTTP/2 in clear text, so that streams and calls share the connection.
  /// - Throws: `CommandFailure` that says what to do when nobody answers.
  static func connect(_ address: ConsoleAddress) async throws(CommandFailure) -> ConsoleClient {
    do throws(HTTPClientError) {
      let client = try await HTTPClient.connect(
        to: address.host, port: address.port, ClientOptions(assumedProtocol: .http2))
      return ConsoleClient(address: address, client: client)
    } catch {
      throw CommandFailure(
        "cannot reach the console at \(address.url): \(error); is 'pushpit serve' running?")
    }
  }

  /// Sends a call and returns the answer, whatever its status.
  /// - Throws: `CommandFailure` when no answer came.
  func send(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil,
    timeLimit: Duration = .seconds(30)
  ) async throws(CommandFailure) -> Response {
    let bytes = body?.serialized() ?? []
    do throws(HTTPClientError) {
      return try await client.request(
        head(method, path, query, bytes), body: bytes, timeLimit: timeLimit)
    } catch {
      throw CommandFailure("no answer to \(method) \(path) from \(address.url): \(error)")
    }
  }

  /// Sends a call and returns the JSON of a good answer.
  /// - Throws: `CommandFailure` with the console's own explanation of a refusal.
  func json(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil
  ) async throws(CommandFailure) -> JSONValue {
    let response = try await good(method, path, query, body: body)
    guard let value = Self.value(of: response) else {
      throw CommandFailure("the answer to \(method) \(path) from \(address.url) is no JSON")
    }
    return value
  }

  /// Sends a call and returns a good answer, whatever is in it.
  /// - Throws: `CommandFailure` with the console's own explanation of a refusal.
  @discardableResult
  func good(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil
  ) async throws(CommandFailure) -> Response {
    let response = try await send(method, path, query, body: body)
    guard response.head.status < 300 else { throw Self.failure(response) }
    return response
  }

  /// A refusal as the console explains it.
  static func failure(_ response: Response) -> CommandFailure {
    let status = response.head.status
    return CommandFailure(explanation(status, value(of: response)), isMisuse: status == 400)
  }

  /// The JSON of an answer; nil when it is none.
  static func value(of response: Response) -> JSONValue? {
    try? JSONReader.parse(response.body, depthLimit: JSONReader.recordDepthLimit)
  }

  /// Opens a stream of server-sent events.
  /// - Throws: `CommandFailure` with the console's own explanation of a refusal.
  func events(_ path: String, _ query: [(String, String)] = []) async throws(CommandFailure)
    -> ConsoleEvents
  {
    let response: StreamingResponse
    do throws(HTTPClientError) {
      response = try await client.stream(
        head("GET", path, query, []), timeLimit: .seconds(365 * 86_400))
    } catch {
      throw CommandFailure("cannot follow \(path) at \(address.url): \(error)")
    }
    guard response.head.status == 200 else {
      let body = (try? await response.pieces.reduce(into: [UInt8]()) { $0 += $1 }) ?? []
      throw CommandFailure(
        Self.explanation(response.head.status, try? JSONReader.parse(body)))
    }
    return ConsoleEvents(pieces: response.pieces)
  }

  private func head(
    _ method: String, _ path: String, _ query: [(String, String)], _ body: [UInt8]
  ) -> RequestHead {
    var head = RequestHead(
      method: method, target: address.target(path, query), authority: address.authority,
      scheme: "http")
    if let token = address.token { head.fields.append("authorization", "Bearer \(token)".utf8) }
    if !body.isEmpty { head.fields.append("content-type", "application/json".utf8) }
    return head
  }

  /// A problem of RFC 9457 as one line.
  static func explanation(_ status: Int, _ problem: JSONValue?) -> String {
    let title = problem?["title"]?.stringValue
    let detail = problem?["detail"]?.stringValue
    let errors = (problem?["errors"]?.arrayValue ?? []).compactMap { error in
      error["detail"]?.stringValue.map { detail in
        // Of a parameter the detail itself says the name.
        let pointer = error["pointer"]?.stringValue ?? ""
        return pointer.isEmpty ? detail : "\(pointer) \(detail)"
      }
    }
    // The detail sums the errors up.
    let words = [title].compactMap { $0 } + (errors.isEmpty ? [detail].compactMap { $0 } : errors)
    return "the console answered \(status)"
      + (words.isEmpty ? "" : ": " + words.joined(separator: "; "))
  }
}
