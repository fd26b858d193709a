import PushpitCrypto
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// `POST https://sts.googleapis.com/v1/token`: a workload identity's subject token for an access
/// token (RFC 8693).
///
/// Parameters are those of Google's discovery document `sts.v1.json`; the error codes are the
/// document's, `invalid_target`'s text is widely reported, the other texts are ours.
struct TokenExchange {
  static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
  private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

  let credentials: CredentialDirectory
  let workspaces: WorkspaceDirectory
  let accessTokens: AccessTokens

  /// Answers an exchange.
  func exchange(
    _ request: PushRequest, outcome: inout PushOutcome
  ) throws(OAuthError) -> FCMAnswer {
    let form = PercentCoding.pairs(request.body)
    func value(_ name: String) -> String { form.last { $0.name == name }?.value ?? "" }
    guard value("grant_type") == Self.grantType else {
      throw .unsupportedGrantType(value("grant_type"))
    }
    let requested = value("requested_token_type")
    guard requested.isEmpty || requested == Self.accessTokenType else {
      throw .exchangeParameter("requested_token_type")
    }
    guard value("subject_token_type") == ExternalAccount.subjectTokenType else {
      throw .exchangeParameter("subject_token_type")
    }
    guard !value("subject_token").isEmpty else { throw .exchangeParameter("subject_token") }
    guard let external = credentials.externalAccounts[value("audience")] else {
      throw .unknownTarget
    }
    outcome.workspace = external.account.workspace
    outcome.credential = CredentialFacts(
      kind: .subjectToken, serviceAccount: external.account.clientEmail,
      subject: external.audience, fingerprint: SHA256.hex(Array(value("subject_token").utf8)))
    guard value("subject_token") == external.subjectToken else { throw .wrongSubjectToken }
    let scopes = value("scope").split(separator: " ").map(String.init)
    guard !scopes.isEmpty, OAuthScopes.areKnown(scopes) else { throw .emptyScope }
    let workspace = workspaces[external.account.workspace]
    let lifetime = workspace.fcm.accessTokenLifetime
    let token = accessTokens.grant(
      to: external.account, scopes: scopes, now: workspace.time(at: request.receivedAt),
      lifetime: lifetime)
    return .authorization(
      200,
      JSONObject([
        "access_token": .string(token.text), "issued_token_type": .string(Self.accessTokenType),
        "token_type": "Bearer",
        // The whole lifetime: what is written of this endpoint has 3600, where 3599 was measured at the
        // token endpoint; no answer of it was captured.
        "expires_in": .int(max(lifetime.milliseconds / 1000, 1)),
      ]), .compact)
  }
}
