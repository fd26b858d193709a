import PushpitModel
import Testing

@testable import PushpitAPNs

/// Apple, Establishing a token-based connection to APNs: the first push binds a connection.
@Suite struct ConnectionKeyTests {
  private let gateway: Gateway

  init() throws {
    gateway = try Gateway()
    // Only the keys are of interest here.
    gateway.workspaces.default.apns.providerTokenUpdates = nil
  }

  @Test func `another team on a connection is InvalidProviderToken, as in Pushy's mock`() throws {
    #expect(gateway.connection.boundKey == nil)
    #expect(gateway.send(gateway.validPush).status == 200)
    let answer = gateway.send(try gateway.jwt(keyID: "OTHERKEY12", teamID: "OTHERTEAM1"))
    #expect(answer.status == 403)
    #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
    #expect(answer.code == .otherTeamOnConnection)
    #expect(gateway.connection.boundKey?.teamID == Gateway.teamID)
    #expect(gateway.connection.boundKey?.keyID == Gateway.keyID)
    #expect(gateway.send(gateway.validPush).status == 200)
  }

  @Test func `another key of the team is UnrelatedKeyIdInToken, and fine on its own`() throws {
    #expect(gateway.send(gateway.validPush).status == 200)
    let other = try gateway.otherKey
    let answer = gateway.send(other)
    #expect(answer.status == 403)
    #expect(answer.body == #"{"reason":"UnrelatedKeyIdInToken"}"#)
    #expect(answer.code == .unrelatedKeyOnConnection)
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(other).status == 200)
    #expect(gateway.send(gateway.validPush).reason == "UnrelatedKeyIdInToken")
  }

  @Test func `a new token of the same key is welcome`() {
    for _ in 0..<3 { #expect(gateway.send(gateway.jwt()).status == 200) }
  }

  @Test(arguments: [true, false])
  func `a key and its related key share a connection, whichever names the other`(
    isFirstNaming: Bool
  ) throws {
    let topics = [Gateway.topic]
    let one = try gateway.jwt(
      keyID: "KEYNUMBER1", topics: topics, relatedTo: isFirstNaming ? "KEYNUMBER2" : nil)
    let two = try gateway.jwt(
      keyID: "KEYNUMBER2", topics: topics, relatedTo: isFirstNaming ? nil : "KEYNUMBER1")
    let stranger = try gateway.jwt(keyID: "KEYNUMBER3", topics: topics)
    #expect(gateway.send(one).status == 200)
    #expect(gateway.send(two).status == 200)
    #expect(gateway.send(one).status == 200)
    #expect(gateway.send(stranger).reason == "UnrelatedKeyIdInToken")
  }

  @Test func `each of two related keys has its own token, and they take turns`() throws {
    gateway.workspaces.default.apns.providerTokenUpdates = 0
    let topics = [Gateway.topic]
    let first = try gateway.jwt(keyID: "KEYNUMBER1", topics: topics)
    let second = try gateway.jwt(keyID: "KEYNUMBER2", topics: topics, relatedTo: "KEYNUMBER1")
    func status(_ text: String) -> Int {
      gateway.send { $0.set("authorization", "bearer " + text) }.status
    }
    // Signed once each, as good senders do.
    let (one, two) = (first.text, second.text)
    for _ in 0..<3 {
      #expect(status(one) == 200)
      #expect(status(two) == 200)
    }
    let answer = gateway.send(second)
    #expect(answer.reason == "TooManyProviderTokenUpdates")
    #expect(answer.outcome.diagnosis?.what.contains("KEYNUMBER2") == true)
    #expect(status(one) == 200)
    #expect(status(two) == 200)
  }

  @Test func `a chain of related keys leads no further than the first key's relatives`() throws {
    let topics = [Gateway.topic]
    let first = try gateway.jwt(keyID: "KEYNUMBER1", topics: topics)
    let second = try gateway.jwt(keyID: "KEYNUMBER2", topics: topics, relatedTo: "KEYNUMBER1")
    let third = try gateway.jwt(keyID: "KEYNUMBER3", topics: topics, relatedTo: "KEYNUMBER2")
    #expect(gateway.send(first).status == 200)
    #expect(gateway.send(second).status == 200)
    #expect(gateway.send(third).reason == "UnrelatedKeyIdInToken")
    #expect(gateway.connection.boundKey?.keyID == "KEYNUMBER1")
    #expect(gateway.send(first).status == 200)
  }

  @Test func `a team-scoped key and a topic-specific one are never related`() throws {
    let specific = try gateway.jwt(
      keyID: "KEYNUMBER1", topics: [Gateway.topic], relatedTo: Gateway.keyID)
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(gateway.send(specific).reason == "UnrelatedKeyIdInToken")
  }

  @Test func `a token that is refused binds nothing`() throws {
    var old = try gateway.otherKey
    old.claims = #"{"iss":"TEAMIDTEAM","iat":1600000000}"#
    gateway.workspaces.default.apns.wedge = .off
    #expect(gateway.send(old).reason == "ExpiredProviderToken")
    #expect(gateway.connection.boundKey == nil)
    #expect(gateway.send(gateway.validPush).status == 200)
  }
}
