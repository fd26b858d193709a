/// All credentials of all workspaces; each belongs to exactly one.
package final class CredentialDirectory {
  /// Why a credential was not added.
  package enum Conflict: Error, Equatable {
    /// It is already there, in this workspace.
    case belongs(to: WorkspaceID)
  }

  /// A key's identity is its key ID: Apple's are unique over all teams.
  package private(set) var apnsKeys: [String: APNsKey] = [:]
  /// By `client_email`; an account may have several keys.
  package private(set) var serviceAccounts: [String: [ServiceAccount]] = [:]
  /// By public key: a renewed certificate may keep its key, and whoever issued it does not matter.
  package private(set) var providerCertificates: [[UInt8]: ProviderCertificate] = [:]

  /// By client ID.
  package private(set) var authorizedUsers: [String: AuthorizedUser] = [:]
  /// By audience.
  package private(set) var externalAccounts: [String: ExternalAccount] = [:]
  /// Goes up whenever a credential is removed: what was found out with one may not hold any more.
  package var generation: UInt64 { storedGeneration }
  // Beside `generation`, because modules that use a property directly check for exclusivity all the same,
  // and every push asks for it.
  @exclusivity(unchecked) private var storedGeneration: UInt64 = 0

  package init() {}

  /// Adds a key.
  /// - Throws: `Conflict` when the key ID is known already.
  package func add(_ key: APNsKey) throws(Conflict) {
    if let known = apnsKeys[key.keyID] { throw .belongs(to: known.workspace) }
    apnsKeys[key.keyID] = key
  }

  /// Adds one key of a service account.
  /// - Throws: `Conflict` when that key is known already.
  package func add(_ account: ServiceAccount) throws(Conflict) {
    let known = serviceAccounts[account.clientEmail, default: []]
    if let same = known.first(where: {
      $0.privateKeyID == account.privateKeyID || $0.workspace != account.workspace
    }) {
      throw .belongs(to: same.workspace)
    }
    serviceAccounts[account.clientEmail] = known + [account]
  }

  /// Adds a certificate.
  /// - Throws: `Conflict` when its public key is known already.
  package func add(_ certificate: ProviderCertificate) throws(Conflict) {
    if let known = providerCertificates[certificate.publicKey] {
      throw .belongs(to: known.workspace)
    }
    providerCertificates[certificate.publicKey] = certificate
  }

  /// Adds a user.
  /// - Throws: `Conflict` when the client ID is known already.
  package func add(_ user: AuthorizedUser) throws(Conflict) {
    if let known = authorizedUsers[user.clientID] {
      throw .belongs(to: known.account.workspace)
    }
    authorizedUsers[user.clientID] = user
  }

  /// Adds a workload identity.
  /// - Throws: `Conflict` when the audience is known already.
  package func add(_ external: ExternalAccount) throws(Conflict) {
    if let known = externalAccounts[external.audience] {
      throw .belongs(to: known.account.workspace)
    }
    externalAccounts[external.audience] = external
  }

  /// Removes the credentials for which this is true.
  package func remove(where isToGo: (CredentialEntry) -> Bool) {
    storedGeneration += 1
    apnsKeys = apnsKeys.filter { !isToGo(.apnsKey($0.value)) }
    serviceAccounts = serviceAccounts.compactMapValues { accounts in
      let kept = accounts.filter { !isToGo(.serviceAccount($0)) }
      return kept.isEmpty ? nil : kept
    }
    providerCertificates = providerCertificates.filter { !isToGo(.certificate($0.value)) }
    authorizedUsers = authorizedUsers.filter { !isToGo(.authorizedUser($0.value)) }
    externalAccounts = externalAccounts.filter { !isToGo(.externalAccount($0.value)) }
  }

  /// The credentials of a workspace by their names.
  package func entries(of workspace: WorkspaceID) -> [CredentialEntry] {
    var entries: [CredentialEntry] = apnsKeys.values.map { .apnsKey($0) }
    entries += serviceAccounts.values.joined().map { .serviceAccount($0) }
    entries += providerCertificates.values.map { .certificate($0) }
    entries += authorizedUsers.values.map { .authorizedUser($0) }
    entries += externalAccounts.values.map { .externalAccount($0) }
    return entries.filter { $0.workspace == workspace }.sorted { $0.name < $1.name }
  }

  /// All names of a project, its ID and its number as far as a service account has them.
  package func names(ofProject project: String) -> [String] {
    serviceAccount(project: project).map { [$0.projectID, $0.projectNumber] } ?? [project]
  }

  /// The workspace whose service account is of this project, by id or number.
  package func serviceAccount(project: String) -> ServiceAccount? {
    for accounts in serviceAccounts.values {
      for account in accounts
      where account.projectID == project || account.projectNumber == project {
        return account
      }
    }
    return nil
  }
}
