import PushpitCrypto
import PushpitModel

/// Judges JSON web tokens of service accounts by what is common to grants and self-signed bearers:
/// signature, issuer and times, in Google's order (measured 2026-09-02).
final class AssertionJudge {
  /// Google: "a short-lived token (60 minutes)".
  static let lifetimeLimit: Int64 = 3600
  /// How far ahead of ours a sender's clock may be; Google's tolerance was not measured.
  static let clockSkewLimit: Int64 = 60
  /// How many assertions are remembered with the clock they were first seen by.
  static let rememberedLimit = 10_000
  /// Two assertions signed in one second have the same bytes, since RS256 has no randomness: one that
  /// comes again so soon may be a new one, and counts as such.
  static let repetitionWindow: Duration = .seconds(2)

  private let credentials: CredentialDirectory
  private let workspaces: WorkspaceDirectory
  /// When an assertion was first seen, and the workspace clock's lead over real time then.
  private struct Sight {
    let moment: Timestamp
    let lead: Duration
  }

  /// The assertions seen, by their SHA-256.
  private var sights: BoundedTable<[UInt8], Sight>

  init(credentials: CredentialDirectory, workspaces: WorkspaceDirectory) {
    self.credentials = credentials
    self.workspaces = workspaces
    sights = BoundedTable(limit: Self.rememberedLimit)
  }

  /// The account that signed an assertion.
  ///
  /// The signature comes before the issuer, so the key is looked for by the key ID too.
  func account(signing assertion: Assertion) throws(OAuthError) -> ServiceAccount {
    guard assertion.algorithm == "RS256" else { throw .invalidSignature }
    let issuers = assertion.issuer.flatMap { credentials.serviceAccounts[$0] } ?? []
    let candidates = issuers.isEmpty ? accounts(keyID: assertion.keyID) : issuers
    guard
      let first = candidates.first(where: { $0.privateKeyID == assertion.keyID })
        ?? candidates.first
    else { throw .unknownAccount }
    var signer = first
    if workspaces[first.workspace].policies.authentication == .verify {
      guard let verified = candidates.first(where: { Self.isSigned(assertion, by: $0) }) else {
        throw .invalidSignature
      }
      signer = verified
    }
    guard !issuers.isEmpty else { throw .unknownAccount }
    return signer
  }

  /// Checks `iat` and `exp`, and returns the expiration by the workspace's clock.
  ///
  /// Senders write real time; what they wrote is moved by the clock's lead at first sight, so an
  /// assertion ages when the clock is advanced afterwards.
  func expiration(
    of assertion: Assertion, account: ServiceAccount, receivedAt: Timestamp
  ) throws(OAuthError) -> Timestamp {
    guard let issuedAt = assertion.issuedAt else { throw .missingIssuedAt }
    guard let expiration = assertion.expiration else { throw .missingExpiration }
    let now = workspaces[account.workspace].clock.time(at: receivedAt)
    let lead = lead(of: assertion, now: now, receivedAt: receivedAt)
    let senderNow = (now + (.zero - lead)).seconds
    let (lifetime, isOverflow) = expiration.subtractingReportingOverflow(issuedAt)
    guard !isOverflow, lifetime <= Self.lifetimeLimit, expiration > senderNow,
      issuedAt <= senderNow + Self.clockSkewLimit
    else { throw .timeframe }
    return Timestamp(milliseconds: expiration * 1000) + lead
  }

  private func lead(of assertion: Assertion, now: Timestamp, receivedAt: Timestamp) -> Duration {
    let digest = SHA256.digest(assertion.compact)
    if let known = sights[digest], receivedAt - known.moment >= Self.repetitionWindow {
      return known.lead
    }
    sights.insert(Sight(moment: receivedAt, lead: now - receivedAt), for: digest)
    return now - receivedAt
  }

  private func accounts(keyID: String?) -> [ServiceAccount] {
    credentials.serviceAccounts.values.joined().filter { $0.privateKeyID == keyID }
  }

  private static func isSigned(_ assertion: Assertion, by account: ServiceAccount) -> Bool {
    guard let key = try? PublicKey(spki: account.publicKey) else { return false }
    return key.isValidRS256(message: assertion.signingInput, signature: assertion.signature)
  }
}
