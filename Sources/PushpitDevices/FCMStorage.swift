internal import PushpitModel

/// What FCM keeps for one app on a device that cannot have it now: up to 100 messages, one for each collapse key.
struct FCMStorage {
  /// The message after this many drops all (FCM: "Lifetime of a message").
  static let limit = 100
  /// Different collapse keys at a time (FCM: "Non-collapsible and collapsible messages").
  static let collapseKeyLimit = 4

  private(set) var pushes: [DevicePush] = []
  /// All messages were dropped, and the device is to be told.
  private(set) var hasDeletedMessages = false

  var count: Int { pushes.count }

  /// Stores a message at the end of the queue; others may have to make room for it.
  mutating func store(
    _ new: DevicePush, because reason: StorageReason, now: Timestamp
  ) -> (others: [StorageStep], own: StorageStep) {
    guard new.expiresAt != nil else {
      return ([], StorageStep(push: new, state: .dropped, cause: reason.notStored(new)))
    }
    var others = makeRoom(for: new.collapse, now: now)
    if pushes.count >= Self.limit { removeExpired(now: now, steps: &others) }
    guard pushes.count < Self.limit else {
      let cause = "more than 100 messages were stored"
      others += pushes.map { StorageStep(push: $0, state: .dropped, cause: cause) }
      pushes = []
      hasDeletedMessages = true
      return (others, StorageStep(push: new, state: .dropped, cause: cause))
    }
    pushes.append(new)
    return (others, StorageStep(push: new, state: .stored, cause: reason.stored))
  }

  /// When the first of the stored messages expires; nil when nothing is stored.
  var expiresAt: Timestamp? { pushes.compactMap(\.expiresAt).min() }

  /// Takes a message out whose time is over.
  mutating func takeExpired(now: Timestamp) -> DevicePush? {
    takeNext { !$0.isExpired(at: now) }
  }

  /// Takes the oldest message out that has not to wait.
  mutating func takeNext(
    unless mustWait: (DevicePush) -> Bool
  ) -> DevicePush? {
    pushes.firstIndex { !mustWait($0) }.map { pushes.remove(at: $0) }
  }

  /// Whether the device is to be told that messages were dropped; true once.
  mutating func takeDeletedMessages() -> Bool {
    defer { hasDeletedMessages = false }
    return hasDeletedMessages
  }

  /// Removes the message with the same collapse key, or one when there are too many keys.
  private mutating func makeRoom(for collapse: [UInt8], now: Timestamp) -> [StorageStep] {
    guard !collapse.isEmpty else { return [] }
    if let index = pushes.firstIndex(where: { $0.collapse == collapse }) {
      let push = pushes.remove(at: index)
      let isExpired = push.isExpired(at: now)
      let cause = "replaced by a newer message with its collapse key"
      return [
        StorageStep(
          push: push, state: isExpired ? .expired : .collapsed,
          cause: isExpired ? StorageCause.expired : cause)
      ]
    }
    guard hasAllCollapseKeys else { return [] }
    var steps: [StorageStep] = []
    removeExpired(now: now, steps: &steps)
    // Google keeps an arbitrary four; here the oldest has to go.
    guard hasAllCollapseKeys, let index = pushes.firstIndex(where: { !$0.collapse.isEmpty }) else {
      return steps
    }
    let cause = "more than 4 collapse keys were stored"
    steps.append(StorageStep(push: pushes.remove(at: index), state: .dropped, cause: cause))
    return steps
  }

  private var hasAllCollapseKeys: Bool {
    pushes.count(where: { !$0.collapse.isEmpty }) >= Self.collapseKeyLimit
  }

  private mutating func removeExpired(now: Timestamp, steps: inout [StorageStep]) {
    steps += pushes.filter { $0.isExpired(at: now) }.map {
      StorageStep(push: $0, state: .expired, cause: StorageCause.expired)
    }
    pushes.removeAll { $0.isExpired(at: now) }
  }
}
