import PushpitModel

extension DiagnosisCode {
  static let accessTokenRevoked = DiagnosisCode("access-token-revoked")
  static let metadataFlavorMissing = DiagnosisCode("metadata-flavor-missing")
  static let metadataUnknown = DiagnosisCode("metadata-unknown")
  static let impersonationRefused = DiagnosisCode("impersonation-refused")
  static let tokenRequestRefused = DiagnosisCode("token-request-refused")
}

/// Credentials that are not a service account's key.
extension FCMDiagnoses {
  static func accessTokenRevoked(_ token: AccessToken) -> Diagnosis {
    Diagnosis(
      .accessTokenRevoked,
      what: "the access token of \(token.account.clientEmail) was revoked by POST /revoke",
      fix: "get a new access token, and forget the old one where it is revoked")
  }

  static let metadataFlavorMissing = Diagnosis(
    .metadataFlavorMissing,
    what: "the request asks the metadata server without the header Metadata-Flavor: Google",
    fix: "send Metadata-Flavor: Google, as Google's libraries do; for pushes use POST "
      + NearestEndpoint.send)

  static func metadataUnknown(_ path: String) -> Diagnosis {
    Diagnosis(
      .metadataUnknown, what: "the metadata server has nothing at \(clipped(path))",
      fix: "ask for project/project-id or instance/service-accounts/default/token under "
        + MetadataServer.root)
  }

  static func impersonationScope(_ scopes: [String]) -> Diagnosis {
    Diagnosis(
      .scopeInsufficient,
      what: "the token's scopes do not allow impersonation: "
        + "\(clipped(scopes.joined(separator: " ")))",
      fix: "exchange the subject token for https://www.googleapis.com/auth/cloud-platform")
  }

  static func impersonationDenied(_ email: String, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .impersonationRefused,
      what: "the token may act as \(account.clientEmail), and the path names \(clipped(email))",
      fix: "use the service_account_impersonation_url of the credential file that was made here")
  }

  static func impersonationArgument(_ name: String) -> Diagnosis {
    Diagnosis(
      .impersonationRefused, what: "the member \(name) of the body is missing or not acceptable",
      fix: "give scope as a list of Google's scopes, and lifetime as seconds up to 3600s")
  }

  /// A refusal of tokeninfo, revoke or STS.
  static func oauthRefused(_ error: OAuthError) -> Diagnosis {
    Diagnosis(
      .tokenRequestRefused, what: "the request was refused: \(clause(error.description))",
      fix: oauthFix(error))
  }

  private static func oauthFix(_ error: OAuthError) -> String {
    switch error {
    case .tokenInvalid, .tokenGone:
      "give an access token of this gateway that is neither expired nor revoked"
    case .noTokenToDescribe: "give the access token as the parameter access_token"
    case .noTokenToRevoke: "give the token as the parameter token"
    case .unknownTarget:
      "use the audience of a file that was made here: pushpit credentials create external-account"
    case .wrongSubjectToken:
      "send what is in the file of credential_source: it is the only good subject token"
    case .emptyScope: "ask for https://www.googleapis.com/auth/cloud-platform"
    default:
      "send the parameters of a token exchange: grant_type \(TokenExchange.grantType), audience, "
        + "subject_token and subject_token_type \(ExternalAccount.subjectTokenType)"
    }
  }

  /// What to do about a refused refresh token grant; nil for other refusals.
  static func refreshFix(_ error: OAuthError) -> String? {
    switch error {
    case .missingClient, .unknownClient, .wrongClientSecret, .missingRefreshToken,
      .unknownRefreshToken:
      "use client_id, client_secret and refresh_token of one file that was made here: "
        + "pushpit credentials create authorized-user"
    case .refreshTokenRevoked:
      "let the user consent again: pushpit credentials create authorized-user"
    case .scopeNotConsented: "ask for https://www.googleapis.com/auth/firebase.messaging"
    default: nil
    }
  }
}
