internal import PushpitModel

/// What APNs keeps for one app on an offline device: the newest push (Apple: Sending notification
/// requests to APNs).
struct APNsStorage {
  private(set) var push: DevicePush?

  var count: Int { push == nil ? 0 : 1 }

  /// Stores a push in place of an older one.
  mutating func store(_ new: DevicePush, now: Timestamp) -> [StorageStep] {
    guard new.expiresAt != nil else {
      return [StorageStep(push: new, state: .dropped, cause: StorageCause.notStored(new))]
    }
    if new.isExpired(at: now) {
      return [
        StorageStep(push: new, state: .expired, cause: StorageCause.expired)
      ]
    }
    let stored = StorageStep(push: new, state: .stored, cause: StorageCause.stored)
    guard let old = push else {
      push = new
      return [stored]
    }
    push = new
    let isExpired = old.isExpired(at: now)
    return [
      StorageStep(
        push: old, state: isExpired ? .expired : .dropped,
        cause: isExpired ? StorageCause.expired : "replaced by a newer push"),
      stored,
    ]
  }

  /// Takes the stored push out.
  mutating func take() -> DevicePush? {
    push.take()
  }
}
