internal import PushpitCrypto
internal import PushpitJSON
package import PushpitModel

/// Makes the file of a Google service account, as Google's console gives it out but for the place of its
/// access tokens.
package struct ServiceAccountMaker {
  /// The file that was made, and what the gateway needs to know.
  package struct Made: Sendable, Equatable {
    package let path: String
    package let credential: ImportedCredential
  }

  private let state: StateFolder

  package init(_ state: StateFolder) {
    self.state = state
  }

  /// Makes an account and writes its file for its owner only.
  ///
  /// - Parameters:
  ///   - project: The project; nil for the gateway's own.
  ///   - projectNumber: The number of a project of the user's; nil for one made from its ID.
  ///   - tokenURI: Where senders fetch access tokens; nil for the gateway at its usual port.
  ///   - mayPush: Whether it has a role that lets it send.
  ///   - path: The file; nil for one in the state folder.
  ///   - workspace: Whose it is to be.
  /// - Returns: the file and the account.
  /// - Throws: When the file is there, which is never overwritten, or cannot be written.
  package func make(
    project: String?, projectNumber: String?, tokenURI: String?, mayPush: Bool, path: String?,
    workspace: WorkspaceID
  ) throws(StateError) -> Made {
    let own = state.defaults.serviceAccount
    let key = try StateError.making { () throws(CryptoError) in try PrivateKey.generateRSA() }
    let object = Self.object(
      project: project ?? own.projectID,
      tokenURI: tokenURI ?? state.tokenURI(port: StateFolder.defaultPort), keyPEM: key.pem)
    let email = object["client_email"]?.stringValue ?? ""
    let path = FileSystem.absolute(
      path ?? "\(state.paths.folder)/service-account-\(email.prefix { $0 != "@" }).json")
    guard !FileSystem.exists(path) else {
      throw .unusable(
        path: path, reason: "is there already",
        wayOut: "move it away, or name another file with --out")
    }
    let pem = Array((object["private_key"]?.stringValue ?? "").utf8)
    let publicKey = try StateError.making { () throws(CryptoError) in
      try PrivateKey(pem: pem).publicKey
    }
    let projectID = project ?? own.projectID
    let number =
      projectID == own.projectID ? own.projectNumber : ProjectNumber.standard(of: projectID)
    let account = ServiceAccount(
      projectID: projectID, projectNumber: projectNumber ?? number,
      clientEmail: email, privateKeyID: object["private_key_id"]?.stringValue ?? "",
      publicKey: publicKey.spki, mayPush: mayPush, workspace: workspace)
    try StateError.filing { () throws(FileError) in
      try FileSystem.writeAtomically(StateFiles.text(object), to: path, for: .owner)
    }
    return Made(path: path, credential: .serviceAccount(account))
  }

  /// What the file of a new account holds, with its private key in PEM.
  static func object(project: String, tokenURI: String, keyPEM: [UInt8]) -> JSONObject {
    let digits = "0123456789"
    let name = "firebase-adminsdk-\(SecureRandom.text(5, of: "abcdefghijklmnopqrstuvwxyz"))"
    let email = "\(name)@\(project).iam.gserviceaccount.com"
    let certificates = "https://www.googleapis.com"
    let escapedEmail = email.split(separator: "@").joined(separator: "%40")
    return JSONObject([
      "type": "service_account",
      "project_id": .string(project),
      "private_key_id": .string(SecureRandom.text(40, of: "0123456789abcdef")),
      "private_key": .string(String(decoding: keyPEM, as: UTF8.self)),
      "client_email": .string(email),
      "client_id": .string("1" + SecureRandom.text(20, of: digits)),
      "auth_uri": "https://accounts.google.com/o/oauth2/auth",
      "token_uri": .string(tokenURI),
      "auth_provider_x509_cert_url": .string("\(certificates)/oauth2/v1/certs"),
      "client_x509_cert_url": .string("\(certificates)/robot/v1/metadata/x509/\(escapedEmail)"),
      "universe_domain": "googleapis.com",
    ])
  }
}
