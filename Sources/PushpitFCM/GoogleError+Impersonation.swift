/// The errors of `generateAccessToken` (iamcredentials).
extension GoogleError {
  private static let service = "iamcredentials.googleapis.com"

  /// Another account, or one that does not exist (widely reported).
  static let impersonationDenied = GoogleError(
    status: .permissionDenied,
    message: "Permission 'iam.serviceAccounts.getAccessToken' denied on resource "
      + "(or it may not exist).",
    details: [
      .errorInfo(
        reason: "IAM_PERMISSION_DENIED", domain: "iam.googleapis.com",
        metadata: [
          Metadatum(key: "permission", value: "iam.serviceAccounts.getAccessToken")
        ])
    ])

  /// A caller whose scopes are for something else; by analogy with sends.
  static let impersonationScopeInsufficient = GoogleError(
    status: .permissionDenied, message: "Request had insufficient authentication scopes.",
    details: [
      .errorInfo(
        reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT", domain: "googleapis.com",
        metadata: [
          Metadatum(
            key: "method", value: "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken"),
          Metadatum(key: "service", value: service),
        ])
    ])

  /// Scopes or a lifetime that cannot be (widely reported).
  static let impersonationArgument = GoogleError(
    status: .invalidArgument, message: "Request contains an invalid argument.")
}
