internal import PushpitAPNs
package import PushpitCrypto
internal import PushpitJSON
package import PushpitModel

extension ImportedCredential {
  /// A certificate that is good for pushes.
  ///
  /// - Returns: nil when it lacks Apple's extensions, or its key is of an unknown kind.
  package static func certificate(
    _ certificate: Certificate, workspace: WorkspaceID
  ) -> ImportedCredential? {
    guard let read = ProviderCertificate(certificate, workspace: workspace),
      !read.environments.isEmpty
    else { return nil }
    return .certificate(read)
  }

  /// Why a certificate is none of a push provider.
  static let notOfProvider =
    "it is no certificate for pushes: it has none of Apple's extensions 1.2.840.113635.100.6.3.1 "
    + "and 1.2.840.113635.100.6.3.2"

  /// What the file of a certificate holds: PEM, and for people what it says.
  static func object(of certificate: ProviderCertificate) -> JSONObject {
    JSONObject([
      "kind": "certificate", "workspace": .string(certificate.workspace.rawValue),
      "subject": .string(certificate.subject), "userID": .string(certificate.userID),
      "topics": .array(
        certificate.topics.map { ["name": .string($0.name), "kind": .string($0.kind)] }),
      "environments": .array(certificate.environments.map { .string($0.rawValue) }),
      "notAfter": .string(certificate.notAfter.rfc3339),
      "sha256": .string(certificate.fingerprint),
      "certificate": .string(
        String(decoding: (try? Certificate(der: certificate.der))?.pem ?? [], as: UTF8.self)),
    ])
  }

  /// Reads what `object(of:)` writes; only the certificate itself counts.
  static func certificate(
    in object: JSONObject, of path: String, workspace: WorkspaceID
  ) throws(StateError) -> ImportedCredential {
    let pem = Array(try object.text("certificate", of: path).utf8)
    let certificate: Certificate
    do { certificate = try Certificate(pem: pem) } catch {
      throw damaged(path, error.reasons.joined(separator: ", "))
    }
    guard let credential = Self.certificate(certificate, workspace: workspace) else {
      throw damaged(path, notOfProvider)
    }
    return credential
  }
}
