internal import PushpitModel

/// What APNs keeps of broadcasts for one offline device: the most recent message of each channel that
/// stores (Apple: Sending channel management requests to APNs).
///
/// Apart from the newest push of the app, because a channel has a storage of its own.
struct ChannelStorage {
  /// By channel; no more than a device has channels.
  private var pushes: [ObjectIdentifier: DevicePush] = [:]

  var count: Int { pushes.count }

  /// Stores a broadcast; an older one of its channel makes place for it.
  mutating func store(
    _ new: DevicePush, of channel: Channel, because reason: StorageReason, now: Timestamp
  ) -> (replaced: StorageStep?, own: StorageStep) {
    guard new.expiresAt != nil else {
      let cause =
        switch channel.storagePolicy {
        case .none: reason.stored + " and the channel stores no messages"
        case .mostRecent: reason.notStored(new)
        }
      return (nil, StorageStep(push: new, state: .dropped, cause: cause))
    }
    if new.isExpired(at: now) {
      return (nil, StorageStep(push: new, state: .expired, cause: StorageCause.expired))
    }
    let own = StorageStep(push: new, state: .stored, cause: reason.stored)
    guard let old = pushes.updateValue(new, forKey: ObjectIdentifier(channel)) else {
      return (nil, own)
    }
    if old.isExpired(at: now) {
      return (StorageStep(push: old, state: .expired, cause: StorageCause.expired), own)
    }
    return (
      StorageStep(push: old, state: .dropped, cause: "replaced by a newer broadcast"), own
    )
  }

  /// When the first of the stored broadcasts expires; nil when nothing is stored.
  var expiresAt: Timestamp? { pushes.values.compactMap(\.expiresAt).min() }

  /// Takes a broadcast out whose time is over.
  mutating func takeExpired(now: Timestamp) -> DevicePush? {
    take { !$0.isExpired(at: now) }
  }

  /// Takes the oldest stored broadcast out that has not to wait.
  mutating func take(unless mustWait: (DevicePush) -> Bool) -> DevicePush? {
    let ready = pushes.filter { !mustWait($0.value) }
    guard let oldest = ready.min(by: { $0.value.envelope < $1.value.envelope }) else { return nil }
    pushes[oldest.key] = nil
    return oldest.value
  }

  /// Takes out what is stored of one channel.
  mutating func take(from channel: Channel) -> DevicePush? {
    pushes.removeValue(forKey: ObjectIdentifier(channel))
  }
}
