/// Runs a gateway of its own for one test, and stops it when `body` ends, throws or is cancelled.
///
/// The gateway listens on a free port of the loopback addresses. Its certificates and credentials are made
/// for it and kept in memory; its clock, devices and envelopes are its own too, so tests may run in
/// parallel.
///
/// ```swift
/// try await withGateway { gateway in
///   let phone = try await gateway.device(.ios, app: "com.example.app")
///   try await gateway.sender.send(
///     APNsPush(to: phone.apnsToken, topic: phone.app, title: "Hello", body: "World"))
///   let push = try await phone.expectPush(within: .seconds(2))
///   #expect(push.title == "Hello")
/// }
/// ```
/// - Parameters:
///   - options: How the gateway behaves.
///   - body: The test. The gateway answers nothing any more after it.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or `TestGatewayError.start`.
@discardableResult
public func withGateway<Value>(
  _ options: GatewayOptions = GatewayOptions(), _ body: (TestGateway) async throws -> Value
) async throws -> Value {
  let (backend, credentials) = try await LocalGateway.start(options)
  return try await run(TestGateway(backend, credentials), body)
}

/// Runs one test in a workspace of its own at a gateway that runs already, as `pushpit serve` in a
/// container; the workspace is removed when `body` ends, throws or is cancelled.
///
/// - Parameters:
///   - console: The URL of its console.
///   - token: The console's token, where it asks for one.
///   - options: `acceptsUnknownTokens` is the workspace's; environment and seed are the gateway's own.
///   - body: The test, as of `withGateway`. A push reaches its device a moment after its sender was
///     answered, because it travels.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or `TestGatewayError.start`.
@discardableResult
public func withRunningGateway<Value>(
  console: String = "http://localhost:8197", token: String? = nil,
  _ options: GatewayOptions = GatewayOptions(), _ body: (TestGateway) async throws -> Value
) async throws -> Value {
  let backend = try await RemoteGateway.start(console, token: token, options)
  return try await run(TestGateway(backend, backend.credentials), body)
}

private func run<Value>(
  _ gateway: TestGateway, _ body: (TestGateway) async throws -> Value
) async throws -> Value {
  do {
    let value = try await body(gateway)
    await gateway.stop()
    return value
  } catch {
    await gateway.stop()
    throw error
  }
}
