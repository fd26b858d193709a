internal import CUV

/// What a connector tells its owner, on the loop's thread; one call, the last.
package protocol TCPConnectorDelegate: AnyObject {
  /// The peer has accepted; who keeps the stream sets its delegate and starts reading.
  func connectorConnected(_ connector: TCPConnector, _ stream: TCPStream)

  /// No address of the host accepted, or the time was up.
  func connectorFailed(_ connector: TCPConnector, _ error: NetworkError)
}

/// Connects to a host by name or address, trying its addresses in the resolver's order.
///
/// It keeps itself and its delegate until it has reported.
package final class TCPConnector {
  private let loop: EventLoop
  private let operation: String
  private let host: String
  private let port: Int
  private var delegate: (any TCPConnectorDelegate)?
  private var addresses: [SocketAddress] = []
  private var stream: TCPStream?
  private var timer: Timer?
  private var lastStatus = UV_EADDRNOTAVAIL.rawValue

  /// Starts to connect.
  @discardableResult
  package init(
    _ loop: EventLoop, host: String, port: Int, timeLimit: Duration,
    delegate: any TCPConnectorDelegate
  ) {
    self.loop = loop
    self.host = host
    self.port = port
    self.delegate = delegate
    operation = "connect to \(SocketAddress.text(host: host, port: port))"
    // A literal is tried in the next turn of the loop, so that the owner has its connector first.
    timer = Timer(loop, after: .zero) { [self] in start(timeLimit) }
  }

  private func start(_ timeLimit: Duration) {
    timer = Timer(loop, after: timeLimit) { [self] in
      lastStatus = UV_ETIMEDOUT.rawValue
      fail()
    }
    if let address = SocketAddress(host: host, port: port) {
      addresses = [address]
      connectToNext()
    } else {
      resolve()
    }
  }

  /// Gives up without a report.
  package func cancel() {
    delegate = nil
    fail()
  }

  private func fail() {
    timer?.cancel()
    timer = nil
    stream?.close()
    stream = nil
    let delegate = delegate
    self.delegate = nil
    delegate?.connectorFailed(self, NetworkError(operation, status: lastStatus))
  }

  // MARK: Name to addresses

  private func resolve() {
    NameResolver.start(loop, host) { [self] status, found in
      guard delegate != nil, !loop.isStopping else { return }
      guard status == 0 else {
        lastStatus = status
        return fail()
      }
      addresses = found.map { $0.with(port: port) }
      connectToNext()
    }
  }

  // MARK: Address to connection

  private func connectToNext() {
    guard !addresses.isEmpty else { return fail() }
    let address = addresses.removeFirst()
    do throws(NetworkError) {
      let stream = try TCPStream(loop)
      self.stream = stream
      let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
      request.pointee.data = Unmanaged.passRetained(self).toOpaque()
      let status = address.withPointer { address in
        uv_tcp_connect(request, stream.tcp, address) { request, status in
          guard let request, let data = request.pointee.data else { return }
          request.deallocate()
          Unmanaged<TCPConnector>.fromOpaque(data).takeRetainedValue().didConnect(status)
        }
      }
      guard status != 0 else { return }
      request.deallocate()
      Unmanaged.passUnretained(self).release()
      didConnect(status)
    } catch {
      fail()
    }
  }

  private func didConnect(_ status: Int32) {
    // A cancelled or timed-out attempt ends here too, with its stream already closed.
    guard let delegate, let stream else { return }
    guard status == 0 else {
      lastStatus = status
      stream.close()
      self.stream = nil
      return connectToNext()
    }
    self.delegate = nil
    self.stream = nil
    timer?.cancel()
    timer = nil
    stream.becameConnected()
    delegate.connectorConnected(self, stream)
  }
}
