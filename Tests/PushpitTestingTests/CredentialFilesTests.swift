import Foundation
import PushpitTestSupport
import PushpitTesting
import Testing

/// The files of a gateway's credentials.
@Suite(.timeLimit(.minutes(5))) struct CredentialFilesTests {
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

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl)))
  func `a sender outside of the process trusts the gateway by its files`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      let files = try await gateway.credentialFiles()
      let target = "\(gateway.url)/3/device/\(try await phone.apnsToken)"
      let status = try await status(
        of: ["--cacert", files.certificateAuthority, "--http2", "--data", "{}", target])
      // No provider token: it is the gateway that refuses, after TLS.
      #expect(status == "403")
      #expect(await gateway.envelopes().last?.reason == "MissingProviderToken")
    }
  }

  /// The status that curl was answered with; on a thread of its own, because it blocks.
  private func status(of arguments: [String]) async throws -> String {
    let child = ChildProcess()
    child.executableURL = URL(filePath: curl)
    child.arguments =
      ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}"] + arguments
    let pipe = Pipe()
    child.standardOutput = pipe
    try child.run()
    let output = pipe.fileHandleForReading
    let bytes = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: output.readDataToEndOfFile()) }
    }
    child.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}

private let curl = "/usr/bin/curl"
