import PushpitCrypto
import Testing

@testable import PushpitGateway

@Suite struct KeyPoolTests {
  private final class Maker {
    var startedCount = 0
    var taken: [UInt8] = []
    var failureCount = 0
  }

  private let maker = Maker()
  private let pool: KeyPool

  init() {
    pool = KeyPool { [maker] in maker.startedCount += 1 }
  }

  private func take() {
    pool.take { [maker] key in
      switch key {
      case .success(let pair): maker.taken += pair.pem
      case .failure: maker.failureCount += 1
      }
    }
  }

  private func made(_ mark: UInt8) {
    pool.made(.success(RSAKeyPair(pem: [mark], publicKey: [])))
  }

  @Test func `nothing is made before the first is asked for, then one after the other`() {
    #expect(maker.startedCount == 0)
    take()
    take()
    #expect(maker.startedCount == 1 && pool.waitingCount == 2)
    made(1)
    made(2)
    #expect(maker.taken == [1, 2] && pool.waitingCount == 0)
  }

  @Test func `two are kept ready, and each that is taken is made again`() {
    take()
    made(1)
    made(2)
    made(3)
    #expect(maker.startedCount == 3)
    take()
    #expect(maker.taken == [1, 2] && maker.startedCount == 4)
  }

  @Test func `who waits is told when a key cannot be made, and the next try may work`() {
    take()
    pool.made(.failure(CryptoError(operation: "make an RSA key", reasons: ["no entropy"])))
    #expect(maker.failureCount == 1)
    // One was begun to be kept ready; its failure is nobody's.
    pool.made(.failure(CryptoError(operation: "make an RSA key", reasons: ["no entropy"])))
    #expect(maker.startedCount == 2)
    take()
    made(9)
    #expect(maker.taken == [9])
  }

  @Test func `after a stop none is begun`() {
    take()
    pool.stop()
    made(1)
    #expect(maker.startedCount == 1 && maker.taken == [1])
  }

  @Test func `a key pair is a key and its public half`() throws {
    let pair = try RSAKeyPair.make()
    #expect(try PrivateKey(pem: pair.pem).publicKey.spki == pair.publicKey)
  }
}
