internal import PushpitClient
internal import PushpitHTTPTypes
internal import PushpitJSON

/// The commands' connection to the console of a running gateway: its calls are about the workspace that was
/// named, and what fails ends the command.
struct ConsoleClient: Sendable {
  let address: ConsoleAddress
  private let connection: ConsoleConnection

  /// Connects.
  /// - Throws: `CommandFailure` that says what to do when nobody answers.
  static func connect(_ address: ConsoleAddress) async throws(CommandFailure) -> ConsoleClient {
    try await failing { () throws(ConsoleCallError) in
      ConsoleClient(
        address: address,
        connection: try await .connect(to: address.url, token: address.token))
    }
  }

  /// Sends a call and returns the answer, whatever its status.
  /// - Throws: `CommandFailure` when no answer came.
  func send(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil,
    timeLimit: Duration = .seconds(30)
  ) async throws(CommandFailure) -> Response {
    try await Self.failing { () throws(ConsoleCallError) in
      try await connection.send(
        method, path, query + address.query, body: body, timeLimit: timeLimit)
    }
  }

  /// Sends a call and returns the JSON of a good answer.
  /// - Throws: `CommandFailure` with the console's own explanation of a refusal.
  func json(
    _ method: String, _ path: String, _ query: [(String, String)] = [], body: JSONValue? = nil
  ) async throws(CommandFailure) -> JSONValue {
    try await Self.failing { () throws(ConsoleCallError) in
      try await connection.call(method, path, query + address.query, body: body)
    }
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

  /// Opens a stream of server-sent events.
  /// - Throws: `CommandFailure` with the console's own explanation of a refusal.
  func events(
    _ path: String, _ query: [(String, String)] = []
  ) async throws(CommandFailure) -> ConsoleEvents {
    try await Self.failing { () throws(ConsoleCallError) in
      try await connection.events(path, query + address.query)
    }
  }

  /// A refusal as the console explains it.
  static func failure(_ response: Response) -> CommandFailure {
    failure(ConsoleCallError.refused(response))
  }

  private static func failure(_ error: ConsoleCallError) -> CommandFailure {
    // What the console does not take was said wrong on the command line.
    let isMisuse = if case .refused(400, _, _) = error { true } else { false }
    return CommandFailure(error.description, isMisuse: isMisuse)
  }

  private static func failing<Value>(
    _ body: () async throws(ConsoleCallError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(ConsoleCallError) { return try await body() } catch { throw failure(error) }
  }
}
