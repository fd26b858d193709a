internal import PushpitCrypto

extension CredentialFile {
  /// The password of certificates that are made here, and tried where none is given.
  package static let defaultPassword = "pushpit"

  /// Whether the file holds a certificate and no key or service account: PEM that has one, or DER.
  var isCertificate: Bool {
    if bytes.first == Self.derSequence { return true }
    return String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
  }

  /// How DER and PKCS#12 begin.
  private static let derSequence: UInt8 = 0x30

  /// The certificate of a provider: in PEM, in DER as Apple gives it out, or in PKCS#12.
  func providerCertificate(_ options: Options) throws(Failure) -> ImportedCredential {
    var candidates: [Certificate] = []
    if bytes.first == Self.derSequence {
      candidates = [try certificate(inDER: options.password)]
    } else {
      do { candidates = try Certificate.chain(pem: pemOfCertificates) } catch {
        throw failure(error.description)
      }
    }
    for certificate in candidates {
      if let credential = ImportedCredential.certificate(certificate, workspace: options.workspace)
      {
        return credential
      }
    }
    throw failure(ImportedCredential.notOfProvider)
  }

  /// The file without its private key, which is not needed and may be encrypted.
  private var pemOfCertificates: [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    var isInside = false
    var lines: [Substring] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix(begin) { isInside = true }
      if isInside { lines.append(line) }
      if line.hasPrefix(end) { isInside = false }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private func certificate(inDER password: String?) throws(Failure) -> Certificate {
    if let certificate = try? Certificate(der: bytes) { return certificate }
    let passwords = password.map { [$0] } ?? ["", Self.defaultPassword]
    do throws(CryptoError) {
      for password in passwords {
        if let certificate = try PKCS12.certificate(in: bytes, password: password) {
          return certificate
        }
      }
    } catch {
      throw failure(error.description)
    }
    throw failure(
      password == nil
        ? "it has a password; import it with pushpit credentials import --password"
        : "its password is another one")
  }
}
