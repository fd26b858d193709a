import PushpitCrypto
import PushpitJSON
import PushpitModel

/// The refresh token grant of users (`authorized_user`, gcloud's own login).
///
/// The texts are those that senders report; their order is assumed: the client before the token,
/// since Google answers `invalid_client` whatever the refresh token is.
final class RefreshGrants {
  static let grantType = "refresh_token"
  /// What the user consented to when the sender names no scopes: those of gcloud's login.
  static let consentedScopes = [
    "https://www.googleapis.com/auth/cloud-platform",
    "https://www.googleapis.com/auth/userinfo.email", "openid",
  ]

  private let credentials: CredentialDirectory
  private let workspaces: WorkspaceDirectory
  private let accessTokens: AccessTokens
  private let identityTokens: IdentityTokens
  /// At most as many as there are users.
  private var revoked: Set<String> = []

  init(
    credentials: CredentialDirectory, workspaces: WorkspaceDirectory, accessTokens: AccessTokens,
    identityTokens: IdentityTokens
  ) {
    self.credentials = credentials
    self.workspaces = workspaces
    self.accessTokens = accessTokens
    self.identityTokens = identityTokens
  }

  /// Grants an access token to the owner of a refresh token.
  func grant(
    _ form: [(name: String, value: String)], receivedAt: Timestamp, outcome: inout PushOutcome
  ) throws(OAuthError) -> FCMAnswer {
    func value(_ name: String) -> String { form.last { $0.name == name }?.value ?? "" }
    let clientID = value("client_id")
    guard !clientID.isEmpty else { throw .missingClient }
    guard let user = credentials.authorizedUsers[clientID] else { throw .unknownClient }
    outcome.workspace = user.account.workspace
    outcome.credential = CredentialFacts(
      kind: .refreshToken, serviceAccount: user.account.clientEmail, subject: clientID,
      fingerprint: SHA256.hex(Array(value("refresh_token").utf8)))
    guard value("client_secret") == user.clientSecret else { throw .wrongClientSecret }
    guard !value("refresh_token").isEmpty else { throw .missingRefreshToken }
    guard value("refresh_token") == user.refreshToken else { throw .unknownRefreshToken }
    guard !revoked.contains(user.refreshToken) else { throw .refreshTokenRevoked }
    let asked = value("scope").split(separator: " ").map(String.init)
    guard OAuthScopes.areKnown(asked) else { throw .scopeNotConsented }
    let workspace = workspaces[user.account.workspace]
    let (now, lifetime) = (workspace.time(at: receivedAt), workspace.fcm.accessTokenLifetime)
    let scopes = asked.isEmpty ? Self.consentedScopes : asked
    let token = accessTokens.grant(
      to: user.account, scopes: scopes, now: now, lifetime: lifetime,
      refreshToken: user.refreshToken)
    var answer = JSONObject([
      "access_token": .string(token.text), "expires_in": .int(token.expiresIn),
      "scope": .string(scopes.joined(separator: " ")), "token_type": "Bearer",
    ])
    if scopes.contains("openid") {
      answer["id_token"] = .string(
        identityTokens.make(
          for: user.account, audience: clientID, now: now, lifetime: lifetime))
    }
    return .authorization(200, answer, .compact)
  }

  /// Makes the refresh tokens of a workspace's users good again.
  func forget(_ workspace: WorkspaceID) {
    for user in credentials.authorizedUsers.values where user.account.workspace == workspace {
      revoked.remove(user.refreshToken)
    }
  }

  /// Takes back a refresh token and what it granted; false when nobody has it any more.
  func revoke(_ refreshToken: String) -> Bool {
    guard credentials.authorizedUsers.values.contains(where: { $0.refreshToken == refreshToken }),
      revoked.insert(refreshToken).inserted
    else { return false }
    accessTokens.revokeAll(grantedFor: refreshToken)
    return true
  }
}
