/// A certificate that a provider authenticates its connections with, of which the gateway needs only
/// the public half.
package struct ProviderCertificate: Sendable, Equatable {
  /// A topic that it may be used for.
  package struct Topic: Sendable, Equatable {
    /// The bundle ID, with a suffix where the kind needs one.
    package let name: String
    /// `app`, `voip` or `complication`, as the certificate says it.
    package let kind: String

    package init(name: String, kind: String) {
      self.name = name
      self.kind = kind
    }
  }

  /// The subject for people: `UID=com.example.app, CN=Apple Push Services: com.example.app`.
  package let subject: String
  /// The user ID of the subject: its topic when it has no list of them.
  package let userID: String
  /// The topics that its extensions list; empty in certificates from before 2015.
  package let topics: [Topic]
  /// The environments that its extensions name; empty when Apple did not issue it for pushes.
  package let environments: [APNsEnvironment]
  /// SubjectPublicKeyInfo in DER, by which the gateway knows it, whoever issued it.
  package let publicKey: [UInt8]
  /// From when it is valid.
  package let notBefore: Timestamp
  /// Until when it is valid.
  package let notAfter: Timestamp
  /// The certificate itself in DER.
  package let der: [UInt8]
  /// SHA-256 of the certificate in hexadecimal.
  package let fingerprint: String
  package let workspace: WorkspaceID

  package init(
    subject: String, userID: String, topics: [Topic], environments: [APNsEnvironment],
    publicKey: [UInt8], notBefore: Timestamp, notAfter: Timestamp, der: [UInt8],
    fingerprint: String, workspace: WorkspaceID = .default
  ) {
    self.subject = subject
    self.userID = userID
    self.topics = topics
    self.environments = environments
    self.publicKey = publicKey
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.der = der
    self.fingerprint = fingerprint
    self.workspace = workspace
  }
}
