/// A refusal of the token endpoint (RFC 6749 section 5.2), with the texts measured at Google on
/// 2026-09-02.
struct OAuthError: Error, Sendable, Equatable {
  /// 400 but for an unauthorized client.
  let status: Int
  /// The `error`.
  let code: String
  /// The `error_description`.
  let description: String

  init(_ code: String, _ description: String, status: Int = 400) {
    self.status = status
    self.code = code
    self.description = description
  }

  static func unsupportedGrantType(_ value: String) -> OAuthError {
    OAuthError("unsupported_grant_type", "Invalid grant_type: \(value)")
  }

  static let malformedAssertion = OAuthError("invalid_request", "Bad Request")
  static let invalidSignature = OAuthError("invalid_grant", "Invalid JWT Signature.")
  static let unknownAccount = OAuthError("invalid_grant", "Invalid grant: account not found")
  static let missingIssuedAt = OAuthError(
    "invalid_grant", "Invalid JWT: iat (issued at) is not set.")
  static let missingExpiration = OAuthError(
    "invalid_grant", "Invalid JWT: exp (expiration time) is not set.")
  static let timeframe = OAuthError(
    "invalid_grant",
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
      + "Check your iat and exp values in the JWT claim.")
  static let emptyScope = OAuthError(
    "invalid_scope", "Invalid OAuth scope or ID token audience provided.")
  static let audience = OAuthError("invalid_grant", "Invalid JWT: Failed audience check.")
  /// 401 as commonly reported; not measured.
  static let subjectNotDelegated = OAuthError(
    "unauthorized_client",
    "Client is unauthorized to retrieve access tokens using this method, or client not "
      + "authorized for any of the scopes requested.", status: 401)
  /// A failure of Google's own, which google-auth tries again; only an injected fault causes it.
  static let internalFailure = OAuthError("internal_failure", "Backend Error", status: 500)
}
