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

  @Test func `each workspace has undeclared tokens of its own, which go with it`() {
    let registry = TokenRegistry(undeclaredLimit: 1)
    let ci = WorkspaceID("ci")
    _ = registry.adopt(token(1), kind: .apns, workspace: .default)
    _ = registry.adopt(token(2), kind: .apns, workspace: ci)
    #expect(registry.undeclaredCount == 2 && registry.forgottenCount == 0)
    registry.removeUndeclared(of: ci)
    #expect(registry.record(of: token(1)) != nil && registry.record(of: token(2)) == nil)
    registry.register(record(1, device: "a"))
    #expect(registry.undeclaredCount == 0)
  }

  @Test func `of too many undeclared tokens the longest unused is forgotten and counted`() {
    let registry = TokenRegistry(undeclaredLimit: 3)
    for number in 1...3 { _ = registry.adopt(token(number), kind: .apns, workspace: .default) }
    if let first = registry.record(of: token(1)) { registry.touch(first) }
    _ = registry.adopt(token(4), kind: .apns, workspace: .default)
    #expect(registry.record(of: token(1)) != nil)
    #expect(registry.record(of: token(2)) == nil)
    #expect(registry.forgottenCount == 1)
    #expect(registry.undeclaredRecords().count == 3)
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

  // MARK: At the limit

  private func adopt(_ numbers: [Int], in registry: TokenRegistry) {
    for number in numbers { _ = registry.adopt(token(number), kind: .apns, workspace: .default) }
  }

  private func use(_ numbers: [Int], in registry: TokenRegistry) {
    for number in numbers { registry.record(of: token(number)).map(registry.touch) }
  }

  private func numbers(in registry: TokenRegistry) -> [Int] {
    (0...9).filter { registry.record(of: token($0)) != nil }
  }

  @Test func `a use protects a token once, not for ever`() {
    let registry = TokenRegistry(undeclaredLimit: 3)
    adopt([1, 2, 3], in: registry)
    use([1, 2], in: registry)
    adopt([4], in: registry)
    #expect(numbers(in: registry) == [1, 2, 4])
    // Neither 1 nor 2 was used since, and both are older than 4.
    adopt([5], in: registry)
    #expect(numbers(in: registry) == [2, 4, 5])
    use([2], in: registry)
    adopt([6], in: registry)
    #expect(numbers(in: registry) == [2, 5, 6])
    #expect(registry.forgottenCount == 3)
  }

  @Test func `when all were used the oldest is forgotten`() {
    let registry = TokenRegistry(undeclaredLimit: 3)
    adopt([1, 2, 3], in: registry)
    use([1, 2, 3], in: registry)
    adopt([4, 5], in: registry)
    #expect(numbers(in: registry) == [3, 4, 5])
    #expect(registry.forgottenCount == 2)
  }

  @Test func `registered and removed tokens make room and leave no trace`() {
    let registry = TokenRegistry(undeclaredLimit: 3)
    adopt([1, 2, 3], in: registry)
    use([1, 2], in: registry)
    #expect(registry.register(record(1, device: "a")))
    registry.remove(token(2))
    adopt([2, 4], in: registry)
    #expect(registry.forgottenCount == 0)
    #expect(registry.undeclaredRecords().map(\.token) == [3, 2, 4].map(token))
    // 2 is a new one, which was not used since.
    use([3], in: registry)
    adopt([5], in: registry)
    #expect(numbers(in: registry) == [1, 3, 4, 5])
    #expect(registry.forgottenCount == 1)
  }
}
