import Foundation
import PushpitCrypto
import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitGateway

@Suite struct StateCertificatesTests {
  private let state: TemporaryState

  init() throws {
    state = try TemporaryState.made()
  }

  @Test func `the server certificate has every name of the gateway`() throws {
    let folder = try state.open(hosts: ["pushpit", "10.1.2.3"])
    let server = try Certificate(pem: folder.certificates.server)
    #expect(server.ipAddresses == ["127.0.0.1", "::1", "10.1.2.3"])
    #expect(server.dnsNames == ["localhost"] + VendorHosts.all + ["pushpit"])
    #expect(VendorHosts.apple.count == 7)
    #expect(server.isIssued(by: try Certificate(pem: folder.certificates.authority)))
    #expect(server.isOwned(by: try PrivateKey(pem: folder.certificates.serverKey)))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
  func `openssl verify -x509_strict accepts the server certificate`() throws {
    for name in ["pushpit", "api.sandbox.push.apple.com", "oauth2.googleapis.com"] {
      let process = ChildProcess()
      process.executableURL = URL(filePath: "/usr/bin/openssl")
      process.arguments = [
        "verify", "-x509_strict", "-attime", "\(TemporaryState.now.seconds)",
        "-verify_hostname", name, "-CAfile", "ca.pem", "server.pem",
      ]
      process.currentDirectoryURL = state.url
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(name)")
    }
  }

  @Test func `the bundle is the system's authorities and ours`() throws {
    let folder = try state.open()
    let bundle = try state.read("ca-bundle.pem")
    #expect(bundle == SystemAuthorities.pem + folder.certificates.authority)
    #expect(try Certificate.chain(pem: bundle).count > 1)
  }

  @Test func `a certificate that lacks a permitted name is renewed, and only it`() throws {
    let before = try state.contents()
    // An address of 127.0.0.0/8 and a name below a permitted one are permitted too.
    let folder = try state.open(hosts: ["pushpit", "127.0.0.2", "a.pushpit"])
    let after = try state.contents()
    #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["server.pem"])
    let server = try Certificate(pem: folder.certificates.server)
    #expect(server.ipAddresses.contains("127.0.0.2") && server.dnsNames.contains("a.pushpit"))
    #expect(server.isOwned(by: try PrivateKey(pem: folder.certificates.serverKey)))
  }

  @Test(arguments: [(366, false), (368, true), (400, true)])
  func `a certificate is renewed in its last 30 days`(days: Int64, isRenewed: Bool) throws {
    let before = try state.open().certificates.server
    let after = try state.open(days: days).certificates.server
    #expect((before != after) == isRenewed)
    let now = TemporaryState.now.seconds + days * 86_400
    #expect(try Certificate(pem: after).notAfter - now >= 30 * 86_400)
  }

  @Test func `a certificate that cannot be renewed is used to its end`() throws {
    // A folder in the lock's place stands for one that cannot be written, also for root.
    try FileManager.default.removeItem(at: state.url.appending(path: ".lock"))
    try FileManager.default.createDirectory(
      at: state.url.appending(path: ".lock"), withIntermediateDirectories: false)
    let before = try state.read("server.pem")
    #expect(try state.open(days: 390).certificates.server == before)
    #expect(state.problem(days: 398) == "cannot lock .lock: is a directory")
    #expect(state.problem(hosts: ["a.pushpit"]) == "cannot lock .lock: is a directory")
    try state.write("ca.pem", "x")
    #expect(state.problem()?.hasPrefix("ca.pem is damaged") == true)
  }

  @Test(arguments: ["other", "192.0.2.1"])
  func `a host that the authority does not permit asks for a new one`(host: String) throws {
    #expect(
      state.problem(hosts: [host])
        == "ca.pem does not permit the name '\(host)'; to have a new CA made that does, move "
        + "ca.pem and ca.key of that folder away and keep --host \(host)")
    try state.remove("ca.pem")
    try state.remove("ca.key")
    #expect(state.problem(hosts: [host]) == nil)
    let folder = try state.open(hosts: [host])
    let server = try Certificate(pem: folder.certificates.server)
    #expect(server.isIssued(by: try Certificate(pem: folder.certificates.authority)))
    #expect(
      try state.read("ca-bundle.pem").suffix(100) == folder.certificates.authority.suffix(100))
  }

  @Test func `what is no host is refused`() {
    #expect(state.problem(hosts: ["a b"]) == "'a b' in --host is no host name and no IP address")
  }

  @Test func `an expired authority is named with its date`() throws {
    let said = try #require(state.problem(days: 3651))
    #expect(said == "ca.pem expired on 2036-09-18; move it and ca.key away to have a new CA made")
  }

  @Test func `the key of the authority is needed only to issue`() throws {
    try state.remove("ca.key")
    #expect(state.problem(hosts: ["pushpit"]) == nil)
    #expect(
      state.problem(hosts: ["a.pushpit"])
        == "server.pem lacks the name 'a.pushpit' and ca.key is missing; "
        + "put that key back, or move ca.pem away to have a new CA made")
  }

  @Test(arguments: [("ca.pem", "ca.key"), ("server.key", "server.pem")])
  func `half of a pair is not replaced unasked`(missing: String, left: String) throws {
    let before = try state.read(left)
    try state.remove(missing)
    #expect(
      state.problem()
        == "\(left) is there but \(missing) is missing; "
        + "put that back, or move \(left) away to have both made anew")
    #expect(try state.read(left) == before)
    try state.remove(left)
    #expect(state.problem() == nil)
  }

  @Test func `a certificate of another key or authority is not replaced unasked`() throws {
    let foreign = try TemporaryState().open().certificates
    try Data(foreign.server).write(to: state.url.appending(path: "server.pem"))
    #expect(state.problem()?.hasPrefix("server.pem is not for the key server.key; move") == true)
    try Data(foreign.serverKey).write(to: state.url.appending(path: "server.key"))
    #expect(state.problem()?.hasPrefix("server.pem is not issued by ca.pem; move") == true)
    try state.write("ca.key", String(decoding: foreign.serverKey, as: UTF8.self))
    #expect(state.problem()?.hasPrefix("ca.key is not the key of ca.pem; move") == true)
  }
}
