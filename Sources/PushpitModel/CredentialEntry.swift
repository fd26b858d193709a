/// One credential of whichever kind.
package enum CredentialEntry: Sendable, Equatable {
  case apnsKey(APNsKey)
  case serviceAccount(ServiceAccount)
  case certificate(ProviderCertificate)
  case authorizedUser(AuthorizedUser)
  case externalAccount(ExternalAccount)

  /// Whose it is.
  package var workspace: WorkspaceID {
    switch self {
    case .apnsKey(let key): key.workspace
    case .serviceAccount(let account): account.workspace
    case .certificate(let certificate): certificate.workspace
    case .authorizedUser(let user): user.account.workspace
    case .externalAccount(let external): external.account.workspace
    }
  }

  /// The kind as the console spells it.
  package var kind: String {
    switch self {
    case .apnsKey: "apnsKey"
    case .serviceAccount: "serviceAccount"
    case .certificate: "certificate"
    case .authorizedUser: "authorizedUser"
    case .externalAccount: "externalAccount"
    }
  }

  /// Its name among those of its workspace, which is also that of its file.
  package var name: String {
    switch self {
    case .apnsKey(let key): "AuthKey_\(key.keyID).p8"
    case .serviceAccount(let account): "service-account-\(account.privateKeyID.prefix(12)).json"
    case .certificate(let certificate): "certificate-\(certificate.fingerprint.prefix(16)).pem"
    case .authorizedUser(let user): "authorized-user-\(Self.mark(of: user)).json"
    case .externalAccount(let external):
      "external-account-\(external.audience.split(separator: "/").last ?? "").json"
    }
  }

  /// The beginning of what follows the project's number in a client ID, by which the file is called.
  private static func mark(of user: AuthorizedUser) -> Substring {
    (user.clientID.split(separator: "-").last ?? "").prefix(8)
  }
}
