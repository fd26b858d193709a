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
  let gateway = try await TestGateway.start(options)
  do {
    let value = try await body(gateway)
    await gateway.stop()
    return value
  } catch {
    await gateway.stop()
    throw error
  }
}
