internal import COpenSSL

extension Certificate {
  /// The certificate in DER.
  package var der: [UInt8] {
    let count = Int(i2d_X509(certificate, nil))
    precondition(count > 0, "a certificate that OpenSSL made or read can be written")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var next = buffer.baseAddress
      initialized = Int(i2d_X509(certificate, &next))
    }
  }

  /// Reads a certificate in DER, as Apple gives it out (`aps.cer`).
  package convenience init(der: [UInt8]) throws(CryptoError) {
    OpenSSLErrors.clear()
    let certificate = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_X509(nil, &next, bytes.count)
    }
    guard let certificate else { throw CryptoError(draining: "read the certificate") }
    self.init(owning: certificate)
  }

  /// The longest `subject` in characters: any peer may send one of 100 kB, and it is kept.
  package static let subjectLimit = 512

  /// The subject for people: `UID=com.example.app, CN=Apple Push Services: com.example.app`, cut where
  /// it is longer than the limit.
  package var subject: String {
    let whole = attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    return whole.count <= Self.subjectLimit ? whole : whole.prefix(Self.subjectLimit - 3) + "..."
  }

  /// What it says of pushes; empty values where it is no certificate of Apple's kind.
  package var push: PushCertificate {
    let attributes = attributes
    return PushCertificate(
      commonName: attributes.first { $0.name == "CN" }?.value ?? "",
      userID: attributes.first { $0.name == "UID" }?.value ?? "",
      isForDevelopment: value(of: .development) != nil,
      isForProduction: value(of: .production) != nil,
      topics: value(of: .topics).map(PushCertificate.topics(inList:)) ?? [],
      voipTopics: value(of: .voipTopics).map(PushCertificate.topics(inList:)) ?? [])
  }

  /// The subject's attributes by OpenSSL's short names, in their order.
  private var attributes: [(name: String, value: String)] {
    let subject = X509_get_subject_name(certificate)
    return (0..<max(0, X509_NAME_entry_count(subject))).compactMap { index in
      let entry = X509_NAME_get_entry(subject, index)
      let object = X509_NAME_ENTRY_get_object(entry)
      guard let value = Self.text(X509_NAME_ENTRY_get_data(entry)) else { return nil }
      if let name = OBJ_nid2sn(OBJ_obj2nid(object)), OBJ_obj2nid(object) != NID_undef {
        return (String(cString: name), value)
      }
      return (Self.dottedText(of: object), value)
    }
  }

  private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&bytes, string)
    defer { CRYPTO_free(bytes, nil, 0) }
    guard count >= 0 else {
      OpenSSLErrors.clear()
      return nil
    }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  private static func dottedText(of object: OpaquePointer?) -> String {
    var text = [CChar](repeating: 0, count: 80)
    OBJ_obj2txt(&text, Int32(text.count), object, 1)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The value of one of Apple's extensions; nil when the certificate lacks it.
  private func value(of kind: PushCertificate.Extension) -> [UInt8]? {
    let object = OBJ_txt2obj(kind.rawValue, 1)
    defer { ASN1_OBJECT_free(object) }
    let index = X509_get_ext_by_OBJ(certificate, object, -1)
    guard index >= 0, let data = X509_EXTENSION_get_data(X509_get_ext(certificate, index))
    else { return nil }
    return bytes(of: data)
  }
}
