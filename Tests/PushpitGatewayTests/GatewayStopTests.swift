import PushpitAPNs
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitNetwork
import Testing

@testable import PushpitGateway

/// Stopping: nobody is kept waiting, nothing in progress is lost.
@Suite(.timeLimit(.minutes(5))) struct GatewayStopTests {
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

  // Assumed: Apple's table has the reason with 503, and no capture shows when it is given.
  @Test func `a push in progress over HTTP/2 is told Shutdown, by GOAWAY and by its answer`()
    async throws
  {
    let running = try await TestGateway.start()
    let port = running.report.gatewayPort
    let begun = try running.begun(String(repeating: "ab", count: 32), body: "{")
    let goAway = AppleGoAway.bytes(.shutdown, lastStreamID: 1)
    let (first, last) = try await onThread { () -> ([UInt8], [UInt8]) in
      guard let socket = BlockingSocket(port: port) else { return ([], []) }
      socket.send(begun + RawHTTP2.ping)
      // The answer to the PING says that the request's beginning has come.
      _ = socket.read(until: RawHTTP2.pingAck)
      Task { await running.gateway.stop() }
      let first = socket.read(until: goAway)
      socket.send(RawHTTP2.lastData("}"))
      return (first, socket.readToEnd())
    }
    #expect(first.ends(with: goAway))
    #expect(last.ends(with: RawHTTP2.lastData(#"{"reason":"Shutdown"}"#)), "\(last)")
    await running.gateway.waitUntilStopped()
    await running.clientLoop.stop()
  }

  @Test func `a request in progress for Google's side is answered as ever`() async throws {
    let running = try await TestGateway.start()
    let port = running.report.gatewayPort
    let head = RequestHead(method: "POST", target: "/v1/x", authority: running.authority)
    let begun = try RawHTTP2.begun(head, body: "{")
    let last = try await onThread { () -> [UInt8] in
      guard let socket = BlockingSocket(port: port) else { return [] }
      socket.send(begun + RawHTTP2.ping)
      _ = socket.read(until: RawHTTP2.pingAck)
      Task { await running.gateway.stop() }
      // Whose side the connection is on is known when its first request is complete.
      _ = socket.read(until: AppleGoAway.bytes(.shutdown, lastStreamID: 1))
      socket.send(RawHTTP2.lastData("}"))
      return socket.readToEnd()
    }
    #expect(String(decoding: last, as: UTF8.self).contains("Error 404"), "\(last)")
    await running.gateway.waitUntilStopped()
    await running.clientLoop.stop()
  }

  @Test func `an idle connection of APNs is told Shutdown, one of Google's gets a plain GOAWAY`()
    async throws
  {
    let running = try await TestGateway.start()
    let port = running.report.gatewayPort
    let push = running.apnsHead("aa", authorization: "x")
    let message = RequestHead(method: "POST", target: "/v1/x", authority: running.authority)
    let requests = try [push, message].map {
      try RawHTTP2.begun($0, body: "{") + RawHTTP2.lastData("}") + RawHTTP2.ping
    }
    let ends = try await onThread { () -> [[UInt8]] in
      let sockets = requests.compactMap { request -> BlockingSocket? in
        let socket = BlockingSocket(port: port)
        socket?.send(request)
        _ = socket?.read(until: RawHTTP2.pingAck)
        return socket
      }
      Task { await running.gateway.stop() }
      return sockets.map { $0.readToEnd() }
    }
    #expect(
      ends == [
        AppleGoAway.bytes(.shutdown, lastStreamID: 1), GoAwayFrame(lastStreamID: 1).bytes,
      ])
    await running.gateway.waitUntilStopped()
    await running.clientLoop.stop()
  }

  @Test func `a push in progress over HTTP/1.1 is told Shutdown`() async throws {
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
    #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
    #expect(answer.hasSuffix(#"{"reason":"Shutdown"}"#), "\(answer)")
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
