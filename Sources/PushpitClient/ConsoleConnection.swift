internal import PushpitHTTP
internal import PushpitHTTPTypes
package import PushpitJSON
package import PushpitNetwork

/// Why a call of the console was not done.
package enum ConsoleCallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The URL is none of the form `http://HOST:PORT`.
  case badURL(String)
  /// Nobody answered; the text says where and why.
  case unreachable(String)
  /// The console refused the call, in its own words; `problem` is the answer's body.
  case refused(status: Int, text: String, problem: JSONValue)
  /// The answer is not what the console answers.
  case unreadable(String)

  package var description: String {
    switch self {
    case .badURL(let text), .unreachable(let text), .unreadable(let text): text
    case .refused(_, let text, _): text
    }
  }
}

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

  /// Sends a call and returns the JSON of a good answer; null for one without a body.
  package func call(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil,
    timeLimit: Duration = .seconds(30)
  ) async throws(ConsoleCallError) -> JSONValue {
    let bytes = body?.serialized() ?? []
    let response: Response
    do throws(HTTPClientError) {
      response = try await client.request(
        head(method, path, query, bytes), body: bytes, timeLimit: timeLimit)
    } catch {
      throw .unreachable("no answer to \(method) \(path) from \(url): \(error)")
    }
    let value = try? JSONReader.parse(response.body, depthLimit: JSONReader.recordDepthLimit)
    guard response.head.status < 300 else {
      throw Self.refusal(response.head.status, value ?? .null)
    }
    if response.body.isEmpty { return .null }
    guard let value else { throw .unreadable("the answer to \(method) \(path) is no JSON") }
    return value
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
      throw Self.refusal(response.head.status, .null)
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

  private static func refusal(_ status: Int, _ problem: JSONValue) -> ConsoleCallError {
    let detail = problem["detail"]?.stringValue ?? problem["title"]?.stringValue ?? ""
    let faults = (problem["errors"]?.arrayValue ?? []).compactMap { fault in
      fault["detail"]?.stringValue.map { "\(fault["pointer"]?.stringValue ?? "") \($0)" }
    }
    let words = faults.isEmpty ? detail : faults.joined(separator: "; ")
    return .refused(
      status: status, text: "the console answered \(status): \(words)", problem: problem)
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
