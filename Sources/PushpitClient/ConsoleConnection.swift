internal import PushpitHTTP
package import PushpitHTTPTypes
package import PushpitJSON
package import PushpitNetwork

/// A connection to the console of a gateway, over HTTP/2 in clear text, so that calls and streams share it.
package struct ConsoleConnection: Sendable {
  /// The console's URL.
  package let url: String
  private let authority: String
  private let token: String?
  private let client: HTTPClient

  /// Connects to a console.
  package static func connect(
    to url: String, token: String? = nil, loop: EventLoop? = nil
  ) async throws(ConsoleCallError) -> ConsoleConnection {
    guard let place = Place(url) else {
      throw .badURL("a console's URL is like http://localhost:8197, not '\(url)'")
    }
    do throws(HTTPClientError) {
      let client = try await HTTPClient.connect(
        to: place.host, port: place.port, ClientOptions(assumedProtocol: .http2), loop: loop)
      return ConsoleConnection(url: url, authority: place.authority, token: token, client: client)
    } catch {
      throw .unreachable(
        "cannot reach the console at \(url): \(error); is 'pushpit serve' running?")
    }
  }

  /// Sends a call and returns the answer, whatever its status.
  package func send(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil,
    timeLimit: Duration = .seconds(30)
  ) async throws(ConsoleCallError) -> Response {
    let bytes = body?.serialized() ?? []
    do throws(HTTPClientError) {
      return try await client.request(
        head(method, path, query, bytes), body: bytes, timeLimit: timeLimit)
    } catch {
      throw .unreachable("no answer to \(method) \(path) from \(url): \(error)")
    }
  }

  /// Sends a call and returns the JSON of a good answer; null for one without a body.
  package func call(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil,
    timeLimit: Duration = .seconds(30)
  ) async throws(ConsoleCallError) -> JSONValue {
    let response = try await send(method, path, query, body: body, timeLimit: timeLimit)
    guard response.head.status < 300 else { throw .refused(response) }
    if response.body.isEmpty { return .null }
    guard let value = Self.value(of: response) else {
      throw .unreadable("the answer to \(method) \(path) from \(url) is no JSON")
    }
    return value
  }

  /// The JSON of an answer; nil when it is none.
  package static func value(of response: Response) -> JSONValue? {
    try? JSONReader.parse(response.body, depthLimit: JSONReader.recordDepthLimit)
  }

  /// Opens a stream of server-sent events, which ends with the connection.
  package func events(
    _ path: String, _ query: [(String, String)] = []
  ) async throws(ConsoleCallError) -> ConsoleEvents {
    let response: StreamingResponse
    do throws(HTTPClientError) {
      response = try await client.stream(
        head("GET", path, query, []), timeLimit: .seconds(365 * 86_400))
    } catch {
      throw .unreachable("cannot follow \(path) at \(url): \(error)")
    }
    guard response.head.status == 200 else {
      let body = (try? await response.pieces.reduce(into: [UInt8]()) { $0 += $1 }) ?? []
      throw .refused(Response(status: response.head.status, body: body))
    }
    return ConsoleEvents(pieces: response.pieces)
  }

  /// Closes the connection; calls in flight fail.
  package func close() async { await client.close() }

  private func head(
    _ method: String, _ path: String, _ query: [(String, String)], _ body: [UInt8]
  ) -> RequestHead {
    let pairs = query.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
    let target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    var head = RequestHead(method: method, target: target, authority: authority, scheme: "http")
    if let token { head.fields.append("authorization", "Bearer \(token)".utf8) }
    if !body.isEmpty { head.fields.append("content-type", "application/json".utf8) }
    return head
  }

  /// Host and port of a URL.
  private struct Place {
    let host: String
    let port: Int
    let authority: String

    init?(_ url: String) {
      guard url.hasPrefix("http://") else { return nil }
      var rest = url.dropFirst("http://".count)
      if rest.hasSuffix("/") { rest = rest.dropLast() }
      guard !rest.isEmpty, !rest.contains("/"), let colon = rest.lastIndex(of: ":"),
        let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port)
      else { return nil }
      authority = String(rest)
      self.port = port
      var host = rest[..<colon]
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      guard !host.isEmpty else { return nil }
      self.host = String(host)
    }
  }
}
