import PushpitConsole
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitNetwork
import PushpitRecording
import Testing

@testable import PushpitGateway

/// Waits on the server, asked over the wire.
@Suite(.timeLimit(.minutes(5))) struct ExpectEndToEndTests {
  private static let token = String(repeating: "ab", count: 32)

  @Test func `a wait ends with the push that it waits for`() async throws {
    try await withGateway { gateway in
      async let met = gateway.call(
        "POST", "/api/v1/expect",
        body: ["match": ["/aps/alert/title": "Hello"], "within": "60s"])
      _ = try await gateway.push(Self.token)
      let answer = try await met
      #expect(answer.status == 200)
      #expect(answer.json.pointer("/matches/0/token")?.stringValue == Self.token)
    }
  }

  @Test func `the delivery of a push can be waited for, by device and state`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "ios", "online": true])
      async let met = gateway.call(
        "POST", "/api/v1/expect",
        body: [
          "match": ["device": .string(device.id), "state": "displayed"], "of": "deliveries",
          "within": "60s",
        ])
      _ = try await gateway.push(device.apns)
      let answer = try await met
      #expect(answer.json.pointer("/matches/0/delivery/device")?.stringValue == device.id)
    }
  }

  @Test func `what never comes is 417 and names the refusal`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.makeDevice(["platform": "android"])
      _ = try await gateway.push(phone.fcm)
      let answer = try await gateway.call(
        "POST", "/api/v1/expect",
        body: ["match": ["outcome": "accepted"], "within": "10ms"])
      #expect(answer.status == 417)
      let code = answer.json.pointer("/nearMisses/0/diagnosis/code")?.stringValue
      #expect(code == "fcm-token-at-apns")
    }
  }

  @Test(arguments: [HTTPProtocol.http1, .http2])
  func `who hangs up frees the wait`(version: HTTPProtocol) async throws {
    try await withGateway { gateway in
      let client = try await gateway.connectConsole(version)
      let head = RequestHead(
        method: "POST", target: "/api/v1/expect",
        authority: "localhost:\(gateway.report.consolePort)", scheme: "http",
        fields: ["content-type": "application/json"])
      let waiting = Task {
        try await client.request(head, body: Array(#"{"match":{},"within":"60s"}"#.utf8))
      }
      while await gateway.gateway.waitingCount == 0 { await Task.yield() }
      await client.close()
      await #expect(throws: (any Error).self) { try await waiting.value }
      while await gateway.gateway.waitingCount > 0 { await Task.yield() }
    }
  }

  @Test func `a gateway that stops answers those who wait`() async throws {
    let running = try await TestGateway.start()
    let client = try await running.connectConsole()
    let head = RequestHead(
      method: "POST", target: "/api/v1/expect",
      authority: "localhost:\(running.report.consolePort)", scheme: "http",
      fields: ["content-type": "application/json"])
    async let answer = client.request(head, body: Array(#"{"match":{},"within":"60s"}"#.utf8))
    while await running.gateway.waitingCount == 0 { await Task.yield() }
    async let stop: Void = running.gateway.stop()
    #expect(try await answer.head.status == 503)
    await stop
    await running.clientLoop.stop()
  }
}

extension Gateway {
  /// How many expectations wait.
  fileprivate var waitingCount: Int { console?.expectations.waitingCount ?? 0 }
}
