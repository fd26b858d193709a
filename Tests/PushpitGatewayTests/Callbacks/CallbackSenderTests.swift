import PushpitModel
import PushpitNetwork
import Testing

@testable import PushpitDevices
@testable import PushpitGateway

/// The limits of sending, against a server that never answers.
@Suite(.timeLimit(.minutes(5))) struct CallbackSenderTests {
  /// Notes what a sender tells.
  private actor Notes {
    private var outcomes: [CallbackOutcome] = []
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func add(_ outcome: CallbackOutcome) {
      outcomes.append(outcome)
      guard let waiter, waiter.count <= outcomes.count else { return }
      self.waiter = nil
      waiter.continuation.resume()
    }

    func outcomes(_ count: Int) async -> [CallbackOutcome] {
      if outcomes.count < count { await withCheckedContinuation { waiter = (count, $0) } }
      return outcomes
    }
  }

  private func request(_ device: Int, port: Int, path: String = "/hold") -> CallbackRequest {
    CallbackRequest(
      device: DeviceID("d\(device)"), kind: .register, method: .post, isSecure: false,
      host: "127.0.0.1", port: port, authority: "127.0.0.1:\(port)", target: path, fields: [],
      body: [])
  }

  private func withSender(
    timeLimit: Duration = .seconds(120),
    _ body: (CallbackSender, CallbackServer, Int, Notes) async throws -> Void
  ) async throws {
    let (server, port) = try await CallbackServer.start()
    let notes = Notes()
    let loop = try EventLoop()
    let exchange = CallbackExchange(
      loop: loop, rules: CallbackTargetRules(names: []), authority: [], timeLimit: timeLimit)
    let sender = CallbackSender(exchange) { _, outcome in
      Task { await notes.add(outcome) }
    }
    try await body(sender, server, port, notes)
    await sender.stop()
    await loop.stop()
    await server.stop()
  }

  @Test func `few are on their way, many wait, and more are noted as not sent`() async throws {
    try await withSender { sender, server, port, notes in
      let count = CallbackSender.inFlightLimit + CallbackSender.waitingLimit
      for device in 0..<count { await sender.send(request(device, port: port)) }
      let error = "not sent: 1000 callbacks wait already"
      await sender.send(request(count, port: port))
      #expect(await notes.outcomes(1) == [CallbackOutcome(number: 1, error: error)])
      let seen = await server.requests(CallbackSender.inFlightLimit)
      #expect(seen.count == CallbackSender.inFlightLimit)
    }
  }

  @Test func `those of one device come one after the other, also after tries that failed`()
    async throws
  {
    try await withSender { sender, server, port, _ in
      await sender.send(request(1, port: port, path: "/status/503"))
      await sender.send(request(1, port: port, path: "/second"))
      await sender.send(request(2, port: port, path: "/other"))
      let targets = await server.requests(5).map(\.target)
      #expect(
        targets.filter { $0 != "/other" } == [
          "/status/503", "/status/503", "/status/503", "/second",
        ])
      #expect(targets.last == "/second")
    }
  }

  // The server may have acted on it, so it is not told twice.
  @Test func `an answer that does not come is given up after the time limit, for good`()
    async throws
  {
    #expect(GatewayConfiguration().callbackTimeLimit == .seconds(5))
    try await withSender(timeLimit: .seconds(1)) { sender, server, port, notes in
      await sender.send(request(1, port: port))
      // The next of the same device comes when the first is done with.
      await sender.send(request(1, port: port, path: "/next"))
      let outcome = try #require(await notes.outcomes(1).first)
      #expect(outcome == CallbackOutcome(number: 1, error: "no answer within 1 s"))
      #expect(await server.requests(2).map(\.target) == ["/hold", "/next"])
    }
  }
}
