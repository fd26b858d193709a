import PushpitTesting
import Testing

/// The life of a test's gateway.
@Suite(.timeLimit(.minutes(5))) struct WithGatewayTests {
  @Test func `a gateway has an endpoint, the same without TLS, a console and credentials`()
    async throws
  {
    let result = try await withGateway { gateway in
      #expect(gateway.port > 0)
      #expect(gateway.url == "https://localhost:\(gateway.port)")
      #expect(gateway.clearURL == "http://localhost:\(gateway.port)")
      #expect(gateway.consoleURL.hasPrefix("http://localhost:"))
      let credentials = gateway.credentials
      #expect(credentials.certificateAuthority.hasPrefix("-----BEGIN CERTIFICATE-----"))
      #expect(credentials.apnsKey.hasPrefix("-----BEGIN PRIVATE KEY-----"))
      #expect(credentials.apnsKeyID.count == 10 && credentials.teamID.count == 10)
      #expect(credentials.serviceAccount.contains("\(gateway.url)/token"))
      #expect(credentials.googleServices.contains(credentials.projectID))
      return "what the test returns"
    }
    #expect(result == "what the test returns")
  }

  @Test func `what the test throws comes out, and the gateway has stopped`() async throws {
    struct Mistake: Error {}
    var device: TestDevice?
    await #expect(throws: Mistake.self) {
      try await withGateway { gateway in
        device = try await gateway.device(.ios)
        throw Mistake()
      }
    }
    let left = try #require(device)
    await #expect(throws: TestGatewayError.stopped) { try await left.expectPush() }
  }

  @Test func `what outlives its gateway says so`() async throws {
    let (gateway, device) = try await withGateway { ($0, try await $0.device(.ios)) }
    await #expect(throws: TestGatewayError.stopped) { try await device.apnsToken }
    await #expect(throws: TestGatewayError.stopped) { try await device.inbox() }
    await #expect(throws: TestGatewayError.stopped) { try await gateway.device(.ios) }
    await #expect(throws: TestGatewayError.stopped) {
      try await gateway.sender.send(APNsPush(to: "none", title: "Hello", body: ""))
    }
    await #expect(throws: TestGatewayError.stopped) {
      try await gateway.advanceClock(by: .seconds(1))
    }
    #expect(await gateway.envelopes().isEmpty)
  }

  @Test func `an expectation that outlives its gateway fails`() async throws {
    let left = try await withGateway { gateway in
      let device = try await gateway.device(.ios)
      return Task { try await device.expectPush(within: .seconds(60)) }
    }
    await #expect(throws: TestGatewayError.stopped) { try await left.value }
  }

  @Test func `cancelling a test ends its expectation and its gateway`() async throws {
    let (waiting, isWaiting) = AsyncStream<TestDevice>.makeStream()
    let test = Task {
      try await withGateway { gateway in
        let device = try await gateway.device(.ios)
        isWaiting.yield(device)
        try await device.expectPush(within: .seconds(60))
      }
    }
    var devices = waiting.makeAsyncIterator()
    let device = try #require(await devices.next())
    test.cancel()
    await #expect(throws: CancellationError.self) { try await test.value }
    await #expect(throws: TestGatewayError.stopped) { try await device.expectNoPush() }
  }

  @Test func `twenty gateways in parallel do not see each other`() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...20 {
        group.addTask {
          try await withGateway { gateway in
            let phone = try await gateway.device(.ios)
            let push = try await APNsPush(
              to: phone.apnsToken, title: "To phone \(number)", body: "")
            #expect(try await gateway.sender.send(push).isAccepted)
            #expect(try await phone.expectPush().title == "To phone \(number)")
            #expect(await gateway.envelopes().count == 1)
            return gateway.port
          }
        }
      }
      var count = 0
      for try await port in group where port > 0 { count += 1 }
      #expect(count == 20)
    }
  }

  @Test func `the same seed makes the same tokens`() async throws {
    func token() async throws -> String {
      try await withGateway(GatewayOptions(seed: 7)) { try await $0.device(.ios).apnsToken }
    }
    #expect(try await token() == token())
  }

  @Test func `a gateway can refuse tokens that no device has`() async throws {
    let unknown = APNsPush(to: String(repeating: "ab", count: 32), title: "Hello", body: "")
    for accepts in [true, false] {
      try await withGateway(GatewayOptions(acceptsUnknownTokens: accepts)) { gateway in
        let answer = try await gateway.sender.send(unknown)
        #expect(answer.isAccepted == accepts)
      }
    }
  }

  @MainActor
  @Test func `a test on the main actor can use it`() async throws {
    var titles: [String?] = []
    try await withGateway { gateway in
      let phone = try await gateway.device(.android)
      try await gateway.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      titles.append(try await phone.expectPush().title)
    }
    #expect(titles == ["Hello"])
  }
}
