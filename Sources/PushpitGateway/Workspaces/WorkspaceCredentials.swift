internal import PushpitCrypto
internal import PushpitJSON
internal import PushpitModel

/// What the senders of a new workspace need: an APNs key, and a Firebase project with an account.
struct WorkspaceCredentials: Sendable, Equatable {
  let apnsKey: APNsKey
  /// The private half of the APNs key in PEM.
  let apnsKeyPEM: [UInt8]
  let account: ServiceAccount
  /// The service account's file.
  let accountFile: JSONObject
  /// The file that an Android app is built with.
  let googleServices: JSONObject

  /// Makes all of them new; the RSA key takes long to make and is brought.
  static func make(
    for workspace: WorkspaceID, projectID: String, key: RSAKeyPair, tokenURI: String
  ) throws(CryptoError) -> WorkspaceCredentials {
    let apnsKey = try PrivateKey.generateP256()
    let file = ServiceAccountMaker.object(
      project: projectID, tokenURI: tokenURI, keyPEM: key.pem)
    let account = ServiceAccount(
      projectID: projectID, projectNumber: ProjectNumber.standard(of: projectID),
      clientEmail: file["client_email"]?.stringValue ?? "",
      privateKeyID: file["private_key_id"]?.stringValue ?? "", publicKey: key.publicKey,
      workspace: workspace)
    return WorkspaceCredentials(
      apnsKey: APNsKey(
        keyID: NewIdentifier.apple(), teamID: NewIdentifier.apple(),
        publicKey: apnsKey.publicKey.spki, workspace: workspace),
      apnsKeyPEM: apnsKey.pem, account: account, accountFile: file,
      googleServices: GoogleServicesFile.object(
        of: account, appID: NewIdentifier.androidApp(projectNumber: account.projectNumber),
        apiKey: NewIdentifier.googleKey()))
  }

  /// The project of a workspace: `pushpit-` and the name as far as Google's form allows, 6 to 30
  /// lower-case letters, digits and hyphens (Google Cloud: Creating and managing projects).
  ///
  /// A name that is taken gets a random end.
  static func projectID(
    for workspace: WorkspaceID, isTaken: (String) -> Bool
  ) -> String {
    let name = workspace.rawValue.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    let full = trimmed("pushpit-" + String(name.prefix(22)))
    if full.count == 8 + name.count, !isTaken(full) { return full }
    while true {
      let id =
        "\(trimmed(String(full.prefix(24))))-\(SecureRandom.text(5, of: "abcdefghijkmnpqrstuvwxyz"))"
      if !isTaken(id) { return id }
    }
  }

  /// A project's ID does not end with a hyphen.
  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.hasSuffix("-") { text.removeLast() }
    return text
  }

  /// Makes them known.
  /// - Throws: When one of them is known already, which random identifiers are not.
  func add(to directory: CredentialDirectory) throws(CredentialDirectory.Conflict) {
    try directory.add(apnsKey)
    try directory.add(account)
  }

  /// The files that senders and apps use, by the names of the credentials.
  var files: [String: [UInt8]] {
    [
      CredentialEntry.apnsKey(apnsKey).name: apnsKeyPEM,
      CredentialEntry.serviceAccount(account).name: StateFiles.text(accountFile),
      "google-services.json": StateFiles.text(googleServices),
    ]
  }

  /// As the console shows them, whole, to whoever made the workspace; `authority` is the server CA's
  /// certificate in PEM.
  func json(authority: [UInt8]) -> JSONValue {
    [
      "apns": [
        "keyID": .string(apnsKey.keyID), "teamID": .string(apnsKey.teamID),
        "topic": .string(DefaultCredentials.app),
        "file": .string(CredentialEntry.apnsKey(apnsKey).name),
        "privateKey": .string(String(decoding: apnsKeyPEM, as: UTF8.self)),
      ],
      "fcm": [
        "projectID": .string(account.projectID), "projectNumber": .string(account.projectNumber),
        "package": .string(DefaultCredentials.app),
        "file": .string(CredentialEntry.serviceAccount(account).name),
        "serviceAccount": .object(accountFile), "googleServices": .object(googleServices),
      ],
      "ca": .string(String(decoding: authority, as: UTF8.self)),
    ]
  }
}
