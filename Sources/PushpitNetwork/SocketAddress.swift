internal import CUV

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An IPv4 or IPv6 address with a port, as the C calls take it.
struct SocketAddress {
  private var storage = sockaddr_storage()

  /// Reads an address literal without brackets: `127.0.0.1`, `::1`; nil for a name.
  init?(host: String, port: Int) {
    guard (0...0xFFFF).contains(port) else { return nil }
    let isParsed = withUnsafeMutablePointer(to: &storage) { storage in
      let memory = UnsafeMutableRawPointer(storage)
      return uv_ip4_addr(host, Int32(port), memory.assumingMemoryBound(to: sockaddr_in.self)) == 0
        || uv_ip6_addr(host, Int32(port), memory.assumingMemoryBound(to: sockaddr_in6.self)) == 0
    }
    guard isParsed else { return nil }
  }

  /// Copies an address that a C call gave; nil for other families.
  init?(_ address: UnsafePointer<sockaddr>) {
    let count: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: count = MemoryLayout<sockaddr_in>.size
    case AF_INET6: count = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
    }
  }

  /// Asks a C call to fill in an address.
  init?(
    filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32
  ) {
    var count = Int32(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { storage in
      call(
        UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self), &count)
    }
    guard status == 0 else { return nil }
  }

  var isIPv6: Bool { Int32(storage.ss_family) == AF_INET6 }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>) -> R) -> R {
    withUnsafePointer(to: storage) {
      body(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self))
    }
  }

  /// The port in the machine's byte order.
  var port: Int {
    // Both families keep the port right after the family's two bytes.
    withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
  }

  /// The same address with another port.
  func with(port: Int) -> SocketAddress {
    var copy = self
    withUnsafeMutableBytes(of: &copy.storage) {
      $0[2] = UInt8(truncatingIfNeeded: port >> 8)
      $0[3] = UInt8(truncatingIfNeeded: port)
    }
    return copy
  }

  /// The address alone; of IPv6 without its zone.
  var ipAddress: IPAddress {
    // The families keep it after the port, IPv6 after four more bytes.
    withUnsafeBytes(of: storage) { IPAddress(bytes: Array($0[isIPv6 ? 8..<24 : 4..<8])) }
  }

  /// `127.0.0.1:2197` or `[::1]:2197`.
  var text: String {
    let host = withPointer { address in
      // The longest address text has 45 characters and a zero (INET6_ADDRSTRLEN).
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 46) { buffer in
        guard uv_ip_name(address, buffer.baseAddress, 46) == 0, let start = buffer.baseAddress
        else { return "?" }
        return String(cString: start)
      }
    }
    return Self.text(host: host, port: port)
  }

  /// Host and port as a URL has them.
  static func text(host: String, port: Int) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
