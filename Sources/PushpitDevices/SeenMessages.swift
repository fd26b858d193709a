internal import PushpitModel

/// The message ids that an app's SDKs have seen, each with its contract, by which they know a duplicate: the
/// newest of them.
struct SeenMessages {
  /// At most this many are remembered.
  static let limit = 1000

  private var envelopes: [String: EnvelopeNumber] = [:]
  private var order = RecentItems<String>(limit: limit)

  /// Remembers a message; returns the envelope that brought it before, when one did.
  mutating func see(_ id: String, in envelope: EnvelopeNumber) -> EnvelopeNumber? {
    if let before = envelopes[id] { return before }
    if order.count == Self.limit, let oldest = order.first { envelopes[oldest] = nil }
    order.append(id)
    envelopes[id] = envelope
    return nil
  }
}
