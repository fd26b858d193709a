internal import PushpitCrypto
internal import PushpitModel

/// The certificates of a state folder, read or made.
struct StateCertificates {
  /// A server certificate is renewed when it has less than 30 days left.
  static let renewalDays: Int64 = 30

  let files: StateFiles
  /// The names that the gateway is to be reached by, beside those it always has.
  let hosts: [CertificateName]
  /// Seconds since 1970.
  let now: Int64

  private var paths: StatePaths { files.paths }

  /// Reads or makes everything.
  ///
  /// - Returns: PEM of the server's certificate and key, and of both authorities' certificates.
  func open() throws(StateError) -> StateFolder.Certificates {
    let (authority, isNew) = try authority(
      paths.authority, key: paths.authorityKey
    ) { () throws(CryptoError) in
      try .makeServerAuthority(permitting: names(of: VendorHosts.all), now: now)
    }
    for host in hosts where authority.certificate.nameConstraints?.permits(host) == false {
      throw .hostNotPermitted(host.description, authority: paths.authority)
    }
    let pem = authority.certificate.pem
    try bundle(with: pem)
    let (server, key) = try server(of: authority, isNew: isNew)
    let (provider, _) = try self.authority(
      paths.providerAuthority, key: paths.providerAuthorityKey
    ) { () throws(CryptoError) in try .makeProviderAuthority(now: now) }
    return StateFolder.Certificates(
      authority: pem, server: (server, key),
      providerAuthority: provider.certificate.pem)
  }

  /// An authority whose key may be elsewhere: it is needed only to issue.
  private struct OpenAuthority {
    let certificate: Certificate
    let key: PrivateKey?
  }

  private func authority(
    _ path: String, key keyPath: String, make: () throws(CryptoError) -> CertificateAuthority
  ) throws(StateError) -> (OpenAuthority, isNew: Bool) {
    let keyBytes = try files.read(keyPath)
    guard let bytes = try files.read(path) else {
      if keyBytes != nil { throw Self.orphan(keyPath, of: path) }
      guard files.mode == .writing else { throw .missing(path: path) }
      let made = try StateError.making(make)
      try files.write(made.key.pem, to: keyPath, for: .owner)
      try files.write(made.certificate.pem, to: path, for: .everyone)
      return (OpenAuthority(certificate: made.certificate, key: made.key), true)
    }
    let wayOut = "move it and \(keyPath) away to have a new CA made"
    let certificate = try certificate(bytes, of: path, wayOut: wayOut)
    if certificate.notAfter <= now {
      let expiry = Self.date(certificate.notAfter)
      throw .unusable(path: path, reason: "expired on \(expiry)", wayOut: wayOut)
    }
    guard certificate.isAuthority else {
      throw .unusable(path: path, reason: "is not the certificate of a CA", wayOut: wayOut)
    }
    guard let keyBytes else { return (OpenAuthority(certificate: certificate, key: nil), false) }
    let key = try key(keyBytes, of: keyPath)
    guard certificate.isOwned(by: key) else {
      throw .unusable(path: keyPath, reason: "is not the key of \(path)", wayOut: wayOut)
    }
    return (OpenAuthority(certificate: certificate, key: key), false)
  }

  private func server(
    of authority: OpenAuthority, isNew: Bool
  ) throws(StateError) -> (certificate: [UInt8], key: [UInt8]) {
    let old = try files.read(paths.server)
    if old != nil, !files.storage.exists(paths.serverKey) {
      throw Self.orphan(paths.server, of: paths.serverKey)
    }
    let keyBytes = try files.read(paths.serverKey, for: .owner) { () throws(StateError) in
      try StateError.making { () throws(CryptoError) in try PrivateKey.generateP256().pem }
    }
    let key = try key(keyBytes, of: paths.serverKey)
    let names = permittedNames(of: authority.certificate)
    var reason = "is missing"
    if let old {
      let wayOut = "move it away to have it made anew"
      let certificate = try certificate(old, of: paths.server, wayOut: wayOut)
      guard certificate.isOwned(by: key) else {
        throw .unusable(
          path: paths.server, reason: "is not for the key \(paths.serverKey)", wayOut: wayOut)
      }
      let isOurs = certificate.isIssued(by: authority.certificate)
      guard isOurs || isNew else {
        throw .unusable(
          path: paths.server, reason: "is not issued by \(paths.authority)", wayOut: wayOut)
      }
      let need = isOurs ? need(to: certificate, have: names) : "is of another CA"
      guard let need else { return (old, keyBytes) }
      if files.mode == .readingUnrenewed, certificate.notAfter > now,
        Set(hosts).isSubset(of: certificate.names)
      {
        return (old, keyBytes)
      }
      reason = need
    }
    return (try issue(names, by: authority, for: key, because: reason), keyBytes)
  }

  private func issue(
    _ names: [CertificateName], by authority: OpenAuthority, for key: PrivateKey,
    because reason: String
  ) throws(StateError) -> [UInt8] {
    guard files.mode == .writing else { throw .missing(path: paths.server) }
    guard let authorityKey = authority.key else {
      throw .unusable(
        path: paths.server, reason: "\(reason) and \(paths.authorityKey) is missing",
        wayOut: "put that key back, or move ca.pem away to have a new CA made")
    }
    let issuer = CertificateAuthority(certificate: authority.certificate, key: authorityKey)
    let certificate = try StateError.making { () throws(CryptoError) in
      try issuer.issueServer(names: names, for: key.publicKey, now: now)
    }
    try files.write(certificate.pem, to: paths.server, for: .everyone)
    return certificate.pem
  }

  /// Why a server certificate has to be issued anew; nil when it has not.
  private func need(to certificate: Certificate, have names: [CertificateName]) -> String? {
    let present = Set(certificate.names)
    if let name = names.first(where: { !present.contains($0) }) {
      return "lacks the name '\(name)'"
    }
    guard certificate.notAfter - now < Self.renewalDays * 86_400 else { return nil }
    return "expires on \(Self.date(certificate.notAfter))"
  }

  /// Rebuilds the bundle when it is missing or lacks our authority.
  private func bundle(with authority: [UInt8]) throws(StateError) {
    if let old = try files.read(paths.authorityBundle),
      old.count >= authority.count, old.suffix(authority.count).elementsEqual(authority)
    {
      return
    }
    guard files.mode == .writing else { throw .missing(path: paths.authorityBundle) }
    try files.write(
      SystemAuthorities.pem + authority, to: paths.authorityBundle, for: .everyone)
  }

  /// Every name of the gateway; what Pushpit learned of vendors later than the CA is left out.
  private func permittedNames(of authority: Certificate) -> [CertificateName] {
    let constraints = authority.nameConstraints
    return names(of: VendorHosts.all).filter { constraints?.permits($0) ?? true }
  }

  private func names(of vendors: [String]) -> [CertificateName] {
    var names: [CertificateName] = []
    let own = ["localhost", "127.0.0.1", "::1"].compactMap { CertificateName($0) }
    for name in own + vendors.map({ .dns($0) }) + hosts where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  private func certificate(
    _ bytes: [UInt8], of path: String, wayOut: String
  ) throws(StateError) -> Certificate {
    do { return try Certificate(pem: bytes) } catch {
      throw .unusable(
        path: path, reason: "is damaged (\(error.reasons.joined(separator: ", ")))",
        wayOut: wayOut)
    }
  }

  private func key(_ bytes: [UInt8], of path: String) throws(StateError) -> PrivateKey {
    do { return try PrivateKey(pem: bytes) } catch {
      throw .unusable(
        path: path, reason: "is damaged (\(error.reasons.joined(separator: ", ")))",
        wayOut: "move it and the .pem file of the same name away to have both made anew")
    }
  }

  private static func orphan(_ path: String, of missing: String) -> StateError {
    .unusable(
      path: path, reason: "is there but \(missing) is missing",
      wayOut: "put that back, or move \(path) away to have both made anew")
  }

  private static func date(_ seconds: Int64) -> String {
    String(Timestamp(milliseconds: seconds * 1000).rfc3339.prefix(10))
  }
}

/// The certificate authorities that the operating system trusts.
package enum SystemAuthorities {
  /// Where systems keep them in one file: Debian and Alpine, Fedora, openSUSE, macOS, Homebrew.
  private static let paths = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    "/opt/homebrew/etc/ca-certificates/cert.pem", "/usr/local/etc/ca-certificates/cert.pem",
  ]

  /// PEM of all of them, a line end behind; empty when the system has none.
  package static var pem: [UInt8] {
    for path in paths {
      guard var bytes = try? FileSystem.contents(of: path), !bytes.isEmpty else { continue }
      if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      return bytes
    }
    return []
  }
}
