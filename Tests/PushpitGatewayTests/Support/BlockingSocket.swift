import Foundation
import PushpitCrypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs blocking work on a thread that no other test needs.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// A blocking socket of a test, for bytes that no client of ours would send.
final class BlockingSocket {
  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1; every wait ends after twenty seconds.
  ///
  /// - Returns: nil when nobody listens there.
  init?(port: Int) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: address) {
      connect(
        descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  func send(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// What one read gives; empty at the end.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer[..<max(0, count)])
  }

  /// Everything until the peer closes.
  func readToEnd() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = read()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }
}

/// Sends bytes over TLS, and returns the ALPN name and all plain text until the peer closes.
func exchangeOverTLS(
  port: Int, authority: [UInt8], serverName: String, protocols: [String],
  identity: (certificates: [UInt8], key: [UInt8])? = nil, sending bytes: [UInt8]
) throws -> (negotiated: String?, received: [UInt8]) {
  guard let socket = BlockingSocket(port: port) else { return (nil, []) }
  let context = try TLSContext(
    client: authority, alpn: protocols, verify: true,
    identity: identity.map { ($0.certificates, try PrivateKey(pem: $0.key)) })
  let session = try TLSSession(context, serverName: serverName)
  func flush() {
    session.withPendingCiphertext { socket.send($0) }
    session.clearPendingCiphertext()
  }
  while true {
    let step = session.handshake()
    flush()
    guard case .needsMoreInput = step else { break }
    let piece = socket.read()
    if piece.isEmpty { return (nil, []) }
    piece.withUnsafeBufferPointer(session.receive)
  }
  _ = bytes.withUnsafeBufferPointer(session.write)
  flush()
  var received: [UInt8] = []
  let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)
  defer { buffer.deallocate() }
  while true {
    switch session.read(into: buffer) {
    case .bytes(let count): received += buffer[..<count]
    case .needsMoreInput:
      let piece = socket.read()
      if piece.isEmpty { return (session.negotiatedProtocol, received) }
      piece.withUnsafeBufferPointer(session.receive)
    case .closed, .failed: return (session.negotiatedProtocol, received)
    }
  }
}
