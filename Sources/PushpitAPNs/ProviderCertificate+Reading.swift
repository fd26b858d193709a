package import PushpitCrypto
package import PushpitModel

extension ProviderCertificate {
  /// What a certificate says of the pushes it is for; nil when its key is of an unknown kind.
  package init?(_ certificate: Certificate, workspace: WorkspaceID = .default) {
    guard let publicKey = certificate.publicKey?.spki else { return nil }
    let push = certificate.push
    let listed = push.topics + push.voipTopics.filter { !push.topics.contains($0) }
    let der = certificate.der
    self.init(
      subject: certificate.subject, userID: push.userID,
      topics: listed.map { Topic(name: $0.name, kind: $0.kind) },
      environments: (push.isForDevelopment ? [.sandbox] : [])
        + (push.isForProduction ? [.production] : []),
      publicKey: publicKey, notBefore: Timestamp(milliseconds: certificate.notBefore * 1000),
      notAfter: Timestamp(milliseconds: certificate.notAfter * 1000), der: der,
      fingerprint: SHA256.hex(der), workspace: workspace)
  }
}
