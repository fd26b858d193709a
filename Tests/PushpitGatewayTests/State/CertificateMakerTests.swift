import Foundation
import PushpitCrypto
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct CertificateMakerTests {
  private let state: TemporaryState
  private let folder: StateFolder
  private let maker: CertificateMaker

  init() throws {
    state = try TemporaryState.made()
    folder = try state.open()
    maker = CertificateMaker(folder, time: FixedTime(TemporaryState.now))
  }

  private func make(
    _ kind: CertificateMaker.Kind = .universal,
    environments: [APNsEnvironment] = APNsEnvironment.allCases, name: String = "a.p12",
    password: String = "secret", workspace: WorkspaceID = .default
  ) throws -> CertificateMaker.Made {
    try maker.make(
      app: "com.example.app", kind: kind, environments: environments,
      path: "\(state.path)/\(name)", password: password, workspace: workspace)
  }

  private func certificate(_ made: CertificateMaker.Made) throws -> ProviderCertificate {
    guard case .certificate(let certificate) = made.credential else {
      throw CocoaError(.featureUnsupported)
    }
    return certificate
  }

  @Test func `both files are for their owner only and hold the same certificate and key`() throws {
    let made = try make()
    #expect(made.pkcs12Path == "\(state.path)/a.p12" && made.pemPath == "\(state.path)/a.pem")
    #expect(try state.mode("a.p12") == 0o600 && state.mode("a.pem") == 0o600)
    let pem = try state.read("a.pem")
    let certificate = try Certificate(pem: pem)
    #expect(certificate.isOwned(by: try PrivateKey(pem: pem)))
    #expect(
      try PKCS12.certificate(in: state.read("a.p12"), password: "secret")?.der == certificate.der)
    #expect(
      certificate.isIssued(by: try Certificate(pem: folder.certificates.providerAuthority)))
  }

  @Test(arguments: [
    (
      CertificateMaker.Kind.universal, "com.example.app",
      ["com.example.app", "com.example.app.voip", "com.example.app.complication"]
    ),
    (.voip, "com.example.app.voip", ["com.example.app.voip"]),
  ])
  func `a kind has its topics`(
    kind: CertificateMaker.Kind, userID: String, topics: [String]
  ) throws {
    let made = try certificate(make(kind))
    #expect(made.userID == userID && made.topics.map(\.name) == topics)
  }

  @Test(arguments: [APNsEnvironment.allCases, [.sandbox], [.production]])
  func `a certificate is for the environments that were asked for`(
    environments: [APNsEnvironment]
  ) throws {
    #expect(try certificate(make(environments: environments)).environments == environments)
  }

  @Test(arguments: ["a.p12", "a.pem"])
  func `a file that is there is not overwritten`(name: String) throws {
    try state.write(name, "mine")
    let error = #expect(throws: StateError.self) { try make() }
    #expect(
      error?.description == "\(state.path)/\(name) is there already; move it away, or name "
        + "another file with --out")
    #expect(try state.read(name) == Array("mine".utf8))
  }

  @Test func `without the authority's key the way out is said`() throws {
    try state.remove("provider-ca.key")
    let error = #expect(throws: StateError.self) { try make() }
    #expect(error?.description.contains("provider-ca.key is missing; put it back, or") == true)
  }

  @Test func `the default name tells VoIP certificates apart`() {
    #expect(maker.defaultPath(app: "a.b", kind: .universal) == "\(state.path)/a.b.p12")
    #expect(maker.defaultPath(app: "a.b", kind: .voip) == "\(state.path)/a.b.voip.p12")
  }

  // MARK: Import

  /// The error of importing a file, without the password's own.
  private func problem(
    _ name: String, _ bytes: [UInt8], password: String? = nil
  ) -> String? {
    var options = CredentialFile.Options()
    options.password = password
    return #expect(throws: CredentialFile.Failure.self) {
      try CredentialFile(name: name, bytes: bytes).credential(options)
    }?.description
  }

  @Test func `a certificate is imported from every form of file, and survives`() throws {
    let made = try make(workspace: WorkspaceID("other"))
    var options = CredentialFile.Options()
    options.workspace = WorkspaceID("other")
    let pem = try CredentialFile(path: made.pemPath).credential(options)
    let der = try Certificate(pem: state.read("a.pem")).der
    #expect(pem == made.credential)
    #expect(try CredentialFile(name: "aps.cer", bytes: der).credential(options) == made.credential)
    options.password = "secret"
    #expect(try CredentialFile(path: made.pkcs12Path).credential(options) == made.credential)
    var folder = folder
    try folder.add(pem)
    let again = try state.open()
    #expect(again == folder)
    #expect(try again.providerCertificates == [certificate(made)])
    let known = #expect(throws: StateError.self) { try folder.add(pem) }
    #expect(known?.description.hasSuffix("is known already, in the workspace 'other'") == true)
  }

  @Test func `only the certificate is kept`() throws {
    var folder = folder
    try folder.add(try make().credential)
    let name = try #require(
      try FileSystem.list(folder.paths.imported).first { $0.hasPrefix("certificate-") })
    let kept = String(decoding: try state.read("imported/\(name)"), as: UTF8.self)
    #expect(!kept.contains("PRIVATE") && kept.contains("BEGIN CERTIFICATE"))
    #expect(try state.mode("imported/\(name)") == 0o600)
  }

  @Test func `the password of our own files need not be said`() throws {
    let made = try make(password: CredentialFile.defaultPassword)
    #expect(
      try CredentialFile(path: made.pkcs12Path).credential(.init()) == made.credential)
  }

  @Test func `a PEM file with an encrypted key and other certificates around is imported`() throws {
    let made = try make()
    let text = String(decoding: try Certificate(pem: state.read("a.pem")).pem, as: UTF8.self)
    let authority = String(decoding: folder.certificates.providerAuthority, as: UTF8.self)
    let file =
      "Bag Attributes\n    friendlyName: Apple Push Services\n-----BEGIN ENCRYPTED PRIVATE KEY-----"
      + "\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n" + authority + text
    let read = try CredentialFile(name: "a.pem", bytes: Array(file.utf8)).credential(.init())
    #expect(read == made.credential)
  }

  @Test func `what cannot be imported is said with the way out`() throws {
    let made = try make()
    let pkcs12 = try state.read("a.p12")
    #expect(
      problem("a.p12", pkcs12)
        == "cannot import a.p12: it has a password; import it with pushpit credentials import "
        + "--password")
    #expect(
      problem("a.p12", pkcs12, password: "x") == "cannot import a.p12: its password is another one")
    #expect(
      problem("ca.pem", folder.certificates.providerAuthority)?
        .hasPrefix("cannot import ca.pem: it is no certificate for pushes: ") == true)
    let pem = try state.read("a.pem")
    #expect(
      problem("a.pem", Array(pem.prefix(300)))?.hasPrefix("cannot import a.pem: read the") == true)
    #expect(
      problem("a.cer", [0x30, 1, 2])?.hasPrefix("cannot import a.cer: read the PKCS#12 file")
        == true)
    #expect(made.credential.name.hasPrefix("the certificate UID=com.example.app, CN="))
  }
}
