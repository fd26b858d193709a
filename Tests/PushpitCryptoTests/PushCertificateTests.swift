import Testing

@testable import PushpitCrypto

@Suite struct PushCertificateTests {
  static let now: Int64 = 1_790_000_000
  static let app = "com.example.app"

  private func issue(_ contents: PushCertificate) throws -> (
    certificate: Certificate, key: PrivateKey, authority: CertificateAuthority
  ) {
    let authority = try CertificateAuthority.makeProviderAuthority(now: Self.now)
    let (certificate, key) = try authority.issuePush(contents, now: Self.now)
    return (certificate, key, authority)
  }

  static let kinds: [PushCertificate] = [
    .universal(app), .voip(app), .universal(app, isForProduction: false),
    .voip(app, isForDevelopment: false),
    PushCertificate(
      commonName: "Apple Production IOS Push Services: \(app)", userID: app,
      isForDevelopment: false, isForProduction: true),
    .universal("com." + String(repeating: "long", count: 35)),
  ]

  @Test(arguments: kinds)
  func `what a certificate says of pushes is read back`(_ contents: PushCertificate) throws {
    let (certificate, key, authority) = try issue(contents)
    let read = try Certificate(pem: certificate.pem)
    #expect(read.push == contents)
    #expect(
      read.subject == "UID=\(contents.userID), CN=\(contents.commonName), O=Pushpit")
    #expect(read.isIssued(by: authority.certificate) && read.isOwned(by: key))
    #expect(read.publicKey?.kind == .rsa(bits: 2048))
    #expect(read.notAfter - read.notBefore == 395 * 86_400)
    #expect(try Certificate(der: certificate.der).pem == certificate.pem)
  }

  @Test func `a subject longer than the limit is cut`() throws {
    let (certificate, _, _) = try issue(
      PushCertificate(
        commonName: String(repeating: "n", count: 64), userID: String(repeating: "u", count: 600),
        isForDevelopment: true, isForProduction: true))
    #expect(certificate.subject.count == Certificate.subjectLimit)
    #expect(certificate.subject.hasPrefix("UID=uuu") && certificate.subject.hasSuffix("u..."))
  }

  @Test func `a certificate of another kind says nothing of pushes`() throws {
    let authority = try CertificateAuthority.makeProviderAuthority(now: Self.now)
    let push = authority.certificate.push
    #expect(!push.isForDevelopment && !push.isForProduction && push.topics.isEmpty)
    #expect(push.userID.isEmpty && push.commonName.hasPrefix("Pushpit provider CA "))
  }

  // The bytes are those of the topic list in Pushy's test certificate, with other names.
  @Test func `the list of topics has Apple's bytes`() throws {
    let list: [UInt8] = [
      0x30, 0x1B, 0x0C, 0x03, 0x61, 0x2E, 0x62, 0x30, 0x05, 0x0C, 0x03, 0x61, 0x70, 0x70,
      0x0C, 0x05, 0x61, 0x2E, 0x62, 0x2E, 0x76, 0x30, 0x06, 0x0C, 0x04, 0x76, 0x6F, 0x69, 0x70,
    ]
    let contents = PushCertificate(
      commonName: "Apple Push Services: a.b", userID: "a.b", isForDevelopment: true,
      isForProduction: true,
      topics: [.init("a.b", kind: "app"), .init("a.b.v", kind: "voip")])
    #expect(contents.extensions.map(\.oid.last) == ["1", "2", "6"])
    #expect(contents.extensions.map(\.value) == [[5, 0], [5, 0], list])
    #expect(PushCertificate.topics(inList: list) == contents.topics)
  }

  @Test(arguments: [[], [0x30], [0x30, 0x85, 1, 1, 1, 1, 1], [0x30, 0x05, 0x0C, 0x09], [5, 0]])
  func `what is no list of topics has none`(bytes: [UInt8]) {
    #expect(PushCertificate.topics(inList: bytes).isEmpty)
  }

  @Test func `a list cut anywhere is read without harm`() {
    let topics = PushCertificate.universal("com." + String(repeating: "x", count: 200)).topics
    let list = PushCertificate(
      commonName: "", userID: "", isForDevelopment: false, isForProduction: false, topics: topics
    ).extensions[0].value
    #expect(PushCertificate.topics(inList: list) == topics)
    for count in 0..<list.count {
      #expect(PushCertificate.topics(inList: Array(list.prefix(count))).isEmpty)
    }
  }

  @Test(.enabled(if: Tool.isInstalled))
  func `openssl shows Apple's extensions, none of them critical, and client authentication`() throws
  {
    let (certificate, _, _) = try issue(.universal(Self.app))
    let (status, output) = try Tool.openssl(
      ["x509", "-in", "a.pem", "-noout", "-text"], files: ["a.pem": certificate.pem])
    #expect(status == 0)
    for line in [
      "Subject: UID = com.example.app, CN = Apple Push Services: com.example.app",
      "X509v3 Extended Key Usage: \n                TLS Web Client Authentication",
      "1.2.840.113635.100.6.3.1: \n", "1.2.840.113635.100.6.3.2: \n",
      "1.2.840.113635.100.6.3.6: \n",
    ] {
      #expect(output.contains(line), "\(output)")
    }
    for (number, value) in [("1", "NULL"), ("6", "UTF8STRING        :com.example.app.voip")] {
      let (_, shown) = try Tool.openssl(
        ["asn1parse", "-in", "a.pem", "-strparse", try place(of: number, in: certificate)],
        files: ["a.pem": certificate.pem])
      #expect(shown.contains(value), "\(shown)")
    }
  }

  /// Where the value of an extension stands, as `openssl asn1parse` numbers it.
  private func place(of number: String, in certificate: Certificate) throws -> String {
    let (_, output) = try Tool.openssl(
      ["asn1parse", "-in", "a.pem"], files: ["a.pem": certificate.pem])
    let lines = output.split(separator: "\n")
    let index = try #require(
      lines.firstIndex { $0.hasSuffix(":1.2.840.113635.100.6.3.\(number)") })
    return String(lines[index + 1].prefix { $0 != ":" }).filter(\.isNumber)
  }

  @Test(.enabled(if: Tool.isInstalled))
  func `openssl verify accepts it for TLS clients`() throws {
    let (certificate, _, authority) = try issue(.universal(Self.app))
    let (status, output) = try Tool.openssl(
      [
        "verify", "-x509_strict", "-purpose", "sslclient", "-attime", "\(Self.now)", "-CAfile",
        "ca.pem", "a.pem",
      ],
      files: ["ca.pem": authority.certificate.pem, "a.pem": certificate.pem])
    #expect(status == 0, "\(output)")
  }

  @Test func `a server sees the certificate of its client, and of one without none`() throws {
    let (certificate, key, _) = try issue(.universal(Self.app))
    let (_, own, ownKey) = try TLSTestPair.identity()
    for identity in [nil, (certificate.pem, key)] {
      let server = try TLSSession(TLSContext(server: own.pem, key: ownKey))
      let client = try TLSSession(
        TLSContext(client: nil, alpn: ["h2"], verify: false, identity: identity))
      for _ in 0..<4 {
        _ = client.handshake()
        TLSTestPair.carry(from: client, to: server)
        if server.handshake() == .done { break }
        TLSTestPair.carry(from: server, to: client)
      }
      #expect(server.handshake() == .done)
      #expect(server.peerCertificate?.der == (identity == nil ? nil : certificate.der))
    }
  }
}
