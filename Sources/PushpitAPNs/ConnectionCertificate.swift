internal import PushpitHTTPTypes
package import PushpitModel

/// The client certificate of a connection, read and judged once.
///
/// No run-time exclusivity checks are needed: nothing changes after `init`.
package final class ConnectionCertificate {
  /// What records keep of it.
  package let facts: CredentialFacts
  /// The workspace that knows it, else the default one.
  package let workspace: WorkspaceID
  /// Why it is good nowhere; nil when it is good for its environments.
  let refusal: APNsRefusal?
  /// The topic of requests that name none; empty when they must name one.
  ///
  /// Apple: with one topic the certificate's subject is the default; with several MissingTopic is the
  /// answer (node-apn issue 514, pushok issue 65).
  let defaultTopic: [UInt8]
  private let certificate: ProviderCertificate
  private let topics: [[UInt8]]
  private let isFit: (sandbox: Bool, production: Bool)

  init(_ certificate: ProviderCertificate, workspace: WorkspaceID, refusal: APNsRefusal?) {
    self.certificate = certificate
    self.workspace = workspace
    self.refusal = refusal
    facts = CredentialFacts(
      kind: .certificate, subject: certificate.subject, fingerprint: certificate.fingerprint)
    topics =
      certificate.topics.isEmpty
      ? [Array(certificate.userID.utf8)] : certificate.topics.map { Array($0.name.utf8) }
    defaultTopic = topics.count == 1 ? topics[0] : []
    isFit = (
      certificate.environments.contains(.sandbox), certificate.environments.contains(.production)
    )
  }

  /// Why requests to an environment are refused; nil when they are judged by what they say.
  package func refusal(in environment: APNsEnvironment) -> APNsRefusal? {
    if let refusal { return refusal }
    let isFit =
      switch environment {
      case .sandbox: isFit.sandbox
      case .production: isFit.production
      }
    guard !isFit else { return nil }
    return APNsRefusal(
      .badCertificateEnvironment,
      APNsDiagnoses.certificateOfOtherEnvironment(certificate, at: environment))
  }

  /// Whether it may be used for a topic, which ends with the suffix of `owner` or with none.
  ///
  /// A topic must be listed, whole: so Apple says of VoIP and complications, and TopicDisallowed was
  /// seen for one that is not (node-apn issue 658) and for a Live Activity (2022). `location` and
  /// `liveactivity` take provider tokens only (Apple: Sending notification requests to APNs), also
  /// where a certificate of somebody's own lists them. Of file providers that page says that
  /// certificates will do and names no list, so the app's bundle ID is assumed to be enough; widgets,
  /// controls and push to talk, of which it says nothing, are assumed to be as Live Activities.
  package func allows(_ topic: ArraySlice<UInt8>, owner: APNsPushType?) -> Bool {
    switch owner {
    case .location, .liveactivity: false
    case .fileprovider:
      topics.contains { topic.isEqual($0) || topic.starts(with: $0) && isSuffix(topic, after: $0) }
    case nil, .alert, .background, .voip, .complication, .mdm, .pushtotalk, .widgets, .controls:
      topics.contains { topic.isEqual($0) }
    }
  }

  private func isSuffix(_ topic: ArraySlice<UInt8>, after bundleID: [UInt8]) -> Bool {
    guard let suffix = APNsPushType.fileprovider.topicSuffix else { return false }
    return topic.dropFirst(bundleID.count).isEqual(suffix)
  }

  /// Why it may not be used for a topic.
  func topicRefusal(_ topic: ArraySlice<UInt8>, owner: APNsPushType?) -> APNsRefusal {
    APNsRefusal(
      .topicDisallowed, APNsDiagnoses.topicNotOfCertificate(topic, certificate, owner: owner))
  }
}

extension APNsService {
  /// Judges the certificate that a connection came with.
  ///
  /// Without Apple's extensions, not known, not valid: in that order, which is assumed; all are
  /// BadCertificate. That it is of the other environment depends on the host, and comes after. With
  /// the policy `auth: shape` of the default workspace it need not be known. What counts is what the
  /// presented certificate says: one that is known may be replaced by another one for the same key.
  package func judge(_ certificate: ProviderCertificate, at real: Timestamp)
    -> ConnectionCertificate
  {
    let known = credentials.providerCertificates[certificate.publicKey]
    let workspace = workspaces[known?.workspace ?? .default]
    return ConnectionCertificate(
      certificate, workspace: workspace.id,
      refusal: diagnosis(of: certificate, isKnown: known != nil, in: workspace, at: real).map {
        APNsRefusal(.badCertificate, $0)
      })
  }

  private func diagnosis(
    of certificate: ProviderCertificate, isKnown: Bool, in workspace: Workspace,
    at real: Timestamp
  ) -> Diagnosis? {
    guard !certificate.environments.isEmpty else {
      return APNsDiagnoses.certificateWithoutAppleExtensions(certificate)
    }
    guard isKnown || workspace.policies.authentication == .shape else {
      return APNsDiagnoses.certificateUnknown(certificate)
    }
    let now = workspace.time(at: real)
    guard now < certificate.notAfter else {
      return APNsDiagnoses.certificateExpired(certificate, now: now)
    }
    guard now >= certificate.notBefore else {
      return APNsDiagnoses.certificateNotYetValid(certificate, now: now)
    }
    return nil
  }
}
