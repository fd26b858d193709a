internal import PushpitModel

/// A step that storing gives a push, to be reported.
struct StorageStep {
  let push: DevicePush
  let state: DeliveryState
  let cause: String
}

/// Why a vendor stores a push in place of bringing it to its device.
enum StorageReason {
  case offline
  /// iOS: what has not priority 10 waits for the device to have power (Apple: Sending notification
  /// requests to APNs).
  case powerSaving
  /// Android: what is not HIGH waits for the end of Doze (FCM: Set and manage Android message priority).
  case dozing
  /// Too many pushes wait for the device to acknowledge them.
  case unacknowledged

  /// Why this device cannot have a push now; nil when it can.
  ///
  /// A function, because an initializer's arguments are counted for it to keep.
  static func keeping(_ push: DevicePush, from device: Device) -> StorageReason? {
    if !device.isOnline { return .offline }
    if device.holds(push) { return device.isReachedByAPNs ? .powerSaving : .dozing }
    return device.unacknowledged.isFull ? .unacknowledged : nil
  }

  /// What is so.
  private var text: String {
    switch self {
    case .offline: "the device is offline"
    case .powerSaving: "the device saves power"
    case .dozing: "the device dozes"
    case .unacknowledged: "the device has not acknowledged \(UnacknowledgedPushes.limit) pushes"
    }
  }

  /// Why a push is stored.
  var stored: String {
    switch self {
    case .offline, .unacknowledged: text
    case .powerSaving: text + " and the priority is below 10"
    case .dozing: text + " and the priority is not HIGH"
    }
  }

  /// Why a push that may not be stored is lost.
  func notStored(_ push: DevicePush) -> String {
    text + (push.isByAPNs ? " and apns-expiration is 0" : " and its ttl is 0")
  }
}

/// The causes that both vendors' storages give.
enum StorageCause {
  static let expired = "its time to be stored is over"
}
