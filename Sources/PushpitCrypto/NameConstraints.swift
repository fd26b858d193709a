/// The names that an authority may issue certificates for (RFC 5280 section 4.2.1.10).
package struct NameConstraints: Sendable, Equatable {
  /// A range of addresses: an address and a mask of the same 4 or 16 bytes.
  package struct AddressRange: Sendable, Equatable {
    package let address: [UInt8]
    package let mask: [UInt8]

    package init(address: [UInt8], mask: [UInt8]) {
      self.address = address
      self.mask = mask
    }

    /// Whether an address is in the range.
    package func contains(_ other: [UInt8]) -> Bool {
      other.count == address.count
        && zip(zip(other, address), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }
  }

  /// Host names; each permits the names below it too.
  package let hostNames: [String]
  package let addressRanges: [AddressRange]

  package init(hostNames: [String], addressRanges: [AddressRange]) {
    self.hostNames = hostNames
    self.addressRanges = addressRanges
  }

  /// Permits names and single addresses, and always every loopback address of IPv4.
  package init(permitting names: [CertificateName]) {
    var hostNames: [String] = []
    var ranges = [AddressRange(address: [127, 0, 0, 0], mask: [255, 0, 0, 0])]
    for name in names {
      switch name {
      case .dns(let host): hostNames.append(host)
      case .ip(let bytes) where !ranges[0].contains(bytes):
        ranges.append(
          AddressRange(address: bytes, mask: [UInt8](repeating: 255, count: bytes.count)))
      case .ip: break
      }
    }
    self.init(hostNames: hostNames, addressRanges: ranges)
  }

  /// Whether a certificate for this name would be valid.
  package func permits(_ name: CertificateName) -> Bool {
    switch name {
    case .dns(let host):
      hostNames.contains { $0.lowercased() == host || host.hasSuffix(".\($0.lowercased())") }
    case .ip(let bytes): addressRanges.contains { $0.contains(bytes) }
    }
  }

  /// The value of the extension as OpenSSL's configuration writes it.
  var configuration: String {
    let names = hostNames.map { "permitted;DNS:\($0)" }
    let ranges = addressRanges.map {
      "permitted;IP:\(CertificateName.ip($0.address))/\(CertificateName.ip($0.mask))"
    }
    return (["critical"] + names + ranges).joined(separator: ",")
  }
}
