import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitNetwork
import Testing

@testable import PushpitGateway

/// Stopping: nobody is kept waiting, nothing in progress is lost.
@Suite(.timeLimit(.minutes(1))) struct GatewayStopTests {
  @Test func `an open device stream and idle senders do not hold up the stop`() async throws {
    let running = try await TestGateway.start()
    let device = try await running.makeDevice()
    let feed = try await running.follow(device)
    let sender = try await running.connect()
    _ = try await sender.request(
      running.apnsHead(device.apns, authorization: try running.providerToken()),
      body: running.apnsPayload("last"))
    let start = ContinuousClock.now
    await running.gateway.stop()
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(try await feed.titles(1) == ["last"])
    while try await feed.next() != nil {}
    await running.clientLoop.stop()
  }

  @Test func `a request in progress is answered while the gateway stops`() async throws {
    let running = try await TestGateway.start()
    let port = running.report.gatewayPort
    let head =
      "POST /3/device/\(String(repeating: "ab", count: 32)) HTTP/1.1\r\nhost: localhost\r\n"
      + "authorization: bearer \(try running.providerToken())\r\napns-topic: com.example.app\r\n"
      + "content-length: 2\r\nexpect: 100-continue\r\n\r\n"
    let answer = try await onThread { () -> String in
      guard let socket = BlockingSocket(port: port) else { return "" }
      socket.send(head.utf8)
      // The interim answer says that the head has come.
      guard String(decoding: socket.read(), as: UTF8.self).hasPrefix("HTTP/1.1 100") else {
        return ""
      }
      Task { await running.gateway.stop() }
      // No listener any more: the stop has begun.
      while BlockingSocket(port: port) != nil {}
      socket.send("{}".utf8)
      return String(decoding: socket.readToEnd(), as: UTF8.self)
    }
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    await running.gateway.waitUntilStopped()
    await running.clientLoop.stop()
  }

  @Test func `stopping twice and before the start is harmless`() async throws {
    let running = try await TestGateway.start()
    async let first: Void = running.gateway.stop()
    async let second: Void = running.gateway.stop()
    _ = await (first, second)
    await running.gateway.stop()
    await running.clientLoop.stop()
  }
}
