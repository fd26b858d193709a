import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// Everything about credentials: the token endpoint and what stands around it.
final class OAuthService {
  private let grants: TokenGrants
  private let status: TokenStatus
  private let exchange: TokenExchange
  private let impersonation: Impersonation
  private let metadata: MetadataServer?
  private let refreshes: RefreshGrants

  /// Makes it over the gateway's directories; without a machine's account there is no metadata.
  init(
    credentials: CredentialDirectory, workspaces: WorkspaceDirectory, judge: AssertionJudge,
    accessTokens: AccessTokens, authentication: SenderAuthentication, random: RandomSource,
    tokenEndpoints: [String], machineAccount: ServiceAccount?
  ) {
    let identityTokens = IdentityTokens(random: random)
    let refreshes = RefreshGrants(
      credentials: credentials, workspaces: workspaces, accessTokens: accessTokens,
      identityTokens: identityTokens)
    self.refreshes = refreshes
    grants = TokenGrants(
      judge: judge, workspaces: workspaces, accessTokens: accessTokens,
      identityTokens: identityTokens, refreshes: refreshes, tokenEndpoints: tokenEndpoints)
    status = TokenStatus(
      accessTokens: accessTokens, refreshes: refreshes, workspaces: workspaces)
    exchange = TokenExchange(
      credentials: credentials, workspaces: workspaces, accessTokens: accessTokens)
    impersonation = Impersonation(
      authentication: authentication, workspaces: workspaces, accessTokens: accessTokens)
    metadata = machineAccount.map {
      MetadataServer(account: $0, workspaces: workspaces, accessTokens: accessTokens)
    }
  }

  /// Answers a request to the token endpoint.
  func grant(_ request: PushRequest, outcome: inout PushOutcome) -> FCMAnswer {
    grants.answer(request, outcome: &outcome)
  }

  /// Makes the refresh tokens of a workspace's users good again.
  func forget(_ workspace: WorkspaceID) {
    refreshes.forget(workspace)
  }

  /// Answers a request to any other endpoint.
  func answer(
    _ request: PushRequest, at endpoint: OAuthEndpoint, outcome: inout PushOutcome
  ) -> FCMAnswer {
    do throws(OAuthError) {
      switch endpoint {
      case .tokenInfo(let version):
        return try status.describe(version, request, outcome: &outcome)
      case .revoke:
        return try status.revoke(request, outcome: &outcome)
      case .exchange:
        return try exchange.exchange(request, outcome: &outcome)
      case .generateAccessToken(let email):
        return impersonation.answer(request, email: email, outcome: &outcome)
      case .metadata(let path):
        guard let metadata else {
          outcome.diagnosis = FCMDiagnoses.pathOfNoEndpoint(request.head)
          return .pathNotFound(Array(request.head.path))
        }
        return metadata.answer(request, path: path, outcome: &outcome)
      }
    } catch {
      outcome.reason = error.code
      outcome.diagnosis = FCMDiagnoses.oauthRefused(error)
      return error.isTokenStatus
        ? .authorization(error.status, error.object, .indented) : .grantRefused(error)
    }
  }
}
