internal import PushpitClient
internal import PushpitJSON
internal import PushpitNetwork

/// The console's API for one workspace; connects when it is first asked.
actor WorkspaceConsole {
  private let place: GatewayPlace
  private let loop: EventLoop
  private var connecting: Task<ConsoleConnection, any Error>?
  private var isClosed = false

  init(_ place: GatewayPlace, loop: EventLoop) {
    self.place = place
    self.loop = loop
  }

  /// Sends a call about the workspace and returns the JSON of a good answer.
  func call(
    _ method: String, _ path: String, body: JSONValue? = nil, timeLimit: Duration = .seconds(30)
  ) async throws -> JSONValue {
    guard !isClosed else { throw TestGatewayError.stopped }
    let connection = try await connection()
    return try await connection.call(
      method, path, [("workspace", place.workspace)], body: body, timeLimit: timeLimit)
  }

  /// Closes the connection.
  func close() async {
    isClosed = true
    let connection = try? await connecting?.value
    connecting = nil
    await connection?.close()
  }

  private func connection() async throws -> ConsoleConnection {
    if let connecting { return try await connecting.value }
    let (place, loop) = (place, loop)
    let task = Task {
      try await ConsoleConnection.connect(
        to: place.consoleURL, token: place.consoleToken, loop: loop)
    }
    connecting = task
    return try await task.value
  }
}
