import PushpitModel
import Testing

@Suite struct UndeclaredTokensTests {
  private func record(_ number: Int) -> TokenRecord {
    TokenRecord(token: Array("token\(number)".utf8), kind: .apns)
  }

  @Test func `tokens that come and go leave no more gaps than there are tokens, and a few`() {
    var tokens = UndeclaredTokens()
    let staying = (0..<20).map(record)
    for record in staying { tokens.append(record) }
    var most = 0
    for number in 0..<1000 {
      let record = record(number)
      tokens.append(record)
      tokens.remove(record)
      most = max(most, tokens.slotCount)
    }
    #expect(most == 2 * 21 + UndeclaredTokens.spareSlotLimit)
    #expect(tokens.count == 20)
    #expect(tokens.records.map(ObjectIdentifier.init) == staying.map(ObjectIdentifier.init))
  }

  @Test func `each is taken once, in order, and the last of all is none`() {
    var tokens = UndeclaredTokens()
    let all = (0..<100).map(record)
    for record in all { tokens.append(record) }
    for record in all where record.token.last == UInt8(ascii: "5") { tokens.remove(record) }
    var taken: [TokenRecord] = []
    while let record = tokens.takeLongUnused() { taken.append(record) }
    let expected = all.filter { $0.token.last != UInt8(ascii: "5") }
    #expect(taken.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
    #expect(tokens.count == 0)
  }

  @Test func `a token is removed once, and can come again`() {
    var tokens = UndeclaredTokens()
    let (one, two) = (record(1), record(2))
    tokens.append(one)
    tokens.append(two)
    for _ in 1...2 { tokens.remove(one) }
    #expect(tokens.count == 1)
    tokens.append(one)
    #expect(tokens.records.map(ObjectIdentifier.init) == [two, one].map(ObjectIdentifier.init))
  }
}
