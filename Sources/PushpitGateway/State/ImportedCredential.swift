internal import PushpitCrypto
package import PushpitJSON
package import PushpitModel

/// A credential that a user brought; only its public half is kept.
package enum ImportedCredential: Sendable, Equatable {
  case apnsKey(APNsKey)
  case serviceAccount(ServiceAccount)
  case certificate(ProviderCertificate)

  /// What people call it.
  package var name: String {
    switch self {
    case .apnsKey(let key): "the APNs key \(key.keyID)"
    case .serviceAccount(let account):
      "the key \(account.privateKeyID) of \(account.clientEmail)"
    case .certificate(let certificate): "the certificate \(certificate.subject)"
    }
  }

  /// It among the credentials of its workspace.
  var entry: CredentialEntry {
    switch self {
    case .apnsKey(let key): .apnsKey(key)
    case .serviceAccount(let account): .serviceAccount(account)
    case .certificate(let certificate): .certificate(certificate)
    }
  }

  /// Adds it to a directory.
  ///
  /// - Throws: When the directory knows it already.
  package func add(to directory: CredentialDirectory) throws(CredentialDirectory.Conflict) {
    switch self {
    case .apnsKey(let key): try directory.add(key)
    case .serviceAccount(let account): try directory.add(account)
    case .certificate(let certificate): try directory.add(certificate)
    }
  }

  /// The name of its file in the folder of imported credentials.
  var fileName: String {
    switch self {
    case .apnsKey(let key): "apns-key-\(key.keyID).json"
    case .serviceAccount(let account): "service-account-\(account.privateKeyID).json"
    case .certificate(let certificate):
      "certificate-\(SHA256.hex(certificate.publicKey).prefix(16)).json"
    }
  }

  /// What its file holds, and what the console takes.
  package var object: JSONObject {
    switch self {
    case .apnsKey(let key):
      JSONObject([
        "kind": "apnsKey", "workspace": .string(key.workspace.rawValue),
        "keyID": .string(key.keyID), "teamID": .string(key.teamID),
        "environments": .array(key.environments.map { .string($0.rawValue) }),
        "topics": key.topics.map { .array($0.map { .string($0) }) } ?? .null,
        "relatedKeyID": key.relatedKeyID.map { .string($0) } ?? .null,
        "publicKey": Self.pem(key.publicKey),
      ])
    case .serviceAccount(let account):
      JSONObject([
        "kind": "serviceAccount", "workspace": .string(account.workspace.rawValue),
        "projectID": .string(account.projectID),
        "projectNumber": .string(account.projectNumber),
        "clientEmail": .string(account.clientEmail),
        "privateKeyID": .string(account.privateKeyID), "mayPush": .bool(account.mayPush),
        "publicKey": Self.pem(account.publicKey),
      ])
    case .certificate(let certificate): Self.object(of: certificate)
    }
  }

  /// Reads every credential of a folder; none when there is no such folder.
  static func all(
    in folder: String, of storage: StateStorage
  ) throws(StateError) -> [ImportedCredential] {
    var credentials: [ImportedCredential] = []
    let names = try StateError.filing { () throws(FileError) in try storage.list(folder) }
    for name in names where name.hasSuffix(".json") {
      let path = "\(folder)/\(name)"
      let bytes = try StateError.filing { () throws(FileError) in
        try storage.contents(of: path)
      }
      credentials.append(try ImportedCredential(StateFiles.object(bytes, of: path), of: path))
    }
    return credentials
  }

  /// Reads what `object` writes; `path` is what errors call it.
  init(_ object: JSONObject, of path: String) throws(StateError) {
    let workspace = WorkspaceID(try object.text("workspace", of: path))
    let kind = try object.text("kind", of: path)
    guard kind != "certificate" else {
      self = try Self.certificate(in: object, of: path, workspace: workspace)
      return
    }
    let publicKey: PublicKey
    let pem = Array(try object.text("publicKey", of: path).utf8)
    do { publicKey = try PublicKey(pem: pem) } catch {
      throw Self.damaged(path, error.reasons.joined(separator: ", "))
    }
    switch kind {
    case "apnsKey":
      guard publicKey.kind == .p256 else { throw Self.damaged(path, "the key is not of P-256") }
      let (keyID, teamID) = (
        try object.text("keyID", of: path), try object.text("teamID", of: path)
      )
      for id in [keyID, teamID] where !CredentialFile.isAppleID(id) {
        throw Self.damaged(path, "'\(id)' is not ten capital letters and digits")
      }
      self = .apnsKey(
        APNsKey(
          keyID: keyID, teamID: teamID, publicKey: publicKey.spki,
          environments: try Self.environments(object, of: path),
          topics: object["topics"]?.arrayValue.map { $0.compactMap(\.stringValue) },
          relatedKeyID: object["relatedKeyID"]?.stringValue, workspace: workspace))
    case "serviceAccount":
      let privateKeyID = try object.text("privateKeyID", of: path)
      // It becomes the name of a file.
      guard CredentialFile.isPrivateKeyID(privateKeyID) else {
        throw Self.damaged(path, "'\(privateKeyID)' is not letters and digits")
      }
      self = .serviceAccount(
        ServiceAccount(
          projectID: try object.text("projectID", of: path),
          projectNumber: try object.text("projectNumber", of: path),
          clientEmail: try object.text("clientEmail", of: path),
          privateKeyID: privateKeyID, publicKey: publicKey.spki,
          mayPush: object["mayPush"]?.boolValue ?? true, workspace: workspace))
    default: throw Self.damaged(path, "no such kind of credential: \(kind)")
    }
  }

  /// The environments that are named, or both when none is.
  private static func environments(_ object: JSONObject, of path: String) throws(StateError)
    -> [APNsEnvironment]
  {
    guard let value = object["environments"], value != .null else {
      return APNsEnvironment.allCases
    }
    let named = (value.arrayValue ?? []).map {
      $0.stringValue.flatMap { APNsEnvironment(rawValue: $0) }
    }
    let known = named.compactMap { $0 }
    guard !known.isEmpty, known.count == named.count else {
      throw damaged(path, "'environments' are sandbox and production")
    }
    return known
  }

  /// A file that is to be imported again, or the body of such a call.
  static func damaged(_ path: String, _ reason: String) -> StateError {
    .unusable(
      path: path, reason: "is damaged (\(reason))",
      wayOut: "remove it and import the credential again")
  }

  private static func pem(_ spki: [UInt8]) -> JSONValue {
    let pem = (try? PublicKey(spki: spki))?.pem ?? []
    return .string(String(decoding: pem, as: UTF8.self))
  }
}
