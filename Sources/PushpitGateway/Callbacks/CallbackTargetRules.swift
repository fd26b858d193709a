internal import PushpitNetwork

/// Where callbacks may go: this machine, private networks and hosts that were named; never to the
/// vendors and never to what clouds answer their machines with.
///
/// Anybody who reaches the console can make a device with callbacks. So the rules are for
/// addresses, after the name was resolved, and the address that was looked at is the one that is
/// connected to.
package struct CallbackTargetRules: Sendable {
  /// The hosts of `--callback-host`, in lower case.
  private let names: Set<String>

  package init(names: [String]) {
    self.names = Set(names.map(Self.canonical))
  }

  /// What is wrong with a name of `--callback-host`, to follow the option's name.
  package static func problem(ofName name: String) -> String? {
    let host = canonical(name)
    guard !host.isEmpty, !host.contains(where: { "/@?#[] ".contains($0) }),
      !host.contains(":") || IPAddress(host) != nil
    else { return "takes a host like hooks.example.com, without scheme or port" }
    guard !isVendor(host) else { return "takes no host of Apple's or Google's" }
    return nil
  }

  /// Why nothing is sent to a host, whatever its addresses are; nil when they decide.
  func refusal(ofHost host: String) -> String? {
    guard Self.isVendor(Self.canonical(host)) else { return nil }
    return "callbacks are never sent to hosts of Apple's or Google's"
  }

  /// Why nothing is sent to an address of a host; nil when it may be.
  func refusal(of address: IPAddress, host: String) -> String? {
    let bytes = Self.unmapped(address.bytes)
    if let kind = Self.forbiddenKind(bytes) {
      return "callbacks are never sent to \(address), \(kind)"
    }
    if Self.isNear(bytes) || names.contains(Self.canonical(host)) { return nil }
    return
      "\(host) is \(address), neither this machine nor of a private network; allow it with "
      + "--callback-host \(host)"
  }

  // MARK: Names

  /// Domains whose hosts are the vendors' own; what customers run there has other names.
  private static let vendorDomains = [
    "apple.com", "icloud.com", "google.com", "googleapis.com", "google.internal",
  ]

  private static func isVendor(_ host: String) -> Bool {
    vendorDomains.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Lower case, without the dot of an absolute name or the brackets of IPv6.
  private static func canonical(_ host: String) -> String {
    var host = host.lowercased()[...]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    while host.hasSuffix(".") { host = host.dropLast() }
    return String(host)
  }

  // MARK: Addresses

  /// The bytes of the IPv4 address that an IPv4-mapped one stands for (RFC 4291 section 2.5.5.2):
  /// the kernel connects to that.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF
    return isMapped && bytes[11] == 0xFF ? Array(bytes[12...]) : bytes
  }

  /// Loopback and private networks: RFC 1122 section 3.2.1.3, RFC 1918 section 3, RFC 4291 section
  /// 2.5.3, RFC 4193 section 3.1.
  private static func isNear(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else { return isLoopback6(bytes) || bytes[0] & 0xFE == 0xFC }
    return switch (bytes[0], bytes[1]) {
    case (127, _), (10, _), (172, 16...31), (192, 168): true
    default: false
    }
  }

  /// What kind of address nothing is ever sent to; nil for all others.
  private static func forbiddenKind(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 4 else { return forbiddenKind6(bytes) }
    return switch (bytes[0], bytes[1]) {
    // Linux takes it for this machine (RFC 1122 section 3.2.1.3 (a)).
    case (0, _): "an unspecified address"
    case (169, 254): "a link-local address, as clouds have for the metadata of their machines"
    // RFC 1112 section 4; what follows is reserved, and broadcast.
    case (224..., _): "an address of many hosts or none"
    // Assigned to Apple as a whole (IANA IPv4 address space registry).
    case (17, _): "an address of Apple's"
    default: nil
    }
  }

  private static func forbiddenKind6(_ bytes: [UInt8]) -> String? {
    if bytes.allSatisfy({ $0 == 0 }) { return "an unspecified address" }
    if isLoopback6(bytes) { return nil }
    if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return "a link-local address" }
    if bytes[0] == 0xFF { return "an address of many hosts" }
    if metadata6.contains(bytes) { return "where a cloud has the metadata of its machines" }
    return embedded(bytes).flatMap(forbiddenKind)
  }

  /// The IPv4 address to which a translator or tunnel may lead: the deprecated compatible form (RFC
  /// 4291 section 2.5.5.1), NAT64 (RFC 6052 section 2.1), 6to4 (RFC 3056 section 2).
  private static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      return Array(bytes[12...])
    }
    if bytes.starts(with: [UInt8](repeating: 0, count: 12)) { return Array(bytes[12...]) }
    return bytes.starts(with: [0x20, 0x02]) ? Array(bytes[2..<6]) : nil
  }

  private static func isLoopback6(_ bytes: [UInt8]) -> Bool {
    bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Amazon EC2 (User Guide: instance metadata, `fd00:ec2::254`) and Google Cloud (Compute Engine:
  /// IPv6 metadata server, `fd20:ce::254`): unique local addresses, and yet no private network of
  /// the user's.
  private static let metadata6 = ["fd00:ec2::254", "fd20:ce::254"].compactMap {
    IPAddress($0)?.bytes
  }
}
