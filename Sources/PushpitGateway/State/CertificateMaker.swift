internal import PushpitCrypto
package import PushpitModel

/// Makes the client certificate of a provider, signed by the provider authority of a state folder.
package struct CertificateMaker {
  /// What a certificate is for.
  package enum Kind: String, Sendable, CaseIterable {
    /// An app's notifications, VoIP and complications.
    case universal
    /// VoIP only, as Apple's VoIP Services certificates.
    case voip
  }

  /// The files that were made, and what the gateway needs to know.
  package struct Made: Sendable, Equatable {
    /// The certificate and its key with a password.
    package let pkcs12Path: String
    /// The certificate and its key in clear text, for senders that want PEM.
    package let pemPath: String
    package let credential: ImportedCredential
  }

  private let state: StateFolder
  private let time: any TimeSource

  package init(_ state: StateFolder, time: any TimeSource) {
    self.state = state
    self.time = time
  }

  /// Where the certificate of an app is written when nothing else is said: beside the other
  /// credentials.
  package func defaultPath(app: String, kind: Kind) -> String {
    "\(state.paths.folder)/\(app)\(kind == .voip ? ".voip" : "").p12"
  }

  /// Makes a certificate and writes it to `path`, which ends with `.p12`, and beside it as `.pem`,
  /// both for their owner only.
  ///
  /// - Throws: When one of the files is there, which is never overwritten, or cannot be written.
  package func make(
    app: String, kind: Kind, environments: [APNsEnvironment], path: String, password: String,
    workspace: WorkspaceID
  ) throws(StateError) -> Made {
    let paths = (
      pkcs12: FileSystem.absolute(path), pem: FileSystem.absolute(path.dropLast(4) + ".pem")
    )
    for path in [paths.pkcs12, paths.pem] where FileSystem.exists(path) {
      throw .unusable(
        path: path, reason: "is there already",
        wayOut: "move it away, or name another file with --out")
    }
    let (certificate, key) = try issue(contents(app: app, kind: kind, environments: environments))
    guard let credential = ImportedCredential.certificate(certificate, workspace: workspace) else {
      throw .cryptography("read the certificate that was made")
    }
    let pkcs12 = try StateError.making { () throws(CryptoError) in
      try PKCS12.write(
        certificate, key: key, name: certificate.push.commonName, password: password)
    }
    try StateError.filing { () throws(FileError) in
      // The one that is named in the message last, so that it never stands alone.
      try FileSystem.writeAtomically(certificate.pem + key.pem, to: paths.pem, for: .owner)
      try FileSystem.writeAtomically(pkcs12, to: paths.pkcs12, for: .owner)
    }
    return Made(pkcs12Path: paths.pkcs12, pemPath: paths.pem, credential: credential)
  }

  private func contents(
    app: String, kind: Kind, environments: [APNsEnvironment]
  ) -> PushCertificate {
    let isForDevelopment = environments.contains(.sandbox)
    let isForProduction = environments.contains(.production)
    return switch kind {
    case .universal:
      .universal(app, isForDevelopment: isForDevelopment, isForProduction: isForProduction)
    case .voip: .voip(app, isForDevelopment: isForDevelopment, isForProduction: isForProduction)
    }
  }

  private func issue(
    _ contents: PushCertificate
  ) throws(StateError) -> (certificate: Certificate, key: PrivateKey) {
    let path = state.paths.providerAuthorityKey
    guard FileSystem.exists(path) else {
      throw .unusable(
        path: path, reason: "is missing",
        wayOut: "put it back, or move \(state.paths.providerAuthority) away to have both made anew")
    }
    let keyBytes = try StateError.filing { () throws(FileError) in
      try FileSystem.contents(of: path)
    }
    return try StateError.making { () throws(CryptoError) in
      let authority = CertificateAuthority(
        certificate: try Certificate(pem: state.certificates.providerAuthority),
        key: try PrivateKey(pem: keyBytes))
      return try authority.issuePush(contents, now: time.now.seconds)
    }
  }
}
