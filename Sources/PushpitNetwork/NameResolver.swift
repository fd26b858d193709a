internal import CUV

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Asks the system for the addresses of a name, on a thread of libuv's pool, so that the loop never
/// waits.
package final class NameResolver {
  /// Told of a status, 0 for success, and the addresses in the system's order.
  private let report: (Int32, [SocketAddress]) -> Void

  private init(_ report: @escaping (Int32, [SocketAddress]) -> Void) {
    self.report = report
  }

  /// The addresses of a name, each once, in the system's order; an address literal is its own.
  ///
  /// For the loop's thread. The system takes as long as it takes; a caller in a hurry does not
  /// wait.
  package static func addresses(
    of host: String, _ loop: EventLoop
  ) async throws(NetworkError) -> [IPAddress] {
    if let literal = IPAddress(host) { return [literal] }
    let (status, found) = await withCheckedContinuation { continuation in
      start(loop, host) { status, found in
        continuation.resume(returning: (status, found.map(\.ipAddress)))
      }
    }
    guard status == 0 else { throw NetworkError("find the address of \(host)", status: status) }
    return found
  }

  /// Asks for the addresses of a name; the report comes once, on the loop, perhaps within this
  /// call.
  static func start(
    _ loop: EventLoop, _ host: String, _ report: @escaping (Int32, [SocketAddress]) -> Void
  ) {
    let resolver = NameResolver(report)
    var hints = addrinfo()
    hints.ai_socktype = Int32(streamSocketType)
    // Held, and freed, by the callback, which always comes when the call has begun.
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passRetained(resolver).toOpaque()
    let status = uv_getaddrinfo(
      loop.core.loop, request,
      { request, status, list in
        guard let request, let data = request.pointee.data else { return }
        let resolver = Unmanaged<NameResolver>.fromOpaque(data).takeRetainedValue()
        request.deallocate()
        let found = NameResolver.addresses(in: list)
        uv_freeaddrinfo(list)
        resolver.report(status, found)
      }, host, nil, &hints)
    guard status != 0 else { return }
    Unmanaged.passUnretained(resolver).release()
    request.deallocate()
    report(status, [])
  }

  private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next {
      if let address = info.pointee.ai_addr.flatMap({ SocketAddress($0) }) {
        addresses.append(address)
      }
      next = info.pointee.ai_next
    }
    return addresses
  }

  private static var streamSocketType: Int {
    #if canImport(Glibc)
      Int(SOCK_STREAM.rawValue)
    #else
      Int(SOCK_STREAM)
    #endif
  }
}
