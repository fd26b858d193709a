import PushpitCrypto
import PushpitModel
import Testing

@testable import PushpitAPNs

/// Certificates as OpenSSL reads them.
@Suite struct ProviderCertificateReadingTests {
  private static let now = Gateway.now.seconds

  @Test(arguments: [
    (PushCertificate.universal("com.example.app"), 3, APNsEnvironment.allCases),
    (.voip("com.example.app", isForDevelopment: false), 1, [.production]),
    (.universal("com.example.app", isForProduction: false), 3, [.sandbox]),
  ])
  func `a certificate is read`(
    contents: PushCertificate, topicCount: Int, environments: [APNsEnvironment]
  ) throws {
    let (certificate, key) = try CertificateAuthority.makeProviderAuthority(now: Self.now)
      .issuePush(contents, now: Self.now)
    let read = try #require(ProviderCertificate(certificate, workspace: WorkspaceID("w")))
    #expect(read.userID == contents.userID && read.subject == certificate.subject)
    #expect(read.topics.count == topicCount && read.environments == environments)
    #expect(read.topics.first?.name == contents.userID)
    #expect(read.publicKey == key.publicKey.spki && read.der == certificate.der)
    #expect(read.fingerprint == SHA256.hex(certificate.der))
    #expect(read.notAfter.seconds == certificate.notAfter)
    #expect(read.notBefore.seconds == certificate.notBefore)
    #expect(read.workspace == WorkspaceID("w"))
  }
}
