import Testing

@testable import PushpitCrypto

@Suite struct CertificateTests {
  static let now: Int64 = 1_790_000_000
  private let names = [
    "localhost", "127.0.0.1", "::1", "api.push.apple.com", "pushpit", "10.1.2.3",
  ]
  .compactMap { CertificateName($0) }

  @Test(.enabled(if: Tool.isInstalled))
  func `openssl verify -x509_strict accepts a server certificate`() throws {
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let server = try authority.issueServer(names: names, now: Self.now)
    for name in ["-verify_hostname api.push.apple.com", "-verify_ip 10.1.2.3", "-verify_ip ::1"] {
      let (status, output) = try Tool.openssl(
        ["verify", "-x509_strict", "-purpose", "sslserver", "-attime", "\(Self.now)"]
          + name.split(separator: " ").map(String.init) + ["-CAfile", "ca.pem", "server.pem"],
        files: ["ca.pem": authority.certificate.pem, "server.pem": server.certificate.pem])
      #expect(status == 0, "\(output)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled))
  func `openssl verify -x509_strict accepts both authorities themselves`() throws {
    for authority in [
      try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now),
      try CertificateAuthority.makeProviderAuthority(now: Self.now),
    ] {
      let (status, output) = try Tool.openssl(
        ["verify", "-x509_strict", "-attime", "\(Self.now)", "-CAfile", "ca.pem", "ca.pem"],
        files: ["ca.pem": authority.certificate.pem])
      #expect(status == 0, "\(output)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled), arguments: ["example.com", "192.0.2.1", "2001:db8::1"])
  func `openssl verify refuses a name that the authority does not permit`(name: String) throws {
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let foreign = try #require(CertificateName(name))
    let server = try authority.issueServer(names: names + [foreign], now: Self.now)
    let (status, output) = try Tool.openssl(
      ["verify", "-attime", "\(Self.now)", "-CAfile", "ca.pem", "server.pem"],
      files: ["ca.pem": authority.certificate.pem, "server.pem": server.certificate.pem])
    #expect(status != 0)
    #expect(output.contains("permitted subtree violation"), "\(output)")
  }

  @Test(.enabled(if: Tool.isInstalled))
  func `an authority has exactly the extensions it ought to have`() throws {
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let (_, output) = try Tool.openssl(
      ["x509", "-in", "ca.pem", "-noout", "-text"], files: ["ca.pem": authority.certificate.pem])
    for line in [
      "X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:0", "X509v3 Key Usage: critical",
      "Certificate Sign, CRL Sign", "X509v3 Subject Key Identifier",
      "X509v3 Name Constraints: critical", "IP:127.0.0.0/255.0.0.0", "ASN1 OID: prime256v1",
      "IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF",
    ] {
      #expect(output.contains(line), "\(output)")
    }
  }

  @Test func `a server certificate is read back`() throws {
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let server = try authority.issueServer(names: names, now: Self.now)
    let read = try Certificate(pem: server.certificate.pem)
    #expect(read.names == names)
    #expect(read.dnsNames == ["localhost", "api.push.apple.com", "pushpit"])
    #expect(read.ipAddresses == ["127.0.0.1", "::1", "10.1.2.3"])
    #expect(read.notAfter - read.notBefore == 397 * 86_400)
    #expect(read.notBefore == Self.now - 3600)
    #expect(read.isOwned(by: server.key))
    #expect(!read.isOwned(by: authority.key))
    #expect(read.isIssued(by: authority.certificate))
    #expect(!read.isAuthority && authority.certificate.isAuthority)
    #expect(read.publicKey?.spki == server.key.publicKey.spki)
    #expect(read.nameConstraints == nil)
    let other = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    #expect(!read.isIssued(by: other.certificate))
  }

  @Test func `the names that an authority permits are read back`() throws {
    let authority = try CertificateAuthority.makeServerAuthority(permitting: names, now: Self.now)
    let constraints = try #require(try Certificate(pem: authority.certificate.pem).nameConstraints)
    #expect(constraints == NameConstraints(permitting: names))
    for name in names + [.dns("a.pushpit"), .ip([127, 9, 9, 9])] {
      #expect(constraints.permits(name), "\(name)")
    }
    for name: CertificateName in [.dns("example.com"), .dns("xpushpit"), .ip([10, 1, 2, 4])] {
      #expect(!constraints.permits(name), "\(name)")
    }
  }

  @Test func `a provider authority is not constrained to names`() throws {
    let authority = try CertificateAuthority.makeProviderAuthority(now: Self.now)
    #expect(authority.certificate.nameConstraints == nil)
    #expect(authority.certificate.notAfter - authority.certificate.notBefore == 3650 * 86_400)
  }

  @Test(arguments: [
    ("LocalHost", "localhost"), ("my_service-1", "my_service-1"), ("127.0.0.1", "127.0.0.1"),
    ("[::1]", "::1"), ("2001:db8:0:0:1:0:0:0", "2001:db8:0:0:1::"), ("::", "::"),
    ("fe80::1:0:0:2", "fe80::1:0:0:2"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
  ])
  func `names are read and written`(text: String, written: String) {
    #expect(CertificateName(text)?.description == written)
  }

  @Test(arguments: ["", "a..b", "a,DNS:b", "-a", "a b", ".", "*.a", "a/b", "ä", "a;b", "1:2"])
  func `what is no name is refused`(text: String) {
    #expect(CertificateName(text) == nil)
  }

  @Test func `a damaged certificate is refused with a reason`() throws {
    let pem = try CertificateAuthority.makeProviderAuthority(now: Self.now).certificate.pem
    for damaged in [
      [], Array("x".utf8), Array(pem.prefix(200)), pem.map { $0 == 0x4D ? 0x21 : $0 },
    ] {
      #expect(throws: CryptoError.self) { _ = try Certificate(pem: damaged) }
      #expect(throws: CryptoError.self) { _ = try Certificate.chain(pem: damaged) }
    }
    #expect(try Certificate.chain(pem: pem + pem).count == 2)
    #expect(throws: CryptoError.self) { _ = try Certificate.chain(pem: pem + pem.prefix(200)) }
  }
}
