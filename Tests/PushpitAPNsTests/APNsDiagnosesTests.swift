import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsDiagnosesTests {
  @Test func `tokens are shortened to eight characters`() {
    #expect(APNsDiagnoses.shortened(Array(Gateway.deviceToken.utf8)) == "0a1b2c3d...")
    #expect(APNsDiagnoses.shortened(Array("abc".utf8)) == "abc")
  }

  @Test func `a sender's long or broken value is cut and repaired`() {
    let long = Array(repeating: UInt8(ascii: "x"), count: 500)[...]
    #expect(APNsDiagnoses.quoted(long).count == 85)
    #expect(APNsDiagnoses.quoted([0xFF]) == "\"\u{FFFD}\"")
  }

  @Test func `no diagnosis of a device token shows more than eight characters of it`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "0123456789abcdef", count: 4)
    let record = gateway.register(token, topic: "com.other")
    var texts: [String] = []
    func note(_ answer: TestAnswer) throws {
      let diagnosis = try #require(answer.outcome.diagnosis)
      texts += [diagnosis.what, diagnosis.fix]
    }
    try note(gateway.send { $0.setToken(token) })
    try note(
      gateway.send {
        $0.setToken(token)
        $0.environment = .production
      })
    record.state = .rotated(at: Gateway.now)
    try note(
      gateway.send {
        $0.setToken(token)
        $0.set("apns-topic", "com.other")
      })
    gateway.workspaces.default.policies.tokens = .strict
    try note(gateway.send { $0.setToken("0123456789" + token.dropFirst(10).reversed()) })
    try note(gateway.send { $0.setToken("0123456789xyz") })
    #expect(texts.count == 10)
    for text in texts { #expect(!text.contains("012345678"), "\(text)") }
  }

  @Test func `each unreadable provider token is explained in its own words`() {
    let faults: [ProviderTokenFault] = [
      .notCompact, .headerNotJSON, .algorithm("HS256"), .keyIDMissing, .claimsNotJSON,
      .teamMissing, .issuedAtUnreadable,
    ]
    #expect(Set(faults.map { APNsDiagnoses.unreadableProviderToken($0).what }).count == 7)
  }
}
