import Foundation
import PushpitNetwork

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs closures on one loop's thread, as the product's actors do, and counts what happened there.
actor LoopProbe {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// What was noted, in order.
  private(set) var notes: [String] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<[String], Never>)] = []
  private var kept: [AnyObject] = []

  init() throws { loop = try EventLoop() }

  /// Runs on the loop's thread.
  func run<R: Sendable>(_ body: @Sendable (isolated LoopProbe) throws -> R) rethrows -> R {
    try body(self)
  }

  func note(_ text: String) {
    notes.append(text)
    let ready = waiters.filter { $0.count <= notes.count }
    waiters.removeAll { $0.count <= notes.count }
    for waiter in ready { waiter.continuation.resume(returning: notes) }
  }

  /// Waits until so many notes are there; the test's time limit is the deadline.
  func notes(_ count: Int) async -> [String] {
    if notes.count >= count { return notes }
    return await withCheckedContinuation { waiters.append((count, $0)) }
  }

  /// Closes everything and lets go of what was kept.
  func stop() async {
    await loop.stop()
    kept = []
  }

  /// Holds an object that nobody else holds, until `stop()`.
  func keep(_ object: AnyObject) { kept.append(object) }
}

/// Accepts connections and notes what they bring; answers as the test says.
final class NotingServer: TCPListenerDelegate, TCPStreamDelegate {
  let probe: LoopProbe
  var streams: [TCPStream] = []
  var onBytes: (TCPStream, UnsafeBufferPointer<UInt8>) -> Void = { $0.write($1) }
  var onAccept: (TCPStream) -> Void = { _ in }
  var onEnd: (TCPStream) -> Void = { _ in }
  var onError: (NetworkError) -> Void = { _ in }

  init(_ probe: LoopProbe) { self.probe = probe }

  private func note(_ text: String) { probe.assumeIsolated { $0.note(text) } }

  func listenerAccepted(_ listener: TCPListener, _ stream: TCPStream) {
    streams.append(stream)
    stream.delegate = self
    stream.startReading()
    onAccept(stream)
  }

  func streamReceived(_ stream: TCPStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    onBytes(stream, bytes)
  }

  func streamEnded(_ stream: TCPStream) {
    note("server: end")
    onEnd(stream)
    stream.closeAfterWriting()
  }

  func streamDrained(_ stream: TCPStream) { note("server: drained") }

  func streamClosed(_ stream: TCPStream, _ error: NetworkError?) {
    note("server: closed \(error?.name ?? "")")
    if let error { onError(error) }
    streams.removeAll { $0 === stream }
  }
}

/// A client that notes what it gets.
final class NotingClient: TCPConnectorDelegate, TCPStreamDelegate {
  let probe: LoopProbe
  var stream: TCPStream?
  var received: [UInt8] = []
  var onConnect: (TCPStream) -> Void = { _ in }
  var onReceive: (TCPStream, Int) -> Void = { _, _ in }

  init(_ probe: LoopProbe) { self.probe = probe }

  private func note(_ text: String) { probe.assumeIsolated { $0.note(text) } }

  func connectorConnected(_ connector: TCPConnector, _ stream: TCPStream) {
    self.stream = stream
    stream.delegate = self
    stream.startReading()
    note("client: connected")
    onConnect(stream)
  }

  func connectorFailed(_ connector: TCPConnector, _ error: NetworkError) {
    note("client: \(error)")
  }

  func streamReceived(_ stream: TCPStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    received += bytes
    onReceive(stream, received.count)
  }

  func streamEnded(_ stream: TCPStream) {
    note("client: end after \(received.count)")
    stream.closeAfterWriting()
  }

  func streamDrained(_ stream: TCPStream) { note("client: drained") }

  func streamClosed(_ stream: TCPStream, _ error: NetworkError?) {
    note("client: closed \(error?.name ?? "")")
    self.stream = nil
  }
}

extension TCPStream {
  /// Writes an array.
  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write($0) }
  }
}

/// Connects, ends its own side at once, begins to read when `isReady`, and counts what it gets.
///
/// A plain blocking socket: our own streams do not read on after they have ended their side.
func countAfterEndingOwnSide(
  port: Int, whenReady isReady: @escaping @Sendable () async -> Void
) async -> Int {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  _ = withUnsafePointer(to: address) {
    connect(
      descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
      socklen_t(MemoryLayout<sockaddr_in>.size))
  }
  shutdown(descriptor, Int32(SHUT_WR))
  await isReady()
  return await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      var count = 0
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let read = read(descriptor, &buffer, buffer.count)
        guard read > 0 else { break }
        count += read
      }
      close(descriptor)
      continuation.resume(returning: count)
    }
  }
}
