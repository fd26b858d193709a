import PushpitCrypto
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// The token endpoint, as far as service accounts use it: the JWT bearer grant (RFC 7523).
///
/// The order of its checks is Google's, measured on 2026-09-02: structure, signature, `iss`, presence
/// of `iat` and `exp`, time window, empty `scope`, `aud`.
final class TokenGrants {
  private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  /// Google's names of its token endpoint; some libraries send one of them whatever `token_uri` says.
  private static let googleAudiences = [
    "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
    "https://accounts.google.com/o/oauth2/token",
  ]

  private let judge: AssertionJudge
  private let workspaces: WorkspaceDirectory
  private let accessTokens: AccessTokens
  private let random: RandomSource
  private let ownHosts: Set<String>

  /// `tokenEndpoints` are names or URLs that the gateway is reached by.
  init(
    judge: AssertionJudge, workspaces: WorkspaceDirectory, accessTokens: AccessTokens,
    random: RandomSource, tokenEndpoints: [String]
  ) {
    self.judge = judge
    self.workspaces = workspaces
    self.accessTokens = accessTokens
    self.random = random
    ownHosts = Set(
      tokenEndpoints.map { HostName.parts(ofURL: $0)?.host ?? HostName.host(ofAuthority: $0.utf8) })
  }

  /// Answers a request to the token endpoint.
  func answer(_ request: PushRequest, outcome: inout PushOutcome) -> FCMAnswer {
    do {
      return try grant(request, outcome: &outcome)
    } catch {
      outcome.reason = error.code
      outcome.diagnosis = FCMDiagnoses.grantRefused(error)
      return .grantRefused(error)
    }
  }

  private func grant(
    _ request: PushRequest, outcome: inout PushOutcome
  ) throws(OAuthError) -> FCMAnswer {
    // Of repeated parameters the last one counts, as everywhere in Google's APIs.
    let form = PercentCoding.pairs(request.body)
    let grantType = form.last { $0.name == "grant_type" }?.value ?? ""
    guard grantType == Self.jwtBearer else { throw .unsupportedGrantType(grantType) }
    let compact = form.last { $0.name == "assertion" }?.value ?? ""
    guard let assertion = Assertion(compact: Array(compact.utf8)) else {
      throw .malformedAssertion
    }
    outcome.credential = assertion.facts(.assertion)
    let account = try judge.account(signing: assertion)
    outcome.workspace = account.workspace
    _ = try judge.expiration(of: assertion, account: account, receivedAt: request.receivedAt)
    let scopes = assertion.scopes
    guard !scopes.isEmpty else { throw .emptyScope }
    guard isOwnAudience(assertion.audience) else { throw .audience }
    if let subject = assertion.subject, subject != account.clientEmail {
      throw .subjectNotDelegated
    }
    let now = workspaces[account.workspace].clock.time(at: request.receivedAt)
    guard OAuthScopes.areKnown(scopes) else {
      outcome.warnings.append(FCMDiagnoses.scopeUnknown(scopes))
      return .identityToken(
        identityToken(for: account, audience: scopes.joined(separator: " "), now: now))
    }
    let token = accessTokens.grant(to: account, scopes: scopes, now: now)
    return .accessToken(token, expiresIn: AccessTokens.expiresIn)
  }

  /// Google's own URLs, and any URL of the gateway's names whose path is a token endpoint.
  private func isOwnAudience(_ audience: String?) -> Bool {
    guard let audience else { return false }
    if Self.googleAudiences.contains(audience) { return true }
    guard let (host, path) = HostName.parts(ofURL: audience) else { return false }
    return ownHosts.contains(host) && GoogleEndpoint.tokenPaths.contains(path)
  }

  /// An ID token by its shape: the claims are Google's, the signature is 256 random bytes.
  ///
  /// Nothing that sends pushes can use it, which is the point: Google answers so to an unknown scope.
  private func identityToken(
    for account: ServiceAccount, audience: String, now: Timestamp
  ) -> String {
    let header: JSONValue = ["alg": "RS256", "kid": .string(random.hex(40)), "typ": "JWT"]
    let claims: JSONValue = [
      "aud": .string(audience),
      "azp": .string(account.clientEmail),
      "email": .string(account.clientEmail),
      "email_verified": true,
      "exp": .int((now + AccessTokens.lifetime).seconds),
      "iat": .int(now.seconds),
      "iss": "https://accounts.google.com",
      "sub": .string(account.projectNumber),
    ]
    let signature = (0..<256).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return [header.serialized(), claims.serialized(), signature]
      .map { Base64.encode($0, url: true, padded: false) }.joined(separator: ".")
  }
}
