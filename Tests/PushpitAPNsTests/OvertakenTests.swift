import PushpitModel
import Testing

@testable import PushpitAPNs

/// The answers to requests that the end of their connection overtook.
@Suite struct OvertakenTests {
  private func refuse(
    _ change: (inout TestPush) -> Void = { _ in }, by cause: APNsService.Overtaking
  ) throws -> TestAnswer {
    try Gateway().refuse(overtakenBy: cause, change)
  }

  // Assumed: Apple lists the reason with 400, and no capture shows when it is given.
  @Test func `a request whose body stopped coming is IdleTimeout`() throws {
    let answer = try refuse({ $0.body = Array("{\"a".utf8) }, by: .silence(.seconds(30)))
    #expect(answer.status == 400)
    #expect(answer.fields == ["apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77"])
    #expect(answer.body == #"{"reason":"IdleTimeout"}"#)
    #expect(answer.code == .requestStalled)
    #expect(answer.outcome.diagnosis?.what.contains("3 bytes came") == true)
    #expect(answer.outcome.diagnosis?.what.contains("30.0 seconds") == true)
  }

  // Assumed: Apple lists the reason with 503, and no capture shows when it is given.
  @Test func `a request that becomes complete during the stop is Shutdown`() throws {
    let answer = try refuse(by: .stop)
    #expect(answer.status == 503)
    #expect(answer.fields == ["apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77"])
    #expect(answer.body == #"{"reason":"Shutdown"}"#)
    #expect(answer.code == .gatewayStopping)
    #expect(!answer.outcome.isAccepted)
    #expect(answer.outcome.recipient == nil)
  }

  @Test func `the record says what the request was, and a missing apns-id is made`() throws {
    let answer = try refuse({ $0.set("apns-id", nil) }, by: .stop)
    #expect(answer.outcome.topic.elementsEqual(Gateway.topic.utf8))
    #expect(answer.outcome.token.elementsEqual(Gateway.deviceToken.utf8))
    #expect(answer.outcome.credential != nil)
    #expect(answer.outcome.apnsID.count == 36)
  }

  @Test func `neither is judged: a bad provider token changes nothing`() throws {
    let answer = try refuse({ $0.set("authorization", "bearer x") }, by: .stop)
    #expect(answer.reason == "Shutdown")
  }

  @Test func `the workspace of a request and then of its connection is that of its key`() throws {
    let gateway = try Gateway()
    let found = gateway.service.workspace(
      of: gateway.validPush.request, connection: gateway.connection)
    #expect(found.id == .default)
    #expect(gateway.connection.workspace == nil)
    #expect(gateway.send { _ in }.status == 200)
    #expect(gateway.connection.workspace == .default)
  }

  @Test(arguments: ["/1/apps/com.example.app/channels", "/4/broadcasts/apps/com.example.app"])
  func `a request about channels keeps the name of its identifier`(path: String) throws {
    let answer = try refuse(
      {
        $0.authority = "localhost"
        $0.target = path
        $0.set("apns-request-id", Gateway.requestID)
      }, by: .stop)
    #expect(answer.fields == ["apns-request-id: \(Gateway.requestID)"])
    #expect(answer.body == #"{"reason":"Shutdown"}"#)
  }
}
