internal import PushpitModel

/// A step that storing gives a push, to be reported.
struct StorageStep {
  let push: DevicePush
  let state: DeliveryState
  let cause: String
}

/// The causes that both vendors' storages give.
enum StorageCause {
  static let stored = "the device is offline"
  static let expired = "its time to be stored is over"

  /// Why a push is lost when its device is offline.
  static func notStored(_ push: DevicePush) -> String {
    push.isByAPNs
      ? "the device is offline and apns-expiration is 0" : "the device is offline and its ttl is 0"
  }
}
