import PushpitJSON

/// The refresh token grant; the texts are widely reported, none was measured.
extension OAuthError {
  static let missingClient = OAuthError(
    "invalid_request", "Could not determine client ID from request.")
  static let unknownClient = OAuthError(
    "invalid_client", "The OAuth client was not found.", status: 401)
  static let wrongClientSecret = OAuthError("invalid_client", "Unauthorized", status: 401)
  static let missingRefreshToken = OAuthError(
    "invalid_request", "Missing required parameter: refresh_token")
  static let unknownRefreshToken = OAuthError("invalid_grant", "Bad Request")
  static let refreshTokenRevoked = OAuthError(
    "invalid_grant", "Token has been expired or revoked.")
  /// What google-auth reports of scopes that the user did not consent to.
  static let scopeNotConsented = OAuthError("invalid_scope", "Bad Request")
}

/// tokeninfo and revoke; the texts are widely reported, none was measured.
extension OAuthError {
  static let tokenInvalid = OAuthError("invalid_token", "Invalid Value")
  static let noTokenToDescribe = OAuthError(
    "invalid_request", "either access_token, id_token, or token_handle required")
  static let tokenGone = OAuthError("invalid_token", "Token expired or revoked")
  static let noTokenToRevoke = OAuthError(
    "invalid_request", "Missing required parameter: token")

  /// Whether it is one of these, whose bodies are indented.
  var isTokenStatus: Bool {
    [Self.tokenInvalid, .noTokenToDescribe, .tokenGone, .noTokenToRevoke].contains(self)
  }

  /// The body as an object.
  var object: JSONObject {
    JSONObject(["error": .string(code), "error_description": .string(description)])
  }
}

/// STS; the codes are those of its discovery document.
extension OAuthError {
  /// Widely reported.
  static let unknownTarget = OAuthError(
    "invalid_target",
    "The target service indicated by the \"audience\" parameters is invalid. This might either "
      + "be because the pool or provider is disabled or deleted or because it doesn't exist.")
  /// The wording is assumed: it depends on the kind of provider.
  static let wrongSubjectToken = OAuthError(
    "invalid_grant", "The subject token is not valid for this provider.")

  /// The wording is assumed.
  static func exchangeParameter(_ name: String) -> OAuthError {
    OAuthError("invalid_request", "Invalid value for \"\(name)\".")
  }
}
