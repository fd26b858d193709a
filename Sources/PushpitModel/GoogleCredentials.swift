/// A Google user who consented once (`authorized_user`): a refresh token of one client.
package struct AuthorizedUser: Sendable, Equatable {
  package let clientID: String
  package let clientSecret: String
  package let refreshToken: String
  /// The account in whose place, project and workspace the user sends.
  package let account: ServiceAccount

  package init(
    clientID: String, clientSecret: String, refreshToken: String, account: ServiceAccount
  ) {
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.refreshToken = refreshToken
    self.account = account
  }
}

/// A workload identity (`external_account`): one subject token at one pool provider.
package struct ExternalAccount: Sendable, Equatable {
  /// `//iam.googleapis.com/projects/N/locations/global/workloadIdentityPools/P/providers/Q`.
  package let audience: String
  /// The only subject token that is good.
  package let subjectToken: String
  /// The account that the workload may impersonate.
  package let account: ServiceAccount

  /// What the provider takes: the type that a sender has to name.
  package static let subjectTokenType = "urn:ietf:params:oauth:token-type:jwt"

  package init(audience: String, subjectToken: String, account: ServiceAccount) {
    self.audience = audience
    self.subjectToken = subjectToken
    self.account = account
  }
}
