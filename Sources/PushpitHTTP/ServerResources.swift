/// What all connections of one server share: pooled streams and working memory.
///
/// Connections use it within one call only, so an idle connection needs no buffer of its own.
package final class ServerResources {
  /// One TLS record's worth of plain text: reading more at once would need a copy of records.
  static let plaintextLimit = 16 * 1024

  /// What one `SSL_write` gets at most.
  ///
  /// One record a frame would cost more than half the throughput (measured: 58 %).
  static let gatherLimit = 16 * 1024

  let session = SessionResources()
  let plaintext = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: plaintextLimit)
  /// Output on its way from a session to TLS or to the transport.
  ///
  /// Without run-time exclusivity checks. Proof that none is needed: one thread uses it, and while it is
  /// lent to a session or to TLS, neither calls a connection that would use it (`isServing`).
  @exclusivity(unchecked) var output: [UInt8] = []

  package init() {
    output.reserveCapacity(4 * Self.gatherLimit)
  }

  deinit { plaintext.deallocate() }
}
