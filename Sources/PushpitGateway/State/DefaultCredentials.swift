internal import PushpitCrypto
internal import PushpitJSON
package import PushpitModel

/// The credentials of the default workspace, made at first start.
package struct DefaultCredentials: Sendable, Equatable {
  /// The app that they are good for, on both platforms: topic and package name.
  package static let app = "com.example.app"
  /// The Firebase project, the same in every state folder so that it can be written down.
  package static let projectID = "pushpit-local"

  package let apnsKey: APNsKey
  package let serviceAccount: ServiceAccount
  /// `mobilesdk_app_id` of the Android app.
  package let googleAppID: String
  /// The key that the Android app's SDK sends.
  package let apiKey: String
}

/// Reads or makes the files of the default credentials.
struct DefaultCredentialFiles {
  let files: StateFiles
  /// Where senders fetch access tokens when the service account is made.
  let tokenURI: String

  private var paths: StatePaths { files.paths }

  /// Reads or makes everything.
  func open() throws(StateError) -> DefaultCredentials {
    let path = paths.credentials
    let identifiers = try files.object(path, for: .owner) { () throws(StateError) in
      Self.newIdentifiers()
    }
    let serviceAccount = try serviceAccount(identifiers)
    let credentials = DefaultCredentials(
      apnsKey: try apnsKey(identifiers), serviceAccount: serviceAccount,
      googleAppID: try identifiers.text("googleAppID", of: path),
      apiKey: try identifiers.text("apiKey", of: path))
    _ = try files.read(paths.googleServices, for: .owner) { () throws(StateError) in
      StateFiles.text(
        GoogleServicesFile.object(
          of: serviceAccount, appID: credentials.googleAppID, apiKey: credentials.apiKey))
    }
    return credentials
  }

  private static func newIdentifiers() -> JSONObject {
    let projectNumber = ProjectNumber.standard(of: DefaultCredentials.projectID)
    return JSONObject([
      "keyID": .string(NewIdentifier.apple()),
      "teamID": .string(NewIdentifier.apple()),
      "projectNumber": .string(projectNumber),
      "googleAppID": .string(NewIdentifier.androidApp(projectNumber: projectNumber)),
      "apiKey": .string(NewIdentifier.googleKey()),
    ])
  }

  private func apnsKey(_ identifiers: JSONObject) throws(StateError) -> APNsKey {
    let keyID = try identifiers.text("keyID", of: paths.credentials)
    let teamID = try identifiers.text("teamID", of: paths.credentials)
    let path = paths.apnsKey(keyID)
    let pem = try files.read(path, for: .owner) { () throws(StateError) in
      try StateError.making { () throws(CryptoError) in try PrivateKey.generateP256().pem }
    }
    let publicKey = try publicKey(of: pem, in: path)
    guard publicKey.kind == .p256 else { throw .damaged(path, "it is not a P-256 key") }
    return APNsKey(keyID: keyID, teamID: teamID, publicKey: publicKey.spki)
  }

  private func serviceAccount(_ identifiers: JSONObject) throws(StateError) -> ServiceAccount {
    let path = paths.serviceAccount
    let object = try files.object(path, for: .owner) { () throws(StateError) in
      let key = try StateError.making { () throws(CryptoError) in try files.storage.accountKey() }
      return ServiceAccountMaker.object(
        project: DefaultCredentials.projectID, tokenURI: tokenURI, keyPEM: key.pem)
    }
    let pem = try object.text("private_key", of: path)
    let publicKey = try publicKey(of: Array(pem.utf8), in: path)
    guard case .rsa = publicKey.kind else { throw .damaged(path, "its key is not an RSA key") }
    return ServiceAccount(
      projectID: try object.text("project_id", of: path),
      projectNumber: try identifiers.text("projectNumber", of: paths.credentials),
      clientEmail: try object.text("client_email", of: path),
      privateKeyID: try object.text("private_key_id", of: path), publicKey: publicKey.spki)
  }

  private func publicKey(of pem: [UInt8], in path: String) throws(StateError) -> PublicKey {
    do { return try PrivateKey(pem: pem).publicKey } catch {
      throw .damaged(path, error.reasons.joined(separator: ", "))
    }
  }
}
