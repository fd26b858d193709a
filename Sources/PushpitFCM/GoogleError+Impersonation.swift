/// The errors of `generateAccessToken` (iamcredentials).
extension GoogleError {
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

  /// Scopes or a lifetime that cannot be (widely reported).
  static let impersonationArgument = GoogleError(
    status: .invalidArgument, message: "Request contains an invalid argument.")
}
