internal import PushpitModel

/// Credentials that come and go while the gateway runs.
extension StateFolder {
  /// Writes the files of a credential that was made, for a gateway at this port; those of `default` are
  /// kept.
  mutating func add(_ credential: MadeCredential, port: Int) throws(StateError) {
    let workspace = credential.entry.workspace
    let folder = paths.made(in: workspace)
    try StateError.filing { () throws(FileError) in try storage.makeFolder(folder) }
    try credential.write(
      with: writer, gateway: Self.gatewayURL(host: gatewayHost, port: port), folder: folder)
    if workspace == .default { made.append(credential) }
  }

  /// The file of a credential of the default workspace as senders use it; nil when only its public half
  /// is known.
  func file(of entry: CredentialEntry) throws(StateError) -> [UInt8]? {
    let path: String
    switch entry {
    case .apnsKey(let key) where key == defaults.apnsKey: path = paths.apnsKey(key.keyID)
    case .serviceAccount(let account) where account == defaults.serviceAccount:
      path = paths.serviceAccount
    case .authorizedUser, .externalAccount: path = "\(paths.made)/\(entry.name)"
    case .apnsKey, .serviceAccount, .certificate: return nil
    }
    return try contents(of: path)
  }

  /// Removes what is kept of a credential of the default workspace that was imported or made; those of the
  /// first start stay, and are known again after the next one.
  mutating func remove(_ entry: CredentialEntry) throws(StateError) {
    if let index = imported.firstIndex(where: { $0.entry == entry }) {
      let path = "\(paths.imported)/\(imported[index].fileName)"
      try StateError.filing { () throws(FileError) in try storage.remove(path) }
      imported.remove(at: index)
    }
    if let index = made.firstIndex(where: { $0.entry == entry }) {
      try remove(made[index], in: paths.made)
      made.remove(at: index)
    }
  }

  /// Removes the files of a credential that was made.
  func remove(_ credential: MadeCredential, in folder: String) throws(StateError) {
    for path in [credential.path(in: folder), credential.subjectTokenPath(in: folder)]
    where storage.exists(path) {
      try StateError.filing { () throws(FileError) in try storage.remove(path) }
    }
  }
}
