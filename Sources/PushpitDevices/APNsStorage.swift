internal import PushpitModel

/// What APNs keeps for one app on a device that cannot have it now: the newest push (Apple: Sending
/// notification requests to APNs).
struct APNsStorage {
  private(set) var push: DevicePush?

  var count: Int { push == nil ? 0 : 1 }

  /// Stores a push; an older one makes place for it.
  mutating func store(
    _ new: DevicePush, because reason: StorageReason, now: Timestamp
  ) -> (replaced: StorageStep?, own: StorageStep) {
    guard new.expiresAt != nil else {
      return (nil, StorageStep(push: new, state: .dropped, cause: reason.notStored(new)))
    }
    if new.isExpired(at: now) {
      return (nil, StorageStep(push: new, state: .expired, cause: StorageCause.expired))
    }
    let own = StorageStep(push: new, state: .stored, cause: reason.stored)
    let old = push
    push = new
    guard let old else { return (nil, own) }
    if old.isExpired(at: now) {
      return (StorageStep(push: old, state: .expired, cause: StorageCause.expired), own)
    }
    guard new.collapse.isEmpty || new.collapse != old.collapse else {
      return (
        StorageStep(
          push: old, state: .collapsed, cause: "replaced by a newer push of its collapse id"),
        own
      )
    }
    return (StorageStep(push: old, state: .dropped, cause: "replaced by a newer push"), own)
  }

  /// When the stored push expires; nil when nothing is stored.
  var expiresAt: Timestamp? { push?.expiresAt }

  /// Takes the stored push out when its time is over.
  mutating func takeExpired(now: Timestamp) -> DevicePush? {
    push.flatMap { $0.isExpired(at: now) ? take { _ in false } : nil }
  }

  /// Takes the stored push out, unless it has to wait.
  mutating func take(unless mustWait: (DevicePush) -> Bool) -> DevicePush? {
    guard let stored = push, !mustWait(stored) else { return nil }
    push = nil
    return stored
  }
}
