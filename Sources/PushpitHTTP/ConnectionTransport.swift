internal import PushpitHTTPTypes
internal import PushpitNetwork

/// Moves the bytes of one server connection between its socket and its session.
final class ConnectionTransport {
  /// From this many bytes that the kernel does not take, the peer must read before it may ask on.
  static let highWaterLimit = 256 * 1024

  let connection: ServerConnection
  /// Where the server keeps it.
  var index = 0
  /// Whether it stands in the server's list of connections with output.
  var isScheduled = false
  let listener: Listener
  private let stream: TCPStream
  private var writtenCount = 0
  private var lastSentCount = 0

  init(_ stream: TCPStream, connection: ServerConnection, listener: Listener) {
    self.stream = stream
    self.connection = connection
    self.listener = listener
    connection.transport = self
    stream.delegate = self
    stream.startReading()
  }

  /// Sends what is ready, as far as the kernel and the high-water mark allow.
  func flush() {
    var hasMore = true
    while hasMore, stream.queuedByteCount < Self.highWaterLimit {
      hasMore = connection.takeOutput(room: Self.highWaterLimit) { bytes in
        writtenCount += bytes.count
        stream.write(bytes)
      }
    }
    guard connection.ending == nil else { return endStream() }
    let queued = stream.queuedByteCount
    if queued > 0 || isWatchingOutput { checkOutput(queued) }
    if queued >= Self.highWaterLimit || !connection.wantsInput {
      stream.stopReading()
    } else if !stream.isReading {
      stream.startReading()
    }
  }

  /// Called about once a second.
  func checkTime(now: Int64) {
    connection.checkTime(now: now)
    if connection.ending == nil { checkOutput(stream.queuedByteCount) }
    if connection.ending != nil { endStream() }
  }

  /// Ends it without a last word.
  func closeAtOnce() { stream.close() }

  private var isWatchingOutput: Bool { connection.timing.stalledSince != nil }

  private func checkOutput(_ queued: Int) {
    let sentCount = writtenCount - queued
    connection.checkOutput(
      queued: queued, hasMoved: sentCount != lastSentCount, now: stream.loop.now)
    lastSentCount = sentCount
    if connection.ending != nil { endStream() }
  }

  private func endStream() {
    if connection.endsAtOnce { stream.close() } else { stream.closeAfterWriting() }
  }
}

extension ConnectionTransport: TCPStreamDelegate {
  func streamReceived(_ stream: TCPStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    connection.feed(bytes, now: stream.loop.now)
    flush()
  }

  func streamEnded(_ stream: TCPStream) {
    connection.peerEnded()
    flush()
  }

  func streamDrained(_ stream: TCPStream) { flush() }

  func streamClosed(_ stream: TCPStream, _ error: NetworkError?) {
    connection.transportEnded(error?.description)
    listener.server?.remove(self)
  }
}

extension ConnectionTransport: ServerConnectionTransport {
  func connectionNeedsService(_ connection: ServerConnection) {
    listener.server?.schedule(self)
  }
}
