internal import PushpitCrypto
internal import PushpitJSON
internal import PushpitModel

/// A credential of Google's kind that the gateway made on request; the sender uses its file.
struct MadeCredential: Sendable, Equatable {
  /// What can be made.
  enum Kind: String, CaseIterable {
    case authorizedUser
    case externalAccount
  }

  /// What it is.
  enum Content: Sendable, Equatable {
    case authorizedUser(AuthorizedUser)
    case externalAccount(ExternalAccount)
  }

  /// Its file's name without `.json`.
  let name: String
  let content: Content

  /// Makes one that sends as an account.
  static func make(_ kind: Kind, for account: ServiceAccount) -> MadeCredential {
    let alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    let letters = alphabet + alphabet.uppercased() + "-_"
    let id = SecureRandom.text(8, of: alphabet)
    switch kind {
    case .authorizedUser:
      let client = id + SecureRandom.text(24, of: alphabet)
      return MadeCredential(
        name: "authorized-user-\(id)",
        content: .authorizedUser(
          AuthorizedUser(
            clientID: "\(account.projectNumber)-\(client).apps.googleusercontent.com",
            clientSecret: "GOCSPX-" + SecureRandom.text(28, of: letters),
            refreshToken: "1//0" + SecureRandom.text(99, of: letters), account: account)))
    case .externalAccount:
      return MadeCredential(
        name: "external-account-\(id)",
        content: .externalAccount(
          ExternalAccount(
            audience: "//iam.googleapis.com/projects/\(account.projectNumber)/locations/global/"
              + "workloadIdentityPools/pushpit/providers/\(id)",
            subjectToken: SecureRandom.text(64, of: letters), account: account)))
    }
  }

  /// It among the credentials of its workspace.
  var entry: CredentialEntry {
    switch content {
    case .authorizedUser(let user): .authorizedUser(user)
    case .externalAccount(let external): .externalAccount(external)
    }
  }

  /// Adds it to a directory.
  /// - Throws: When the directory knows it already.
  func add(to directory: CredentialDirectory) throws(CredentialDirectory.Conflict) {
    switch content {
    case .authorizedUser(let user): try directory.add(user)
    case .externalAccount(let external): try directory.add(external)
    }
  }

  /// The path of its file in a folder.
  func path(in folder: String) -> String { "\(folder)/\(name).json" }

  /// The path of the subject token's file beside it.
  func subjectTokenPath(in folder: String) -> String { "\(folder)/\(name).token" }

  /// What its file holds, for a gateway at this URL.
  func object(gateway: String, folder: String) -> JSONObject {
    switch content {
    case .authorizedUser(let user):
      JSONObject([
        "type": "authorized_user", "account": .string(user.account.clientEmail),
        "client_id": .string(user.clientID), "client_secret": .string(user.clientSecret),
        "refresh_token": .string(user.refreshToken), "token_uri": .string("\(gateway)/token"),
        "universe_domain": "googleapis.com",
      ])
    case .externalAccount(let external):
      JSONObject([
        "type": "external_account", "audience": .string(external.audience),
        "subject_token_type": .string(ExternalAccount.subjectTokenType),
        "token_url": .string("\(gateway)/v1/token"),
        "service_account_impersonation_url": .string(
          gateway + Self.impersonationStart + external.account.clientEmail + Self.impersonationEnd),
        "credential_source": ["file": .string(subjectTokenPath(in: folder))],
        "universe_domain": "googleapis.com",
      ])
    }
  }

  private static let impersonationStart = "/v1/projects/-/serviceAccounts/"
  private static let impersonationEnd = ":generateAccessToken"
}

// MARK: - Files

extension MadeCredential {
  /// Writes its files into a folder; a file that is as it should be stays.
  func write(with files: StateFiles, gateway: String, folder: String) throws(StateError) {
    if case .externalAccount(let external) = content {
      try Self.write(
        Array(external.subjectToken.utf8), to: subjectTokenPath(in: folder), with: files)
    }
    let text = StateFiles.text(object(gateway: gateway, folder: folder))
    try Self.write(text, to: path(in: folder), with: files)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, with files: StateFiles
  ) throws(StateError) {
    if try files.read(path) != bytes { try files.write(bytes, to: path, for: .owner) }
  }

  /// Reads every credential of a folder; none when there is no such folder.
  static func all(
    in folder: String, of storage: StateStorage, accounts: [ServiceAccount]
  ) throws(StateError) -> [MadeCredential] {
    let names = try StateError.filing { () throws(FileError) in try storage.list(folder) }
    var made: [MadeCredential] = []
    for name in names where name.hasSuffix(".json") {
      made.append(
        try MadeCredential(String(name.dropLast(5)), in: folder, of: storage, accounts: accounts))
    }
    return made
  }

  private init(
    _ name: String, in folder: String, of storage: StateStorage, accounts: [ServiceAccount]
  ) throws(StateError) {
    let path = "\(folder)/\(name).json"
    let object = try StateFiles.object(try Self.contents(path, of: storage), of: path)
    func account(_ email: String) throws(StateError) -> ServiceAccount {
      guard let account = accounts.first(where: { $0.clientEmail == email }) else {
        throw .unusable(
          path: path, reason: "is of the unknown account '\(email)'",
          wayOut: "remove it and make the credential again")
      }
      return account
    }
    self.name = name
    switch try object.text("type", of: path) {
    case "authorized_user":
      content = .authorizedUser(
        AuthorizedUser(
          clientID: try object.text("client_id", of: path),
          clientSecret: try object.text("client_secret", of: path),
          refreshToken: try object.text("refresh_token", of: path),
          account: try account(object.text("account", of: path))))
    case "external_account":
      let url = try object.text("service_account_impersonation_url", of: path)
      let email = url.split(separator: "/").last.map { $0.prefix { $0 != ":" } } ?? ""
      let token = try Self.contents("\(folder)/\(name).token", of: storage)
      content = .externalAccount(
        ExternalAccount(
          audience: try object.text("audience", of: path),
          subjectToken: String(decoding: token, as: UTF8.self),
          account: try account(String(email))))
    case let type: throw .damaged(path, "no such type of credential: \(type)")
    }
  }

  private static func contents(
    _ path: String, of storage: StateStorage
  ) throws(StateError) -> [UInt8] {
    try StateError.filing { () throws(FileError) in try storage.contents(of: path) }
  }
}
