import PushpitCrypto
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

  init(
    account: ServiceAccount, scopes: [String], expiresAt: Timestamp, facts: CredentialFacts,
    maySend: Bool
  ) {
    self.account = account
    self.scopes = scopes
    self.expiresAt = expiresAt
    self.facts = facts
    self.maySend = maySend
  }
}

/// The access tokens granted by the token endpoint, and self-signed bearers once verified.
final class AccessTokens {
  /// At most this many are known; the one granted first is forgotten, and then unknown.
  static let limit = 10_000
  /// How long a granted token lives.
  static let lifetime: Duration = .seconds(3600)
  /// Google answers 3599, not 3600 (measured 2026-09-02).
  static let expiresIn = 3599

  /// As long as those of Google's service accounts: a column that cuts one shows here.
  static let tokenLength = 1000

  private var tokens: BoundedTable<ByteKey, AccessToken>
  private let random: RandomSource

  init(random: RandomSource, limit: Int = AccessTokens.limit) {
    self.random = random
    tokens = BoundedTable(limit: limit)
  }

  /// The token of these bytes, expired or not.
  func token(_ bytes: [UInt8]) -> AccessToken? { tokens[ByteKey(bytes)] }

  /// Makes a token: opaque, beginning as those of Google's service accounts do.
  func grant(to account: ServiceAccount, scopes: [String], now: Timestamp) -> String {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    let start = "ya29.c."
    let text = start + random.text(Self.tokenLength - start.utf8.count, of: alphabet)
    let bytes = Array(text.utf8)
    let facts = CredentialFacts(
      kind: .accessToken, keyID: account.privateKeyID, serviceAccount: account.clientEmail,
      fingerprint: SHA256.hex(bytes))
    let token = AccessToken(
      account: account, scopes: scopes, expiresAt: now + Self.lifetime, facts: facts,
      maySend: OAuthScopes.allowSending(scopes))
    tokens.insert(token, for: ByteKey(bytes))
    return text
  }

  /// Remembers a self-signed bearer that was verified.
  func remember(_ token: AccessToken, for bytes: [UInt8]) {
    tokens.insert(token, for: ByteKey(bytes))
  }
}
