internal import PushpitModel

/// What APNs keeps for one app on an offline device: the newest push (Apple: Sending notification
/// requests to APNs).
struct APNsStorage {
  private(set) var push: DevicePush?

  var count: Int { push == nil ? 0 : 1 }

  /// Stores a push; an older one makes place for it.
  mutating func store(
    _ new: DevicePush, now: Timestamp
  ) -> (replaced: StorageStep?, own: StorageStep) {
    guard new.expiresAt != nil else {
      return (nil, StorageStep(push: new, state: .dropped, cause: StorageCause.notStored(new)))
    }
    if new.isExpired(at: now) {
      return (nil, StorageStep(push: new, state: .expired, cause: StorageCause.expired))
    }
    let own = StorageStep(push: new, state: .stored, cause: StorageCause.stored)
    let old = push
    push = new
    guard let old else { return (nil, own) }
    if old.isExpired(at: now) {
      return (StorageStep(push: old, state: .expired, cause: StorageCause.expired), own)
    }
    return (StorageStep(push: old, state: .dropped, cause: "replaced by a newer push"), own)
  }

  /// Takes the stored push out.
  mutating func take() -> DevicePush? {
    push.take()
  }
}
