internal import PushpitCrypto

/// RSA keys for new workspaces, made off the loop one after the other, so that no push waits for one.
///
/// Idle until the first is asked for; from then on some are kept ready. Owned by the loop.
final class KeyPool {
  /// So many are kept ready.
  static let readyCount = 2

  /// Starts making one, elsewhere; `made` is called on the loop when it is done.
  private let startMaking: () -> Void
  private var ready: [RSAKeyPair] = []
  private var waiting: [(Result<RSAKeyPair, CryptoError>) -> Void] = []
  private var isMaking = false
  private var isStopped = false

  init(startMaking: @escaping () -> Void) {
    self.startMaking = startMaking
  }

  /// How many wait for a key.
  var waitingCount: Int { waiting.count }

  /// Calls back with a key, at once when one is ready.
  func take(_ use: @escaping (Result<RSAKeyPair, CryptoError>) -> Void) {
    if ready.isEmpty {
      waiting.append(use)
    } else {
      use(.success(ready.removeFirst()))
    }
    fill()
  }

  /// One was made, or could not be.
  func made(_ result: Result<RSAKeyPair, CryptoError>) {
    isMaking = false
    if waiting.isEmpty {
      // Nobody waits for what failed; the next that asks has it tried again.
      guard case .success(let key) = result else { return }
      ready.append(key)
    } else {
      waiting.removeFirst()(result)
    }
    fill()
  }

  /// Begins no more.
  func stop() {
    isStopped = true
  }

  private func fill() {
    guard !isStopped, !isMaking, ready.count < Self.readyCount || !waiting.isEmpty else { return }
    isMaking = true
    startMaking()
  }
}
