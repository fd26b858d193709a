import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct ProviderTokenMintsTests {
  @Test func `12 tokens on 12 connections are explained`() throws {
    let gateway = try Gateway()
    for number in 0..<12 {
      gateway.connection = APNsConnectionState()
      let time = Gateway.now + .milliseconds(number * 364)
      #expect(gateway.send(gateway.jwt(), at: time).status == 200)
    }
    let key = try #require(gateway.service.mints.keys.first)
    #expect(key.keyID == Gateway.keyID && key.teamID == Gateway.teamID)
    #expect((key.count, key.recentCount, key.recentConnectionCount) == (12, 12, 12))
    let diagnosis = try #require(key.diagnosis)
    #expect(diagnosis.code == .providerTokensMintedTooOften)
    #expect(
      diagnosis.what == "12 tokens minted in 4 s on 12 connections by the key \(Gateway.keyID)")
  }

  @Test func `one token on many connections and pushes is one`() throws {
    let gateway = try Gateway()
    for _ in 0..<30 {
      gateway.connection = APNsConnectionState()
      for _ in 0..<2 { #expect(gateway.send(gateway.validPush).status == 200) }
    }
    let key = try #require(gateway.service.mints.keys.first)
    #expect((key.count, key.recentConnectionCount) == (1, 1))
    #expect(key.diagnosis == nil)
  }

  @Test func `tokens that a connection may not bring yet are counted, each once`() throws {
    let gateway = try Gateway()
    let tokens = (0..<6).map { _ in gateway.jwt().text }
    for token in tokens + tokens {
      _ = gateway.send { $0.set("authorization", "bearer " + token) }
    }
    let key = try #require(gateway.service.mints.keys.first)
    #expect(key.count == 6)
    #expect(
      key.diagnosis?.what == "6 tokens minted in 0 s on 1 connection by the key \(Gateway.keyID)")
  }

  @Test func `tokens of 20 workspace minutes ago are no longer recent`() throws {
    let gateway = try Gateway()
    for number in 0..<8 {
      gateway.connection = APNsConnectionState()
      gateway.workspaces.default.clock.offset = .seconds(number * 1200)
      #expect(gateway.send(gateway.jwt()).status == 200)
    }
    let key = try #require(gateway.service.mints.keys.first)
    #expect((key.count, key.recentCount) == (8, 1))
    #expect(key.diagnosis == nil)
    #expect(key.lastAt == Gateway.now + .seconds(7 * 1200))
  }

  @Test func `after the clock was set back, tokens of later moments are not recent`() throws {
    let gateway = try Gateway()
    for offset in [0, 7200, 10] {
      gateway.connection = APNsConnectionState()
      gateway.workspaces.default.clock.offset = .seconds(offset)
      #expect(gateway.send(gateway.jwt()).status == 200)
    }
    let key = try #require(gateway.service.mints.keys.first)
    #expect((key.count, key.recentCount, key.recentConnectionCount) == (3, 2, 2))
  }

  @Test func `invalid tokens are nobody's`() throws {
    let gateway = try Gateway()
    #expect(gateway.send { $0.set("authorization", "bearer x") }.status == 403)
    #expect(gateway.service.mints.keys.isEmpty)
  }

  @Test func `of a key the newest tokens are remembered, and the newest keys`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.authentication = .shape
    gateway.workspaces.default.apns.providerTokenUpdates = nil
    let mints = gateway.service.mints
    for _ in 0...ProviderTokenMints.newestLimit { _ = gateway.send(gateway.jwt()) }
    #expect(mints.keys.first?.recentCount == ProviderTokenMints.newestLimit)
    #expect(mints.keys.first?.count == UInt64(ProviderTokenMints.newestLimit + 1))
    for number in 0..<ProviderTokenMints.keyLimit {
      var jwt = gateway.jwt()
      jwt.header = #"{"alg":"ES256","kid":"\#(number)"}"#
      gateway.connection = APNsConnectionState()
      #expect(gateway.send(jwt).status == 200)
    }
    #expect(mints.keys.count == ProviderTokenMints.keyLimit)
    #expect(mints.keys.first?.keyID == "0")
    #expect(mints.forgottenCount == 1)
  }
}
