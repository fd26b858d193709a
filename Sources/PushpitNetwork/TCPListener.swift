internal import CUV

/// What a listener tells its owner, on the loop's thread.
package protocol TCPListenerDelegate: AnyObject {
  /// A peer has connected; who keeps the stream sets its delegate and starts reading.
  func listenerAccepted(_ listener: TCPListener, _ stream: TCPStream)
}

/// A TCP port that takes connections.
package final class TCPListener: LoopHandle {
  /// How many connections the kernel keeps ready while the loop is busy.
  package static let backlogLimit: Int32 = 4096

  /// How often both families are tried on the next free port.
  private static let sharedPortAttemptLimit = 16

  /// The bound address, with the real port.
  package private(set) var port = 0

  /// The address as it was asked for, `127.0.0.1` or `::1`.
  package let host: String

  private weak var delegate: (any TCPListenerDelegate)?

  /// Listens on an address literal; port 0 takes a free one.
  ///
  /// An IPv6 address takes no IPv4 connections. The delegate is not retained.
  package init(
    _ loop: EventLoop, host: String, port: Int, delegate: any TCPListenerDelegate
  ) throws(NetworkError) {
    self.host = host
    self.delegate = delegate
    let operation = "listen on \(SocketAddress.text(host: host, port: port))"
    try super.init(loop, uv_tcp_t.self, operation: operation) { uv_tcp_init($0, $1) }
    do throws(NetworkError) {
      try bind(SocketAddress(host: host, port: port), operation)
    } catch {
      close()
      throw error
    }
  }

  private func bind(_ address: SocketAddress?, _ operation: String) throws(NetworkError) {
    guard let address else { throw NetworkError(operation, status: UV_EINVAL.rawValue) }
    let tcp = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_tcp_t.self)
    // libuv sets SO_REUSEADDR, so a restart need not wait for the last connections to time out.
    let flags = address.isIPv6 ? UInt32(UV_TCP_IPV6ONLY.rawValue) : 0
    var status = address.withPointer { uv_tcp_bind(tcp, $0, flags) }
    guard status == 0 else { throw NetworkError(operation, status: status) }
    let stream = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    status = uv_listen(stream, Self.backlogLimit) { stream, status in
      guard status == 0, let data = stream?.pointee.data else { return }
      Unmanaged<TCPListener>.fromOpaque(data).takeUnretainedValue().accept()
    }
    guard status == 0 else { throw NetworkError(operation, status: status) }
    port = SocketAddress { uv_tcp_getsockname(tcp, $0, $1) }?.port ?? address.port
  }

  private func accept() {
    guard let stream = try? TCPStream(loop) else { return }
    let server = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    guard uv_accept(server, stream.stream) == 0, let delegate else { return stream.close() }
    stream.becameConnected()
    delegate.listenerAccepted(self, stream)
  }

  /// Listens on several addresses with one port number.
  ///
  /// With port 0 the first address takes a free port that is free on the others too. An address of a
  /// family that the machine lacks is left out, unless it is the only one.
  package static func listen(
    _ loop: EventLoop, hosts: [String], port: Int, delegate: any TCPListenerDelegate
  ) throws(NetworkError) -> [TCPListener] {
    var attempt = 1
    while true {
      var listeners: [TCPListener] = []
      var missing: NetworkError?
      do throws(NetworkError) {
        for host in hosts {
          do throws(NetworkError) {
            let port = listeners.first?.port ?? port
            listeners.append(try TCPListener(loop, host: host, port: port, delegate: delegate))
          } catch {
            guard error.isAddressMissing else { throw error }
            missing = error
          }
        }
        if let missing, listeners.isEmpty { throw missing }
        return listeners
      } catch {
        for listener in listeners { listener.close() }
        guard port == 0, error.isAddressInUse, attempt < sharedPortAttemptLimit else { throw error }
        attempt += 1
      }
    }
  }
}
