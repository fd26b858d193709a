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

  // openradar 27870881 (2016): SETTINGS with 1 after a rejected push; after the next accepted push
  // the old limit. Seen again in 2017.
  @Test func `a throttled connection has one stream from a rejection to an acceptance`() throws {
    let gateway = try Gateway()
    func change(after status: Int) -> Int? {
      gateway.connection.throttle(after: status)
      return gateway.connection.takeStreamLimitChange()
    }
    #expect(change(after: 403) == nil)
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(change(after: 200) == 1000)
    #expect(change(after: 400) == 1)
    #expect(change(after: 403) == nil)
    #expect(change(after: 410) == nil)
    #expect(change(after: 200) == 1000)
    #expect(change(after: 200) == nil)
    // Apple: "410 isn't considered an error condition".
    #expect(change(after: 410) == nil)
  }

  @Test func `a first valid token whose push is rejected leaves one stream`() throws {
    let gateway = try Gateway()
    #expect(gateway.send { $0.setToken("aaaa") }.status == 400)
    gateway.connection.throttle(after: 400)
    #expect(gateway.connection.takeStreamLimitChange() == 1)
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
    gateway.workspaces.default.apns.providerTokenUpdates = 1
    let push = gateway.validPush
    #expect(gateway.send(push).status == 200)
    let last = try #require(gateway.connection.lastToken)
    _ = gateway.send { $0.set("authorization", "bearer x") }
    #expect(gateway.connection.lastToken === last)
    #expect(gateway.send(gateway.jwt()).status == 200)
    #expect(gateway.connection.lastToken !== last)
  }
}
