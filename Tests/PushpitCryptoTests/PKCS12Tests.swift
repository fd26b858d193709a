import Foundation
import PushpitTestSupport
import Testing

@testable import PushpitCrypto

@Suite struct PKCS12Tests {
  private let certificate: Certificate
  private let key: PrivateKey

  init() throws {
    let now = PushCertificateTests.now
    (certificate, key) = try CertificateAuthority.makeProviderAuthority(now: now)
      .issuePush(.universal("com.example.app"), now: now)
  }

  @Test(arguments: ["", "secret", "pässwort"])
  func `a file is read back with its password and with no other`(password: String) throws {
    let file = try PKCS12.write(certificate, key: key, name: "push", password: password)
    #expect(try PKCS12.certificate(in: file, password: password)?.der == certificate.der)
    #expect(try PKCS12.certificate(in: file, password: "wrong") == nil)
  }

  @Test(.enabled(if: Tool.isInstalled))
  func `openssl reads the certificate and the key`() throws {
    let file = try PKCS12.write(certificate, key: key, name: "push", password: "secret")
    let (status, output) = try Tool.openssl(
      ["pkcs12", "-in", "a.p12", "-passin", "pass:secret", "-nodes", "-info"],
      files: ["a.p12": file])
    #expect(status == 0)
    for line in [
      "MAC: sha1, Iteration 2048", "friendlyName: push", "pbeWithSHA1And3-KeyTripleDES-CBC",
      String(decoding: certificate.pem, as: UTF8.self), String(decoding: key.pem, as: UTF8.self),
    ] {
      #expect(output.contains(line), "\(output)")
    }
    let (wrong, _) = try Tool.openssl(
      ["pkcs12", "-in", "a.p12", "-passin", "pass:other", "-nodes"], files: ["a.p12": file])
    #expect(wrong != 0)
  }

  // Keychain Access writes certificates with 40 bits of RC2, which OpenSSL 3 reads only when asked.
  @Test(
    .enabled(if: Tool.isInstalled),
    arguments: [[], ["-legacy"], ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES"]])
  func `files that openssl wrote in every form are read`(options: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.p12")
    let (status, output) = try Tool.openssl(
      [
        "pkcs12", "-export", "-in", "a.pem", "-inkey", "a.key", "-certfile", "other.pem", "-out",
        path.path(percentEncoded: false), "-passout", "pass:secret",
      ] + options,
      files: [
        "a.pem": certificate.pem, "a.key": key.pem,
        "other.pem": try CertificateAuthority.makeProviderAuthority(now: PushCertificateTests.now)
          .certificate.pem,
      ])
    try #require(status == 0, "\(output)")
    let bytes = [UInt8](try Data(contentsOf: path))
    #expect(try PKCS12.certificate(in: bytes, password: "secret")?.der == certificate.der)
    #expect(try PKCS12.certificate(in: bytes, password: "other") == nil)
  }

  @Test(arguments: [[], Array("x".utf8), [0x30, 0x03, 0x02, 0x01, 0x03]] as [[UInt8]])
  func `what is no such file is refused with a reason`(bytes: [UInt8]) throws {
    let error = #expect(throws: CryptoError.self) {
      _ = try PKCS12.certificate(in: bytes, password: "")
    }
    #expect(error?.operation == "read the PKCS#12 file")
  }

  @Test func `a damaged file is never trusted`() throws {
    let file = try PKCS12.write(certificate, key: key, name: "push", password: "secret")
    for place in stride(from: 0, to: file.count, by: 61) {
      var damaged = file
      damaged[place] ^= 0x40
      let read = try? PKCS12.certificate(in: damaged, password: "secret")
      #expect(read == nil || read?.der == certificate.der)
    }
  }
}
