import PushpitModel
import Testing

@testable import PushpitAPNs

/// Pushy pull request 783 (2020): after ExpiredProviderToken a connection takes no token any more;
/// Pushy issues 408 and 529 (2016, 2017): it answers InternalServerError.
@Suite struct WedgeTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
    #expect(gateway.send(gateway.validPush).status == 200)
    gateway.workspaces.default.clock.offset = .seconds(3601)
    #expect(gateway.send(gateway.validPush).reason == "ExpiredProviderToken")
  }

  @Test func `a fresh token on the connection is ExpiredProviderToken too, observed 2020`() {
    for _ in 0..<3 {
      let answer = gateway.send(gateway.jwt())
      #expect(answer.status == 403)
      #expect(answer.body == #"{"reason":"ExpiredProviderToken"}"#)
      #expect(answer.code == .connectionWedged)
    }
  }

  @Test func `a fresh token on a new connection is good`() {
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(gateway.jwt()).status == 200)
  }

  @Test func `with wedge internal-error everything is a 500, observed 2016 and 2017`() {
    gateway.workspaces.default.apns.wedge = .internalError
    for jwt in [gateway.jwt(), gateway.jwt()] {
      let answer = gateway.send(jwt)
      #expect(answer.status == 500)
      #expect(answer.body == #"{"reason":"InternalServerError"}"#)
      #expect(answer.code == .connectionWedged)
    }
  }

  @Test func `with wedge off a fresh token is judged by itself`() {
    gateway.workspaces.default.apns.wedge = .off
    #expect(gateway.send(gateway.validPush).reason == "ExpiredProviderToken")
    #expect(gateway.send(gateway.jwt()).status == 200)
  }

  @Test func `a token that is expired at its first use wedges the connection as well`() throws {
    let gateway = try Gateway()
    var old = gateway.jwt()
    old.claims = #"{"iss":"TEAMIDTEAM","iat":1699996399}"#
    #expect(gateway.send(old).code == .providerTokenExpired)
    #expect(gateway.send(gateway.validPush).code == .connectionWedged)
  }
}
