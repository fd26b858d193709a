internal import CUV

/// What a stream tells its owner; all calls come on the loop's thread.
package protocol TCPStreamDelegate: AnyObject {
  /// Bytes came; they are valid during the call only.
  func streamReceived(_ stream: TCPStream, _ bytes: UnsafeBufferPointer<UInt8>)

  /// The peer will send no more; writing to it still works.
  func streamEnded(_ stream: TCPStream)

  /// Bytes that a write had to queue have all left the process.
  func streamDrained(_ stream: TCPStream)

  /// The stream is gone, with the error if one ended it; the last call.
  func streamClosed(_ stream: TCPStream, _ error: NetworkError?)
}

/// One TCP connection.
///
/// Reading and writing allocate nothing as long as the kernel takes what is written.
package final class TCPStream: LoopHandle {
  /// How long the peer may take to read the last bytes.
  package static let flushLimit = Duration.seconds(30)

  /// How long the peer may then take to close its side.
  package static let lingerLimit = Duration.seconds(1)

  /// Who is told; held until `streamClosed`.
  package var delegate: (any TCPStreamDelegate)?

  /// Whether bytes from the peer are taken from the kernel.
  package private(set) var isReading = false

  private var error: NetworkError?
  private var knownPeerText: String?
  private var lingerTimer: Timer?
  private var isLingering = false
  private var hasPeerEnded = false
  private var hasShutDown = false

  /// Makes a stream without a connection, to accept or to connect.
  init(_ loop: EventLoop) throws(NetworkError) {
    try super.init(loop, uv_tcp_t.self, operation: "make a socket") { uv_tcp_init($0, $1) }
  }

  var tcp: UnsafeMutablePointer<uv_tcp_t> {
    UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_tcp_t.self)
  }

  var stream: UnsafeMutablePointer<uv_stream_t> {
    UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
  }

  /// Sends small writes at once, as request and answer need it.
  func becameConnected() {
    uv_tcp_nodelay(tcp, 1)
  }

  /// The peer's address, `127.0.0.1:51234`; empty when it had gone before anybody asked.
  ///
  /// The kernel forgets it when the connection is reset, and then the error still has to name it.
  package var peerText: String {
    if let knownPeerText { return knownPeerText }
    knownPeerText = SocketAddress { uv_tcp_getpeername(tcp, $0, $1) }?.text
    return knownPeerText ?? ""
  }

  // MARK: Reading

  /// Begins or goes on to hand bytes to the delegate.
  package func startReading() {
    guard !isReading, !isClosed else { return }
    let status = uv_read_start(
      stream,
      { handle, _, buffer in
        // All sockets of the loop share one buffer: bytes are used up within the callback.
        guard let handle, let memory = handle.pointee.loop.pointee.data else { return }
        buffer?.pointee = uv_buf_init(
          memory.assumingMemoryBound(to: CChar.self), UInt32(LoopCore.readLimit))
      },
      { handle, count, buffer in
        guard let handle, let data = handle.pointee.data else { return }
        // Acting here is safe: libuv allows reading to be stopped and handles to be closed from
        // its read callback.
        Unmanaged<TCPStream>.fromOpaque(data)._withUnsafeGuaranteedRef {
          $0.didRead(count, buffer?.pointee.base)
        }
      })
    guard status == 0 else { return fail(NetworkError("read from \(peerText)", status: status)) }
    isReading = true
  }

  /// Leaves further bytes with the kernel, which makes the peer wait in time.
  package func stopReading() {
    guard isReading, !isClosed else { return }
    uv_read_stop(stream)
    isReading = false
  }

  private func didRead(_ count: Int, _ base: UnsafeMutablePointer<CChar>?) {
    if count > 0, let base {
      guard !isLingering else { return }
      let memory = UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self)
      delegate?.streamReceived(self, UnsafeBufferPointer(start: memory, count: count))
      return
    }
    guard count < 0, !isClosed else { return }
    stopReading()
    guard count == Int(UV_EOF.rawValue) else {
      return fail(
        NetworkError("read from \(peerText)", status: Int32(truncatingIfNeeded: count)))
    }
    hasPeerEnded = true
    if !isLingering {
      delegate?.streamEnded(self)
    } else if hasShutDown {
      close()
    }
  }

  // MARK: Writing

  /// How many written bytes the kernel has not taken yet.
  package var queuedByteCount: Int { uv_stream_get_write_queue_size(stream) }

  /// Sends bytes; what the kernel does not take now is copied and follows by itself.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isClosed, !isLingering, let base = bytes.baseAddress, bytes.count > 0 else { return }
    let memory = UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: CChar.self)
    var buffer = uv_buf_init(memory, UInt32(truncatingIfNeeded: bytes.count))
    let status = Int(uv_try_write(stream, &buffer, 1))
    if status == bytes.count { return }
    if status < 0, status != Int(UV_EAGAIN.rawValue) {
      return fail(NetworkError("write to \(peerText)", status: Int32(truncatingIfNeeded: status)))
    }
    queue(UnsafeBufferPointer(rebasing: bytes[max(0, status)...]))
  }

  private func queue(_ bytes: UnsafeBufferPointer<UInt8>) {
    let request = QueuedWrite(bytes, of: self)
    var buffer = request.buffer
    request.retainForCallback()
    let status = uv_write(request.request, stream, &buffer, 1) { request, status in
      guard let data = request?.pointee.data else { return }
      let write = Unmanaged<QueuedWrite>.fromOpaque(data).takeRetainedValue()
      write.stream.didWrite(status)
    }
    guard status != 0 else { return }
    request.releaseForCallback()
    fail(NetworkError("write to \(peerText)", status: status))
  }

  private func didWrite(_ status: Int32) {
    guard !isClosed else { return }
    if status < 0 {
      fail(NetworkError("write to \(peerText)", status: status))
    } else if queuedByteCount == 0, !isLingering {
      delegate?.streamDrained(self)
    }
  }

  // MARK: Ending

  /// Sends what is queued and the end of the stream, then reads and drops bytes until the peer closes.
  ///
  /// A close with unread bytes would make TCP reset the connection, and a reset can swallow the last
  /// frames on their way to the peer. `flushLimit` and `lingerLimit` bound the two stages.
  package func closeAfterWriting(flushLimit: Duration = TCPStream.flushLimit) {
    guard !isClosed, !isLingering else { return }
    isLingering = true
    lingerTimer = Timer(loop, after: flushLimit) { [unowned self] in close() }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    let status = uv_shutdown(request, stream) { request, status in
      guard let request, let data = request.pointee.data else { return }
      request.deallocate()
      // The stream is alive: libuv calls this before the handle's close callback lets go of it.
      Unmanaged<TCPStream>.fromOpaque(data).takeUnretainedValue().didShutDown(status)
    }
    guard status == 0 else {
      request.deallocate()
      return close()
    }
    if !hasPeerEnded { startReading() }
  }

  private func didShutDown(_ status: Int32) {
    guard !isClosed else { return }
    hasShutDown = true
    // A peer that ended its side first may still have been reading until now.
    guard status == 0, !hasPeerEnded else { return close() }
    lingerTimer?.cancel()
    lingerTimer = Timer(loop, after: Self.lingerLimit) { [unowned self] in close() }
  }

  /// Closes at once; what is queued is lost.
  package override func close() {
    lingerTimer?.cancel()
    lingerTimer = nil
    super.close()
  }

  private func fail(_ error: NetworkError) {
    guard !isClosed else { return }
    self.error = error
    close()
  }

  override func didClose() {
    let delegate = delegate
    self.delegate = nil
    delegate?.streamClosed(self, error)
  }
}

/// A copy of bytes that the kernel did not take at once, with libuv's request for them.
private final class QueuedWrite {
  let stream: TCPStream
  let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
  let buffer: uv_buf_t
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>, of stream: TCPStream) {
    self.stream = stream
    memory = .allocate(capacity: bytes.count)
    _ = memory.initialize(from: bytes)
    buffer = uv_buf_init(
      UnsafeMutableRawPointer(memory.baseAddress)?.assumingMemoryBound(to: CChar.self),
      UInt32(truncatingIfNeeded: bytes.count))
  }

  deinit {
    memory.deallocate()
    request.deallocate()
  }

  /// Keeps the copy until libuv calls back.
  func retainForCallback() {
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Takes that back when there will be no callback.
  func releaseForCallback() {
    Unmanaged.passUnretained(self).release()
  }
}
