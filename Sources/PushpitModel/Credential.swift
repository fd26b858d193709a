/// An APNs signing key, of which the gateway needs only the public half.
package struct APNsKey: Sendable, Equatable {
  /// Ten characters, `kid` of a provider token.
  package let keyID: String
  /// Ten characters, `iss` of a provider token.
  package let teamID: String
  /// SubjectPublicKeyInfo in DER: a P-256 key.
  package let publicKey: [UInt8]
  /// The environments it is good for; both, as for keys made before February 2025.
  package let environments: [APNsEnvironment]
  /// The topics it may be used for; nil for all of its team.
  package let topics: [String]?
  /// The key whose tokens may be used on the same connection; nil when there is none.
  ///
  /// Apple gives a topic-specific key "at most one related key in the same environment".
  package let relatedKeyID: String?
  package let workspace: WorkspaceID

  package init(
    keyID: String, teamID: String, publicKey: [UInt8],
    environments: [APNsEnvironment] = APNsEnvironment.allCases, topics: [String]? = nil,
    relatedKeyID: String? = nil, workspace: WorkspaceID = .default
  ) {
    self.keyID = keyID
    self.teamID = teamID
    self.publicKey = publicKey
    self.environments = environments
    self.topics = topics
    self.relatedKeyID = relatedKeyID
    self.workspace = workspace
  }
}

/// A Google service account, of which the gateway needs only the public half.
package struct ServiceAccount: Sendable, Equatable {
  /// `project_id`.
  package let projectID: String
  /// The numeric project number, also the sender id.
  package let projectNumber: String
  /// `client_email`, `iss` of an assertion.
  package let clientEmail: String
  /// `private_key_id`, `kid` of an assertion.
  package let privateKeyID: String
  /// SubjectPublicKeyInfo in DER: an RSA key.
  package let publicKey: [UInt8]
  /// Whether it may send messages in its project (`cloudmessaging.messages.create`).
  package let mayPush: Bool
  package let workspace: WorkspaceID

  package init(
    projectID: String, projectNumber: String, clientEmail: String, privateKeyID: String,
    publicKey: [UInt8], mayPush: Bool = true, workspace: WorkspaceID = .default
  ) {
    self.projectID = projectID
    self.projectNumber = projectNumber
    self.clientEmail = clientEmail
    self.privateKeyID = privateKeyID
    self.publicKey = publicKey
    self.mayPush = mayPush
    self.workspace = workspace
  }
}

/// What a record keeps of a credential: enough to explain, nothing that could be used.
package final class CredentialFacts: Sendable {
  /// What kind of credential a request carried.
  package enum Kind: String, Sendable {
    case providerToken
    case certificate
    case accessToken
    case assertion
    case selfSignedToken
    /// A user's, of the refresh token grant.
    case refreshToken
    /// A workload's, of a token exchange.
    case subjectToken
    case unreadable
  }

  package let kind: Kind
  package let keyID: String?
  package let teamID: String?
  package let serviceAccount: String?
  package let subject: String?
  /// Decoded header and claims of a JSON web token, as JSON text; nil when it has none.
  package let decoded: String?
  /// SHA-256 of the credential's bytes in hexadecimal: equal credentials have equal fingerprints.
  package let fingerprint: String

  package init(
    kind: Kind, keyID: String? = nil, teamID: String? = nil, serviceAccount: String? = nil,
    subject: String? = nil, decoded: String? = nil, fingerprint: String
  ) {
    self.kind = kind
    self.keyID = keyID
    self.teamID = teamID
    self.serviceAccount = serviceAccount
    self.subject = subject
    self.decoded = decoded
    self.fingerprint = fingerprint
  }
}
