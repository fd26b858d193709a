internal import COpenSSL

/// What a certificate can be for: a host name or an IP address.
package enum CertificateName: Sendable, Hashable, CustomStringConvertible {
  /// A host name in lower case.
  case dns(String)
  /// An address of 4 or 16 bytes.
  case ip([UInt8])

  /// Reads an IPv4 or IPv6 address (also in brackets), else a host name; nil when it is neither.
  package init?(_ text: String) {
    var address = text
    if text.hasPrefix("["), text.hasSuffix("]") { address = String(text.dropFirst().dropLast()) }
    if let bytes = Self.address(address) {
      self = .ip(bytes)
      return
    }
    guard Self.isHostName(text) else { return nil }
    self = .dns(text.lowercased())
  }

  /// The name as people write it; IPv6 as in RFC 5952, without brackets.
  package var description: String {
    switch self {
    case .dns(let name): name
    case .ip(let bytes) where bytes.count == 4: bytes.map(String.init).joined(separator: ".")
    case .ip(let bytes): Self.ipv6Text(bytes)
    }
  }

  /// Letters, digits, hyphens and underscores in labels of at most 63 (RFC 1123, and the
  /// underscore that container names have); nothing that would be syntax to OpenSSL.
  private static func isHostName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 253 else { return false }
    return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
          && label.allSatisfy(isLabelCharacter)
      }
  }

  private static func isLabelCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func address(_ text: String) -> [UInt8]? {
    OpenSSLErrors.clear()
    guard let octets = a2i_IPADDRESS(text) else {
      OpenSSLErrors.clear()
      return nil
    }
    defer { ASN1_OCTET_STRING_free(octets) }
    return bytes(of: octets)
  }

  private static func ipv6Text(_ bytes: [UInt8]) -> String {
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 { start = index + 1 }
      if index + 1 - start > longest.count { longest = start..<index + 1 }
    }
    let text = { (part: ArraySlice<UInt16>) in
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if longest.count < 2 { return text(groups[...]) }
    return "\(text(groups[..<longest.lowerBound]))::\(text(groups[longest.upperBound...]))"
  }
}

/// Copies what an ASN.1 string holds.
func bytes(of string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
  [UInt8](
    UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
}
