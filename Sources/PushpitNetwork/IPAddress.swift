/// An IPv4 or IPv6 address, without a port or a zone.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 or 16 bytes, as they go over the wire.
  package let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an address literal without brackets: `127.0.0.1`, `::1`; nil for a name.
  package init?(_ text: String) {
    guard let address = SocketAddress(host: text, port: 0) else { return nil }
    self = address.ipAddress
  }

  /// `127.0.0.1` or `::1`.
  package var description: String {
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }
}
