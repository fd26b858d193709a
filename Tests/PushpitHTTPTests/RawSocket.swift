import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A blocking socket of a test, for bytes that no client of ours would send.
final class RawSocket: Sendable {
  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1; every wait ends after ten seconds.
  init(port: Int) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: address) {
      _ = Self.connectSocket(
        descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }

  private static let connectSocket = connect

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

  /// Sends the end of the stream; reading goes on.
  func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Everything until the server closes; nil when it resets the connection or never closes.
  func readToEnd() async -> [UInt8]? {
    await blocking { $0.readToEnd() }
  }

  /// What one read gives.
  func readSome() async -> [UInt8] {
    await blocking { $0.readSome() }
  }

  /// Waits on a thread that no other test needs.
  private func blocking<R: Sendable>(_ body: @escaping @Sendable (RawSocket) -> R) async -> R {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body(self)) }
    }
  }

  private func readToEnd() -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  private func readSome() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &buffer, buffer.count)
    return Array(buffer[..<max(0, count)])
  }
}
