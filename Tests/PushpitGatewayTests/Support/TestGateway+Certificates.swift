import Foundation
import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Synchronization
import Testing

@testable import PushpitGateway

/// A client certificate of a test's sender, and its key, in PEM.
struct ProviderIdentity: Sendable {
  let certificate: [UInt8]
  let key: [UInt8]
  let credential: ImportedCredential?

  /// As the client's options take it.
  var identity: (certificates: [UInt8], key: [UInt8]) { (certificate, key) }
}

extension TestGateway {
  /// PEM of certificate and key by what they are for: making RSA keys takes its time, and all gateways
  /// of the tests have the same provider authority.
  private static let issued = Mutex<[String: (certificate: [UInt8], key: [UInt8])]>([:])

  /// A certificate that the gateway's provider authority issued days ago, made known to the gateway.
  func providerIdentity(
    _ contents: PushCertificate = .universal(TestGateway.topic), isKnown: Bool = true,
    daysAgo: Int64 = 0
  ) async throws -> ProviderIdentity {
    let issued = try Self.issued.withLock { issued in
      let name = "\(contents) \(daysAgo)"
      if let known = issued[name] { return known }
      let made = try issue(contents, daysAgo: daysAgo)
      issued[name] = made
      return made
    }
    let credential = ImportedCredential.certificate(
      try Certificate(pem: issued.certificate), workspace: .default)
    if isKnown, let credential {
      let answer = try await call(
        "POST", "/api/v1/workspaces/default/credentials", body: .object(credential.object))
      #expect(answer.status == 201)
    }
    return ProviderIdentity(
      certificate: issued.certificate, key: issued.key, credential: credential)
  }

  private func issue(
    _ contents: PushCertificate, daysAgo: Int64
  ) throws -> (certificate: [UInt8], key: [UInt8]) {
    let authority = CertificateAuthority(
      certificate: try Certificate(pem: folder.certificates.providerAuthority),
      key: try PrivateKey(pem: FileSystem.contents(of: folder.paths.providerAuthorityKey)))
    let (certificate, key) = try authority.issuePush(
      contents, now: SystemTime().now.seconds - daysAgo * 86_400)
    return (certificate.pem, key.pem)
  }

  /// Sends one push to APNs with a client certificate, on a connection of its own.
  func push(
    _ token: String, by sender: ProviderIdentity, serverName: String? = nil,
    authority: String? = nil, title: String = "Hello"
  ) async throws -> Response {
    let client = try await connect {
      $0.identity = sender.identity
      if let serverName { $0.serverName = serverName }
    }
    let head = apnsHead(token, authorization: "not.looked.at", authority: authority)
    do {
      let answer = try await client.request(head, body: apnsPayload(title))
      await client.close()
      return answer
    } catch {
      await client.close()
      throw error
    }
  }
}
