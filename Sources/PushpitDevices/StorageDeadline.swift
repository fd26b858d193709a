internal import PushpitModel

/// Until when a vendor stores a push for a device that is offline: never longer than a workspace's clock
/// can show, or what is due would not be over.
enum StorageDeadline {
  /// The longest that APNs stores a push (Apple: Sending notification requests).
  static let apnsLimit: Duration = .seconds(30 * 86_400)
  /// FCM's longest and default time to live, 4 weeks (FCM: AndroidConfig.ttl).
  static let fcmLimit: Duration = .seconds(28 * 86_400)

  // Computed once: this is asked for each push, and Duration counts in 128 bits.
  private static let apnsMilliseconds = apnsLimit.milliseconds
  private static let apnsSeconds = apnsLimit.components.seconds
  private static let fcmSeconds = fcmLimit.components.seconds

  /// The deadline by `apns-expiration`; nil when it says that the push is not to be stored.
  ///
  /// Without one, or with a later one, it is 30 days. The sender wrote it by real time; `now` is that
  /// of the workspace, so the deadline is moved by what lies between them.
  static func apns(expiration: Int64?, now: Timestamp, real: Timestamp) -> Timestamp? {
    let latest = min(
      Timestamp(milliseconds: now.milliseconds + apnsMilliseconds),
      WorkspaceClock.writable.upperBound)
    guard let expiration, expiration < real.seconds + apnsSeconds else {
      return latest
    }
    if expiration == 0 { return nil }
    let lead = now.milliseconds - real.milliseconds
    return min(Timestamp(milliseconds: max(expiration, 0) * 1000 + lead), latest)
  }

  /// The deadline of a broadcast on a channel of this policy, 8 hours at most; nil when it is not to be
  /// stored.
  static func broadcast(
    expiration: Int64?, policy: Channel.StoragePolicy, now: Timestamp, real: Timestamp
  ) -> Timestamp? {
    switch policy {
    case .none: nil
    case .mostRecent:
      apns(expiration: expiration, now: now, real: real).map { min($0, now + Channel.storageLimit) }
    }
  }

  /// The deadline by a time to live; nil when it is now or never, less than a whole second.
  static func fcm(timeToLive: Duration?, now: Timestamp) -> Timestamp? {
    let seconds = timeToLive.map { min($0.components.seconds, fcmSeconds) } ?? fcmSeconds
    guard seconds > 0 else { return nil }
    return min(
      Timestamp(milliseconds: now.milliseconds + seconds * 1000),
      WorkspaceClock.writable.upperBound)
  }
}
