import PushpitJSON

/// The errors of Google's front end: credentials, permissions and the body's form.
extension GoogleError {
  private static let expectation =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. See "
    + "https://developers.google.com/identity/sign-in/web/devconsole-project."

  static let missingCredentialMessage =
    "Request is missing required authentication credential. " + expectation

  /// No credential at all (captured; measured at the front end in 2026).
  static func credentialsMissing(_ method: GoogleMethod = .sendMessage) -> GoogleError {
    GoogleError(
      status: .unauthenticated,
      message: missingCredentialMessage,
      details: [info(of: method, "CREDENTIALS_MISSING")], challenge: .credentialMissing)
  }

  /// A bearer that is nobody's: without details (captured; measured at the front end in 2026).
  static let credentialsInvalid = GoogleError(
    status: .unauthenticated, message: invalidMessage, challenge: .tokenInvalid)

  /// An access token past its time (captured).
  static func accessTokenExpired(_ method: GoogleMethod = .sendMessage) -> GoogleError {
    GoogleError(
      status: .unauthenticated, message: invalidMessage,
      details: [info(of: method, "ACCESS_TOKEN_EXPIRED")], challenge: .tokenInvalid)
  }

  /// A token of another kind, such as an ID token or an API key (the enumeration google.api.ErrorReason).
  static func accessTokenTypeUnsupported(_ method: GoogleMethod = .sendMessage) -> GoogleError {
    GoogleError(
      status: .unauthenticated, message: invalidMessage,
      details: [info(of: method, "ACCESS_TOKEN_TYPE_UNSUPPORTED")], challenge: .tokenInvalid)
  }

  /// A token for other scopes (the enumeration google.api.ErrorReason; a text of many Google APIs).
  static func scopeInsufficient(_ method: GoogleMethod = .sendMessage) -> GoogleError {
    GoogleError(
      status: .permissionDenied, message: "Request had insufficient authentication scopes.",
      details: [info(of: method, "ACCESS_TOKEN_SCOPE_INSUFFICIENT")])
  }

  private static let invalidMessage =
    "Request had invalid authentication credentials. " + expectation

  private static func info(of method: GoogleMethod, _ reason: String) -> Detail {
    .errorInfo(
      reason: reason, domain: "googleapis.com",
      metadata: [
        Metadatum(key: "method", value: method.name),
        Metadatum(key: "service", value: method.service),
      ])
  }

  /// A project that does not exist, or in which the account may not send (seen in the wild).
  ///
  /// The domain was never captured; this is the one of the two candidates that owns the resource.
  static func permissionDenied(
    project: String, _ method: GoogleMethod = .sendMessage
  ) -> GoogleError {
    let permission = method.permission
    return GoogleError(
      status: .permissionDenied,
      message: "Permission '\(permission)' denied on resource "
        + "'//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).",
      details: [
        .errorInfo(
          reason: "IAM_PERMISSION_DENIED", domain: "cloudresourcemanager.googleapis.com",
          metadata: [
            Metadatum(key: "permission", value: permission),
            Metadatum(key: "resource", value: "projects/\(project)"),
          ])
      ])
  }

  /// Fields that do not fit the schema: one violation each, the message is all of them (measured at
  /// the front end in 2026).
  static func invalidFields(_ violations: [FieldViolation]) -> GoogleError {
    GoogleError(
      status: .invalidArgument,
      message: violations.map(\.description).joined(separator: "\n"),
      details: [.badRequest(violations)])
  }

  /// A parameter of the query that no field has.
  ///
  /// Assumed: other Google APIs behind the same front end are widely seen to say so; not captured at FCM.
  static func unknownQueryParameter(_ name: String) -> GoogleError {
    invalidFields([
      FieldViolation(
        nil,
        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
          + "Field '\(name)' could not be found in request message.")
    ])
  }

  /// A field of the mask that the answer cannot have (the front end's text for Google's other APIs;
  /// not captured at FCM).
  static func unknownField(_ path: String) -> GoogleError {
    GoogleError(
      status: .invalidArgument, message: "Request contains an invalid argument.",
      details: [
        .badRequest([
          FieldViolation(
            path,
            "Error expanding 'fields' parameter. Cannot find matching fields for path '\(path)'.")
        ])
      ])
  }

  /// A body that is no JSON: a sentence, an excerpt and a caret, and no details (measured at the
  /// front end in October 2026).
  ///
  /// An excerpt that begins or ends within a character is no valid text, so the general message
  /// takes the place of all three (measured too).
  static func invalidJSON(_ error: LenientJSONError) -> GoogleError {
    var message = "Invalid JSON payload received. \(error.sentence)"
    if let bytes = error.excerpt {
      guard let excerpt = String(validating: bytes, as: UTF8.self) else {
        return GoogleError(
          status: .invalidArgument, message: "Request contains an invalid argument.")
      }
      message += "\n\(excerpt)\n\(String(repeating: " ", count: error.caret))^"
    }
    return GoogleError(status: .invalidArgument, message: message)
  }
}
