internal import COpenSSL

/// The ciphertext between one TLS session and whoever carries it: a BIO over two queues.
///
/// OpenSSL's own memory BIO never gives memory back, which every idle connection would keep.
///
/// No run-time exclusivity checks. Proof that none is needed: all accesses happen on one thread, and each
/// is a call of the property's own methods, or of memory copies, that calls nothing else.
final class TLSTransport {
  /// More room than this is given back as soon as a queue is empty.
  private static let keptCount = 1024

  /// Received and not yet read by OpenSSL, from `inboundStart`.
  @exclusivity(unchecked) private var inbound: [UInt8] = []
  @exclusivity(unchecked) private var inboundStart = 0
  /// Received and not yet read by OpenSSL: the memory of who calls, valid until that call is over.
  @exclusivity(unchecked) private var borrowed = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Written by OpenSSL and not yet sent.
  @exclusivity(unchecked) private(set) var outbound: [UInt8] = []

  /// Whether there is received ciphertext that OpenSSL has not read.
  var hasInbound: Bool { !borrowed.isEmpty || !inbound.isEmpty }

  /// Bytes of memory that the queues hold.
  var heldByteCount: Int { inbound.capacity + outbound.capacity }

  /// Queues received bytes.
  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    receive(bytes) {}
  }

  /// Lends received bytes to OpenSSL for the time of `body`, then queues what it has not read.
  func receive<Result>(_ bytes: UnsafeBufferPointer<UInt8>, _ body: () -> Result) -> Result {
    queueBorrowed()
    if inbound.isEmpty {
      borrowed = bytes
    } else {
      inbound.append(contentsOf: bytes)
    }
    defer { queueBorrowed() }
    return body()
  }

  private func queueBorrowed() {
    guard !borrowed.isEmpty else { return }
    inbound.append(contentsOf: borrowed)
    borrowed = UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Forgets the bytes to send.
  func clearOutbound() {
    outbound.removeAll(keepingCapacity: outbound.capacity <= Self.keptCount)
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if !borrowed.isEmpty { return readBorrowed(into: buffer) }
    let count = min(buffer.count, inbound.count - inboundStart)
    inbound.withUnsafeBytes { bytes in
      buffer.copyMemory(from: .init(rebasing: bytes[inboundStart..<inboundStart + count]))
    }
    inboundStart += count
    if inboundStart == inbound.count {
      inboundStart = 0
      inbound.removeAll(keepingCapacity: inbound.capacity <= Self.keptCount)
    }
    return count
  }

  private func readBorrowed(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, borrowed.count)
    buffer.copyMemory(from: .init(rebasing: UnsafeRawBufferPointer(borrowed)[..<count]))
    borrowed = UnsafeBufferPointer(rebasing: borrowed[count...])
    return count
  }

  fileprivate func write(_ bytes: UnsafeRawBufferPointer) {
    outbound.append(contentsOf: bytes)
  }

  /// Makes a BIO over the queues.
  ///
  /// - Returns: A BIO that the caller owns and that must not outlive the queues.
  func makeBIO(_ method: OpaquePointer) -> OpaquePointer? {
    guard let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  /// Makes the table of functions of such BIOs; the caller owns it.
  static func makeMethod() -> OpaquePointer? {
    guard let method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "pushpit queues") else { return nil }
    BIO_meth_set_read(method, readQueue)
    BIO_meth_set_write(method, writeQueue)
    // Flushing is done already; every other question is answered with no.
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }
}

/// The queues that a BIO reaches; whoever owns the BIO retains them.
private func queues(of bio: OpaquePointer?) -> TLSTransport? {
  BIO_get_data(bio).map { Unmanaged<TLSTransport>.fromOpaque($0).takeUnretainedValue() }
}

private func readQueue(
  bio: OpaquePointer?, buffer: UnsafeMutablePointer<CChar>?, count: Int32
) -> Int32 {
  shim_BIO_clear_retry_flags(bio)
  let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(max(0, count)))
  let read = queues(of: bio)?.read(into: target) ?? 0
  guard read == 0 else { return Int32(read) }
  shim_BIO_set_retry_read(bio)
  return -1
}

private func writeQueue(bio: OpaquePointer?, buffer: UnsafePointer<CChar>?, count: Int32) -> Int32 {
  guard let queues = queues(of: bio), count > 0 else { return 0 }
  queues.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
  return count
}
