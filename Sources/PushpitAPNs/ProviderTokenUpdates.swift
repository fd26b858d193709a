internal import PushpitModel

/// How many new provider tokens of one key a connection has brought lately.
struct ProviderTokenUpdates {
  /// How long an allowance lasts (Apple: Establishing a token-based connection to APNs).
  static let period = Duration.seconds(20 * 60)

  /// When the token came with which the current period began, by the workspace's clock.
  private(set) var start = Timestamp(milliseconds: 0)
  /// The tokens of the current period, its first included; 0 before there was any.
  private var count = 0

  /// Counts a new token; false when there are already more than allowed, of which nil is any number.
  ///
  /// A clock that was set back begins a new period: what it says of the past is no longer true.
  mutating func add(at time: Timestamp, allowance: Int?) -> Bool {
    if count == 0 || time < start || time - start >= Self.period {
      start = time
      count = 0
    } else if let allowance, count > allowance {
      return false
    }
    count += 1
    return true
  }
}
