import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsConnectionStateTests {
  @Test func `a new connection has nothing to do`() {
    let connection = APNsConnectionState()
    #expect(!connection.hasSeenValidToken)
    #expect(connection.takeStreamLimitChange() == nil)
  }

  // Apple: one stream "until you post a request with a valid authentication token".
  @Test func `the first valid token raises the stream limit to 1000, once`() throws {
    let gateway = try Gateway()
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(gateway.connection.hasSeenValidToken)
    #expect(gateway.connection.takeStreamLimitChange() == 1000)
    #expect(gateway.connection.takeStreamLimitChange() == nil)
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(gateway.connection.takeStreamLimitChange() == nil)
  }

  @Test func `a valid token raises the limit whatever becomes of its push`() throws {
    let gateway = try Gateway()
    #expect(gateway.send { $0.setToken("aaaa") }.status == 400)
    #expect(gateway.connection.takeStreamLimitChange() == 1000)
  }

  @Test(arguments: [nil, "bearer x"])
  func `no valid token, no change`(authorization: String?) throws {
    let gateway = try Gateway()
    #expect(gateway.send { $0.set("authorization", authorization) }.status == 403)
    #expect(gateway.connection.streamLimitChange == nil)
  }

  @Test func `an expired token does not count as valid`() throws {
    let gateway = try Gateway()
    var push = gateway.validPush
    push.receivedAt = Gateway.now + .seconds(3601)
    #expect(gateway.send(push).status == 403)
    #expect(!gateway.connection.hasSeenValidToken)
  }

  @Test func `the last valid token is known by its bytes, a bad one does not replace it`() throws {
    let gateway = try Gateway()
    let push = gateway.validPush
    #expect(gateway.send(push).status == 200)
    let last = try #require(gateway.connection.lastToken)
    _ = gateway.send { $0.set("authorization", "bearer x") }
    #expect(gateway.connection.lastToken === last)
    _ = gateway.send(gateway.validPush)
    #expect(gateway.connection.lastToken !== last)
  }
}
