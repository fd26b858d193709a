internal import PushpitCrypto
internal import PushpitJSON
package import PushpitModel

/// A credential's file as a vendor gives it out: `AuthKey_<KEYID>.p8`, a service account, or the
/// certificate of a provider.
package struct CredentialFile: Sendable {
  /// Why a file is not a credential that can be used, in one line that names it.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// What the file itself does not say.
  package struct Options: Sendable {
    /// Ten characters; needed for an APNs key.
    package var teamID: String?
    /// Ten characters; needed for an APNs key whose file has another name than Apple's.
    package var keyID: String?
    package var environments = APNsEnvironment.allCases
    /// The topics of a topic-specific key; nil for a key of all of its team.
    package var topics: [String]?
    /// The key whose tokens may be used on the same connection, as Apple's portal relates keys.
    package var relatedKeyID: String?
    /// Needed for a service account whose project number matters; otherwise made from the project's ID.
    package var projectNumber: String?
    /// That of a PKCS#12 file; nil to try none and the one of our own files.
    package var password: String?
    package var workspace = WorkspaceID.default

    package init() {}
  }

  /// The last part of its path.
  package let name: String
  package let bytes: [UInt8]

  /// Takes a file by name and contents, as a console receives it.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads a file.
  package init(path: String) throws(Failure) {
    name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    do { bytes = try FileSystem.contents(of: path) } catch {
      throw Failure(description: error.description)
    }
  }

  /// The public half of the credential.
  ///
  /// - Throws: When it is none, or when an option is missing.
  package func credential(_ options: Options) throws(Failure) -> ImportedCredential {
    if isCertificate { return try providerCertificate(options) }
    let first = bytes.first { !$0.isWhitespace }
    return first == UInt8(ascii: "{") ? try serviceAccount(options) : try apnsKey(options)
  }

  private func apnsKey(_ options: Options) throws(Failure) -> ImportedCredential {
    let key = try publicKey(bytes)
    guard key.kind == .p256 else { throw failure("it is not a P-256 key, as Apple's are") }
    guard let keyID = options.keyID ?? keyIDOfName else {
      throw failure("its name is not AuthKey_<KEYID>.p8; say --key-id")
    }
    guard let teamID = options.teamID else { throw failure("an APNs key needs --team") }
    for (flag, value) in [("--key-id", keyID), ("--team", teamID)] where !Self.isAppleID(value) {
      throw failure("\(flag) '\(value)' is not ten capital letters and digits")
    }
    return .apnsKey(
      APNsKey(
        keyID: keyID, teamID: teamID, publicKey: key.spki, environments: options.environments,
        topics: options.topics, relatedKeyID: options.relatedKeyID, workspace: options.workspace))
  }

  private var keyIDOfName: String? {
    guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
    return String(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
  }

  /// Whether text has the form of Apple's key and team ids.
  static func isAppleID(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// Whether text has the form of a service account's `private_key_id`.
  static func isPrivateKeyID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isLetterOrDigit)
  }

  private func serviceAccount(_ options: Options) throws(Failure) -> ImportedCredential {
    let object: JSONObject?
    do { object = try JSONReader.parse(bytes).objectValue } catch {
      throw failure(error.description)
    }
    guard let object, object["type"]?.stringValue == "service_account" else {
      throw failure("its 'type' is not 'service_account'")
    }
    func text(_ key: String) throws(Failure) -> String {
      guard let text = object[key]?.stringValue, !text.isEmpty else {
        throw failure("it has no '\(key)'")
      }
      return text
    }
    let key = try publicKey(Array(try text("private_key").utf8))
    guard case .rsa = key.kind else { throw failure("its private key is not an RSA key") }
    let privateKeyID = try text("private_key_id")
    guard Self.isPrivateKeyID(privateKeyID) else {
      throw failure("its 'private_key_id' is not letters and digits")
    }
    let projectID = try text("project_id")
    return .serviceAccount(
      ServiceAccount(
        projectID: projectID,
        projectNumber: options.projectNumber ?? ProjectNumber.standard(of: projectID),
        clientEmail: try text("client_email"), privateKeyID: privateKeyID, publicKey: key.spki,
        workspace: options.workspace))
  }

  private func publicKey(_ pem: [UInt8]) throws(Failure) -> PublicKey {
    if let key = try? PublicKey(pem: pem) { return key }
    do { return try PrivateKey(pem: pem).publicKey } catch {
      throw failure(error.description)
    }
  }

  /// Says why the file cannot be imported.
  func failure(_ reason: String) -> Failure {
    Failure(description: "cannot import \(name): \(reason)")
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
