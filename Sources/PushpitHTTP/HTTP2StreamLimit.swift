/// How many streams an HTTP/2 peer may have open, by what it was told and has acknowledged.
///
/// Requests come before our SETTINGS are known to the peer (most APNs clients do not wait for them),
/// so before the first acknowledgement only the cap holds. Raising a limit counts when it is sent,
/// lowering it only when it is acknowledged: the peer is in the right until then.
struct HTTP2StreamLimit {
  private let cap: Int
  private var isClosed = false
  /// The last value that the peer acknowledged; nil before the first.
  private var acknowledged: Int?
  /// Values sent and not acknowledged, one for each SETTINGS frame, oldest first.
  private var pending: [Int] = []
  /// The most frames that a peer may leave unacknowledged.
  static let pendingLimit = 100
  /// Values of SETTINGS frames that were submitted and not written, oldest first.
  private var unwritten: [Int] = []

  /// The most streams that may be open now.
  private(set) var enforced: Int

  init(cap: Int) {
    self.cap = cap
    enforced = cap
  }

  /// Notes a SETTINGS frame with this value.
  mutating func submit(_ value: Int) {
    pending.append(value)
    unwritten.append(value)
    update()
  }

  /// The peer acknowledges nothing any more (RFC 9113 section 6.5.3: SETTINGS_TIMEOUT).
  var isIgnored: Bool { pending.count >= Self.pendingLimit }

  /// The value to write into the next SETTINGS frame that goes out.
  mutating func takeUnwritten() -> Int? {
    unwritten.isEmpty ? nil : unwritten.removeFirst()
  }

  /// Notes the acknowledgement of the oldest frame.
  mutating func acknowledge() {
    guard !pending.isEmpty else { return }
    acknowledged = pending.removeFirst()
    update()
  }

  /// Lets no stream be opened any more, whatever the peer acknowledges.
  mutating func close() {
    isClosed = true
    enforced = 0
  }

  private mutating func update() {
    guard let acknowledged, !isClosed else { return }
    enforced = min(cap, pending.reduce(acknowledged, max))
  }
}
