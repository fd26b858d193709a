import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// What is known of an access token (tokeninfo), and taking one back (revoke).
struct TokenStatus {
  let accessTokens: AccessTokens
  let refreshes: RefreshGrants
  let workspaces: WorkspaceDirectory

  /// The two forms of the answer.
  enum Version {
    /// `/tokeninfo` and `/oauth2/v3/tokeninfo`: every value is a text.
    case third
    /// `/oauth2/v1/tokeninfo` and v2 (the schema Tokeninfo of Google's discovery document).
    case legacy
  }

  /// Answers a request for what is known of a token.
  func describe(
    _ version: Version, _ request: PushRequest, outcome: inout PushOutcome
  ) throws(OAuthError) -> FCMAnswer {
    guard let text = Self.value("access_token", of: request) else { throw .noTokenToDescribe }
    guard let token = accessTokens.token(Array(text.utf8)), token.facts.kind == .accessToken else {
      throw .tokenInvalid
    }
    let account = token.account
    outcome.workspace = account.workspace
    outcome.credential = token.facts
    let now = workspaces[account.workspace].time(at: request.receivedAt)
    guard now < token.expiresAt, !token.isRevoked else { throw .tokenInvalid }
    let left = (token.expiresAt - now).milliseconds / 1000
    let scope = JSONValue.string(token.scopes.joined(separator: " "))
    // Google names the account's client ID here; the project's number is what we have.
    let client = JSONValue.string(account.projectNumber)
    let hasEmail = token.scopes.contains { $0 == "email" || $0.hasSuffix("/auth/userinfo.email") }
    var answer: JSONObject
    switch version {
    case .third:
      answer = JSONObject([
        "azp": client, "aud": client, "scope": scope,
        "exp": .string("\(token.expiresAt.seconds)"), "expires_in": .string("\(left)"),
      ])
      if hasEmail {
        answer["email"] = .string(account.clientEmail)
        answer["email_verified"] = "true"
      }
    case .legacy:
      answer = JSONObject([
        "issued_to": client, "audience": client, "user_id": client, "scope": scope,
        "expires_in": .int(left),
      ])
      if hasEmail {
        answer["email"] = .string(account.clientEmail)
        answer["verified_email"] = true
      }
    }
    answer["access_type"] = token.refreshToken == nil ? "online" : "offline"
    return .authorization(200, answer, .indented)
  }

  /// Answers a request to take back an access token or a refresh token.
  ///
  /// "If the token is an access token and it has a corresponding refresh token, the refresh token
  /// will also be revoked" (Google: Using OAuth 2.0 for web server applications).
  func revoke(
    _ request: PushRequest, outcome: inout PushOutcome
  ) throws(OAuthError) -> FCMAnswer {
    guard let text = Self.value("token", of: request) else { throw .noTokenToRevoke }
    let now = request.receivedAt
    if let token = accessTokens.token(Array(text.utf8)), token.facts.kind == .accessToken {
      outcome.workspace = token.account.workspace
      outcome.credential = token.facts
      guard !token.isRevoked, workspaces[token.account.workspace].time(at: now) < token.expiresAt
      else { throw .tokenGone }
      accessTokens.revoke(token)
      if let refreshToken = token.refreshToken { _ = refreshes.revoke(refreshToken) }
    } else if !refreshes.revoke(text) {
      throw .tokenGone
    }
    return .authorization(200, JSONObject(), .compact)
  }

  /// A parameter of the body or of the query; Google takes either.
  private static func value(_ name: String, of request: PushRequest) -> String? {
    let pairs = PercentCoding.pairs(request.head.query) + PercentCoding.pairs(request.body)
    return pairs.last { $0.name == name && !$0.value.isEmpty }?.value
  }
}
