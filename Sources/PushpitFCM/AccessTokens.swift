import PushpitCrypto
import PushpitHTTPTypes
import PushpitModel

/// A bearer that was granted or verified.
final class AccessToken {
  let account: ServiceAccount
  let scopes: [String]
  /// By the clock of the account's workspace.
  let expiresAt: Timestamp
  let facts: CredentialFacts
  /// Whether its scopes allow sending.
  let maySend: Bool
  /// The refresh token that it was granted for; nil for an account's own.
  let refreshToken: String?
  /// Its owner took it back; on the path of every send, and on the loop's thread only.
  @exclusivity(unchecked) fileprivate(set) var isRevoked = false

  init(
    account: ServiceAccount, scopes: [String], expiresAt: Timestamp, facts: CredentialFacts,
    maySend: Bool, refreshToken: String? = nil
  ) {
    self.account = account
    self.scopes = scopes
    self.expiresAt = expiresAt
    self.facts = facts
    self.maySend = maySend
    self.refreshToken = refreshToken
  }
}

/// The access tokens granted by the token endpoint, and self-signed bearers once verified.
///
/// No run-time exclusivity checks on the hot path's property: all accesses happen on the loop's
/// thread, and it is only read and assigned as a whole.
final class AccessTokens {
  /// At most this many are known; those that have expired make room, and else the one granted first,
  /// which is unknown then.
  static let limit = 10_000

  /// A token that was made, and what its `expires_in` is.
  struct Grant {
    let text: String
    let expiresAt: Timestamp
    /// One second less than the lifetime: Google answers 3599, not 3600 (measured 2026-09-02).
    let expiresIn: Int64
  }

  private var tokens: BoundedTable<ByteKey, AccessToken>
  /// The token that was asked for last: a sender comes with the same one for an hour, and to compare a
  /// thousand bytes costs a tenth of hashing them.
  @exclusivity(unchecked) private var last: (bytes: [UInt8], token: AccessToken)?
  private let random: RandomSource
  private let isExpired: (AccessToken) -> Bool
  /// How many more are added before expired ones are looked for again.
  private var countUntilSearch = 0

  /// `isExpired` tells by the clock of the token's workspace.
  init(
    random: RandomSource, limit: Int = AccessTokens.limit,
    isExpired: @escaping (AccessToken) -> Bool
  ) {
    self.random = random
    self.isExpired = isExpired
    tokens = BoundedTable(limit: limit)
  }

  /// The token of these bytes, expired or not.
  func token(_ bytes: [UInt8]) -> AccessToken? {
    guard let token = tokens[ByteKey(bytes)] else { return nil }
    last = (bytes, token)
    return token
  }

  /// The token that was asked for last, when it has these bytes.
  func lastToken(equalTo bytes: UnsafeBufferPointer<UInt8>) -> AccessToken? {
    guard let last, last.bytes.withUnsafeBufferPointer({ $0.hasBytes(of: bytes) }) else {
      return nil
    }
    return last.token
  }

  /// Makes a token: opaque, beginning as Google's for a service account or, with a refresh token, for
  /// a user.
  ///
  /// It is as long as Google's too: a column that cuts it shows here.
  func grant(
    to account: ServiceAccount, scopes: [String], now: Timestamp, lifetime: Duration,
    refreshToken: String? = nil
  ) -> Grant {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    let start = refreshToken == nil ? "ya29.c." : "ya29.a0"
    let length = refreshToken == nil ? 1000 : 220
    let text = start + random.text(length - start.utf8.count, of: alphabet)
    let bytes = Array(text.utf8)
    let facts = CredentialFacts(
      kind: .accessToken, keyID: account.privateKeyID, serviceAccount: account.clientEmail,
      fingerprint: SHA256.hex(bytes))
    let token = AccessToken(
      account: account, scopes: scopes, expiresAt: now + lifetime, facts: facts,
      maySend: OAuthScopes.allowSending(scopes), refreshToken: refreshToken)
    add(token, for: bytes)
    return Grant(
      text: text, expiresAt: token.expiresAt,
      expiresIn: max(lifetime.milliseconds / 1000 - 1, 1))
  }

  /// Takes a token back.
  func revoke(_ token: AccessToken) {
    token.isRevoked = true
  }

  /// Takes back every token that was granted for a refresh token.
  func revokeAll(grantedFor refreshToken: String) {
    for token in tokens.all where token.refreshToken == refreshToken { token.isRevoked = true }
  }

  /// Forgets every token of the accounts for which this is true.
  func forget(where isToGo: (ServiceAccount) -> Bool) {
    tokens.removeAll { isToGo($0.account) }
    last = nil
  }

  /// Remembers a self-signed bearer that was verified.
  func remember(_ token: AccessToken, for bytes: [UInt8]) {
    add(token, for: bytes)
  }

  private func add(_ token: AccessToken, for bytes: [UInt8]) {
    if tokens.isFull { makeRoom() }
    tokens.insert(token, for: ByteKey(bytes))
    // It may be the one that made room.
    last = nil
  }

  /// Forgets those that have expired.
  ///
  /// When there are none, so many tokens are added before the next search that it costs each of them a
  /// look at a hundred others.
  private func makeRoom() {
    guard countUntilSearch == 0 else {
      countUntilSearch -= 1
      return
    }
    tokens.removeAll(where: isExpired)
    countUntilSearch = tokens.isFull ? tokens.limit / 100 : 0
  }
}
