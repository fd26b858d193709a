import PushpitModel
import Testing

@Suite struct TokenRegistryTests {
  private func token(_ number: Int) -> [UInt8] { Array("token\(number)".utf8) }

  private func record(_ number: Int, device: String) -> TokenRecord {
    TokenRecord(token: token(number), kind: .apns, device: DeviceID(device))
  }

  @Test func `a registered token is found, and another device cannot take it`() {
    let registry = TokenRegistry()
    #expect(registry.register(record(1, device: "a")))
    #expect(!registry.register(record(1, device: "b")))
    #expect(registry.record(of: token(1))?.device == DeviceID("a"))
  }

  @Test func `of too many undeclared tokens the longest unused is forgotten and counted`() {
    let registry = TokenRegistry(undeclaredLimit: 3)
    for number in 1...3 { _ = registry.adopt(token(number), kind: .apns, workspace: .default) }
    if let first = registry.record(of: token(1)) { registry.touch(first) }
    _ = registry.adopt(token(4), kind: .apns, workspace: .default)
    #expect(registry.record(of: token(1)) != nil)
    #expect(registry.record(of: token(2)) == nil)
    #expect(registry.forgottenCount == 1)
    #expect(registry.undeclaredRecords.count == 3)
  }

  @Test func `a registered token no longer counts as undeclared`() {
    let registry = TokenRegistry(undeclaredLimit: 1)
    _ = registry.adopt(token(1), kind: .apns, workspace: .default)
    #expect(registry.register(record(1, device: "a")))
    _ = registry.adopt(token(2), kind: .apns, workspace: .default)
    #expect(registry.record(of: token(1))?.device == DeviceID("a"))
    #expect(registry.forgottenCount == 0)
  }

  @Test func `a removed token is unknown again`() {
    let registry = TokenRegistry()
    registry.register(record(1, device: "a"))
    registry.remove(token(1))
    #expect(registry.record(of: token(1)) == nil)
  }
}
