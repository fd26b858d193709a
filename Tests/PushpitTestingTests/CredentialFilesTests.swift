import Foundation
import PushpitTesting
import Testing

/// The files of a gateway's credentials.
@Suite(.timeLimit(.minutes(1))) struct CredentialFilesTests {
  @Test func `credentials are written on demand and removed with the gateway`() async throws {
    let folder = try await withGateway { gateway in
      let files = try await gateway.credentialFiles()
      func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
      }
      let credentials = gateway.credentials
      #expect(try text(files.certificateAuthority) == credentials.certificateAuthority)
      #expect(try text(files.certificateBundle).hasSuffix(credentials.certificateAuthority))
      #expect(try text(files.apnsKey) == credentials.apnsKey)
      #expect(files.apnsKey.hasSuffix("/AuthKey_\(credentials.apnsKeyID).p8"))
      #expect(try text(files.serviceAccount) == credentials.serviceAccount)
      #expect(try text(files.googleServices) == credentials.googleServices)
      #expect(try await gateway.credentialFiles().folder != files.folder)
      return files.folder
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
