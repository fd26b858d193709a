package import PushpitModel

/// The codes of diagnoses of client certificates.
extension DiagnosisCode {
  package static let certificateUnknown = DiagnosisCode("certificate-unknown")
  package static let certificateExpired = DiagnosisCode("certificate-expired")
  package static let certificateNotYetValid = DiagnosisCode("certificate-not-yet-valid")
  package static let certificateOfOtherEnvironment = DiagnosisCode(
    "certificate-of-other-environment")
  package static let certificateWithoutAppleExtensions = DiagnosisCode(
    "certificate-without-apple-extensions")
  package static let topicNotOfCertificate = DiagnosisCode("topic-not-of-certificate")
  package static let topicNeedsProviderToken = DiagnosisCode("topic-needs-provider-token")
}

extension APNsDiagnoses {
  static func certificateUnknown(_ certificate: ProviderCertificate) -> Diagnosis {
    Diagnosis(
      .certificateUnknown,
      what: "no workspace has the client certificate \(quotedSubject(certificate))",
      fix: "import it with pushpit credentials import, or use one that "
        + "pushpit credentials create-certificate makes")
  }

  static func certificateExpired(_ certificate: ProviderCertificate, now: Timestamp) -> Diagnosis {
    Diagnosis(
      .certificateExpired,
      what: "the client certificate \(quotedSubject(certificate)) expired at "
        + "\(certificate.notAfter.rfc3339), and the workspace's clock says \(now.rfc3339)",
      fix: "renew it and use the new one; providers have to do so every year")
  }

  static func certificateNotYetValid(_ certificate: ProviderCertificate, now: Timestamp)
    -> Diagnosis
  {
    Diagnosis(
      .certificateNotYetValid,
      what: "the client certificate \(quotedSubject(certificate)) is valid from "
        + "\(certificate.notBefore.rfc3339), and the workspace's clock says \(now.rfc3339)",
      fix: "use one that is valid now, and look at the clock of the machine that issued it")
  }

  static func certificateOfOtherEnvironment(
    _ certificate: ProviderCertificate, at environment: APNsEnvironment
  ) -> Diagnosis {
    let good = certificate.environments.map(\.rawValue).joined(separator: ", ")
    return Diagnosis(
      .certificateOfOtherEnvironment,
      what: "the client certificate \(quotedSubject(certificate)) is for \(good) and was used at "
        + "\(environment.rawValue)",
      fix: "use a certificate of \(environment.rawValue), or send to the other environment's host")
  }

  static func certificateWithoutAppleExtensions(_ certificate: ProviderCertificate) -> Diagnosis {
    Diagnosis(
      .certificateWithoutAppleExtensions,
      what:
        "the client certificate \(quotedSubject(certificate)) has neither of Apple's extensions "
        + "1.2.840.113635.100.6.3.1 (sandbox) and 1.2.840.113635.100.6.3.2 (production)",
      fix: "use a push certificate; pushpit credentials create-certificate makes one")
  }

  /// The topic is not listed, or is of a kind that no certificate is for.
  static func topicNotOfCertificate(
    _ topic: ArraySlice<UInt8>, _ certificate: ProviderCertificate, owner: APNsPushType?
  ) -> Diagnosis {
    if let owner, owner == .location || owner == .liveactivity {
      return Diagnosis(
        .topicNeedsProviderToken,
        what:
          "the topic \(quoted(topic)) is for pushes of type \(owner.text), which APNs takes with "
          + "a provider token only, and the connection has a client certificate",
        fix: "send these pushes on a connection without a client certificate, with a provider token"
      )
    }
    let topics =
      certificate.topics.isEmpty ? [certificate.userID] : certificate.topics.map(\.name)
    let some = topics.prefix(3).map(cut).joined(separator: ", ") + (topics.count > 3 ? ", ..." : "")
    return Diagnosis(
      .topicNotOfCertificate,
      what:
        "the client certificate \(quotedSubject(certificate)) is for the topics \(some) and not "
        + "for \(quoted(topic))",
      fix: "use a certificate of the app and kind of this topic, or a provider token")
  }

  /// The certificate has several topics, so that none is the default.
  static func missingTopicOfCertificate() -> Diagnosis {
    Diagnosis(
      .topicMissing,
      what: "the request has no apns-topic, and the client certificate is for several topics",
      fix: "send the one that is meant as apns-topic: the bundle ID, or with .voip or .complication"
    )
  }

  /// A subject for a sentence, in quotation marks.
  private static func quotedSubject(_ certificate: ProviderCertificate) -> String {
    quoted(Array(certificate.subject.utf8)[...])
  }
}
