import Foundation
import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One way in which curl can talk, and what the server must make of it.
struct CurlCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let arguments: [String]
  let scheme: String
  /// `%{http_version}` as curl prints it.
  let version: String
  let tlsVersion: String?
  var offered: [String] = []

  static let all = [
    CurlCase(
      testDescription: "h2 over TLS", arguments: ["--http2"], scheme: "https", version: "2",
      tlsVersion: "TLSv1.3", offered: ["h2", "http/1.1"]),
    CurlCase(
      testDescription: "h2 over TLS 1.2", arguments: ["--http2", "--tls-max", "1.2"],
      scheme: "https", version: "2", tlsVersion: "TLSv1.2", offered: ["h2", "http/1.1"]),
    CurlCase(
      testDescription: "http/1.1 over TLS", arguments: ["--http1.1"], scheme: "https",
      version: "1.1", tlsVersion: "TLSv1.3", offered: ["http/1.1"]),
    CurlCase(
      testDescription: "no ALPN", arguments: ["--no-alpn"], scheme: "https", version: "1.1",
      tlsVersion: "TLSv1.3"),
    CurlCase(
      testDescription: "clear HTTP/2", arguments: ["--http2-prior-knowledge"], scheme: "http",
      version: "2", tlsVersion: nil),
    CurlCase(
      testDescription: "clear HTTP/1.1", arguments: [], scheme: "http", version: "1.1",
      tlsVersion: nil),
    CurlCase(
      testDescription: "an upgrade to h2c, which is not taken", arguments: ["--http2"],
      scheme: "http", version: "1.1", tlsVersion: nil),
  ]
}

private let curl = "/usr/bin/curl"

@Suite(
  .timeLimit(.minutes(5)), .enabled(if: access(curl, X_OK) == 0))
struct CurlTests {
  @Test(arguments: CurlCase.all)
  func `curl is answered`(test: CurlCase) async throws {
    let server = try await TestServer.start()
    let output = try await run(
      test.arguments + ["--data", "ping"], server, "\(test.scheme)://localhost", "/echo")
    #expect(output == "ping 200 \(test.version)")
    #expect(
      await server.ending().outline == ConnectionEnding(progress: .requestSeen, cause: .peerClosed))
    let facts = await server.endedFacts[0]
    #expect(facts.tlsVersion == test.tlsVersion)
    #expect(facts.offeredProtocols == test.offered)
    await server.close()
  }

  @Test(arguments: ["--http2", "--http1.1"])
  func `curl takes a body of megabytes`(version: String) async throws {
    let server = try await TestServer.start()
    let output = try await run(
      [version, "--output", "/dev/null", "--write-out", "%{size_download}"], server,
      "https://localhost", "/big")
    #expect(output == "\(8 << 20)")
    await server.close()
  }

  @Test func `curl that does not trust the authority sends its alert`() async throws {
    let server = try await TestServer.start()
    let other = try await TestServer.start()
    _ = try await run([], server, "https://localhost", "/hello", authority: other.authority)
    #expect(await server.ending().alertReceived == .unknownCA)
    await server.close()
    await other.close()
  }

  /// Runs curl and returns what it printed: the body, then status and version.
  private func run(
    _ arguments: [String], _ server: TestServer, _ origin: String, _ path: String,
    authority: [UInt8]? = nil
  ) async throws -> String {
    var template = Array("\(P_tmpdir)/pushpit-ca-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let pem = authority ?? server.authority
    #expect(write(descriptor, pem, pem.count) == pem.count)
    close(descriptor)
    let file = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(file) }
    let words =
      [curl, "--silent", "--cacert", file, "--write-out", " %{http_code} %{http_version}"]
      + arguments + ["\(origin):\(await server.port)\(path)"]
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: output(of: command)) }
    }
  }
}

/// What a shell command prints.
///
/// Not Foundation's `Process`, whose start the address sanitizer reports (Swift 6.3.1 on Linux).
private func output(of command: String) -> String {
  guard let pipe = popen(command, "r") else { return "" }
  defer { pclose(pipe) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&buffer, 1, buffer.count, pipe)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}
