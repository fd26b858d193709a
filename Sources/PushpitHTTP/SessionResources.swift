internal import CNghttp2

/// What all sessions of one event loop share: pooled streams, and memory and scratch for nghttp2.
///
/// Like the sessions it belongs to one thread. Sessions hold it, so that it outlives them.
package final class SessionResources {
  /// The most streams that are kept for reuse.
  private static let pooledStreamLimit = 2048

  /// Streams as new.
  ///
  /// Without run-time exclusivity checks: one thread uses it, and no access calls anything but the
  /// array's own methods.
  @exclusivity(unchecked) private(set) var pooledStreams: [ServerStream] = []

  /// The allocator of every session; owned, nil when memory ran out, then nghttp2 uses its default.
  let memory: UnsafeMutablePointer<nghttp2_mem>?

  /// Scratch for the fields of one answer, which nghttp2 copies before it returns; owned.
  private var nameValues: UnsafeMutableBufferPointer<nghttp2_nv>

  /// The bytes `:status` and three digits; owned.
  private let statusField: UnsafeMutableBufferPointer<UInt8>

  package init() {
    memory = shim_pool_new()
    nameValues = .allocate(capacity: 32)
    statusField = .allocate(capacity: 10)
    _ = statusField.initialize(from: ":status000".utf8)
  }

  deinit {
    shim_pool_del(memory)
    nameValues.deallocate()
    statusField.deallocate()
  }

  /// A stream as new.
  func takeStream() -> ServerStream { pooledStreams.popLast() ?? ServerStream() }

  /// Keeps a stream for reuse if the caller's reference is the only one, and takes that.
  ///
  /// A handler that still holds the stream must never see another request in it.
  func recycle(_ stream: inout ServerStream?) {
    stream?.detach()
    if pooledStreams.count < Self.pooledStreamLimit, isKnownUniquelyReferenced(&stream),
      let unused = stream.take()
    {
      unused.prepareForReuse()
      pooledStreams.append(unused)
    }
    stream = nil
  }
}

extension SessionResources {
  /// Room for this many fields, valid until the next call.
  func reserveFields(_ count: Int) -> UnsafeMutableBufferPointer<nghttp2_nv> {
    if nameValues.count < count {
      nameValues.deallocate()
      nameValues = .allocate(capacity: count * 2)
    }
    return nameValues
  }

  /// The field `:status` with this value, valid until the next call.
  func statusField(_ status: Int) -> nghttp2_nv {
    let digits = (status / 100 % 10, status / 10 % 10, status % 10)
    statusField[7] = UInt8(0x30 + digits.0)
    statusField[8] = UInt8(0x30 + digits.1)
    statusField[9] = UInt8(0x30 + digits.2)
    let start = statusField.baseAddress
    return nghttp2_nv(
      name: start, value: start.map { $0 + 7 }, namelen: 7, valuelen: 3,
      flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
  }
}
