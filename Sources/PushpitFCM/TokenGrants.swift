import PushpitHTTPTypes
import PushpitModel

/// The token endpoint: the JWT bearer grant of service accounts (RFC 7523) and the refresh token
/// grant of users (RFC 6749 section 6).
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
  private let identityTokens: IdentityTokens
  private let refreshes: RefreshGrants
  private let ownHosts: Set<String>

  /// `tokenEndpoints` are names or URLs that the gateway is reached by.
  init(
    judge: AssertionJudge, workspaces: WorkspaceDirectory, accessTokens: AccessTokens,
    identityTokens: IdentityTokens, refreshes: RefreshGrants, tokenEndpoints: [String]
  ) {
    self.judge = judge
    self.workspaces = workspaces
    self.accessTokens = accessTokens
    self.identityTokens = identityTokens
    self.refreshes = refreshes
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
    if grantType == RefreshGrants.grantType {
      return try refreshes.grant(form, receivedAt: request.receivedAt, outcome: &outcome)
    }
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
    let workspace = workspaces[account.workspace]
    let now = workspace.clock.time(at: request.receivedAt)
    let lifetime = workspace.fcm.accessTokenLifetime
    guard OAuthScopes.areKnown(scopes) else {
      outcome.warnings.append(FCMDiagnoses.scopeUnknown(scopes))
      return .identityToken(
        identityTokens.make(
          for: account, audience: scopes.joined(separator: " "), now: now, lifetime: lifetime))
    }
    return .accessToken(
      accessTokens.grant(to: account, scopes: scopes, now: now, lifetime: lifetime))
  }

  /// Google's own URLs, and any URL of the gateway's names whose path is a token endpoint.
  private func isOwnAudience(_ audience: String?) -> Bool {
    guard let audience else { return false }
    if Self.googleAudiences.contains(audience) { return true }
    guard let (host, path) = HostName.parts(ofURL: audience) else { return false }
    return ownHosts.contains(host) && GoogleEndpoint.tokenPaths.contains(path)
  }
}
