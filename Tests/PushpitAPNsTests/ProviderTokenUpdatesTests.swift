import PushpitModel
import Testing

@testable import PushpitAPNs

/// Apple, Establishing a token-based connection to APNs: an error for "a new token more than once
/// every 20 minutes on the same connection".
@Suite struct ProviderTokenUpdatesTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
    #expect(gateway.send(gateway.validPush).status == 200)
  }

  @Test func `a second token is 429 at once, and the first one goes on`() {
    for _ in 0..<2 {
      let answer = gateway.send(gateway.jwt())
      #expect(answer.status == 429)
      #expect(answer.body == #"{"reason":"TooManyProviderTokenUpdates"}"#)
      #expect(answer.code == .providerTokenUpdatedTooOften)
    }
    #expect(gateway.send(gateway.validPush).status == 200)
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(gateway.jwt()).status == 200, "another connection counts for itself")
  }

  @Test(arguments: [(1199, 429), (1200, 200)])
  func `after 20 minutes of the workspace's clock a new token is good`(seconds: Int, status: Int) {
    gateway.workspaces.default.clock.offset = .seconds(seconds)
    #expect(gateway.send(gateway.jwt()).status == status)
    #expect(gateway.send(gateway.jwt()).status == 429, "its own 20 minutes begin")
  }

  // 5 have been seen to pass.
  @Test func `an allowance of 5 lets five more tokens pass in 20 minutes`() {
    gateway.workspaces.default.apns.providerTokenUpdates = 5
    let statuses = (0..<6).map { _ in gateway.send(gateway.jwt()).status }
    #expect(statuses == [200, 200, 200, 200, 200, 429])
  }

  @Test func `no limit, no refusal`() {
    gateway.workspaces.default.apns.providerTokenUpdates = nil
    for _ in 0..<20 { #expect(gateway.send(gateway.jwt()).status == 200) }
  }

  // PyAPNs2 issue 76: a token for each topic, in turn.
  @Test func `going back to an earlier token counts as a new one`() {
    gateway.workspaces.default.apns.providerTokenUpdates = 1
    #expect(gateway.send(gateway.jwt()).status == 200)
    #expect(gateway.send(gateway.validPush).status == 429)
  }

  @Test func `a token that is refused for itself does not count`() throws {
    #expect(gateway.send { $0.set("authorization", "bearer x") }.status == 403)
    gateway.workspaces.default.clock.offset = .seconds(1200)
    #expect(gateway.send(gateway.jwt()).status == 200)
  }

  @Test func `a clock that was set back begins anew`() {
    gateway.workspaces.default.clock.offset = .seconds(-60)
    #expect(gateway.send(gateway.jwt()).status == 200)
    #expect(gateway.send(gateway.jwt()).status == 429)
  }
}
