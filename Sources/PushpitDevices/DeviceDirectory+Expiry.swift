internal import PushpitModel

/// The end of what is stored: pushes expire when their time is over, not when somebody asks for them.
extension DeviceDirectory {
  /// Waits for the end of the first push that is stored for a device.
  func awaitExpiry(of device: Device) {
    guard let expiry = device.storedExpiry, device.awaitedExpiry.map({ expiry < $0 }) ?? true
    else { return }
    device.awaitedExpiry = expiry
    setAlarm(.storedPushExpires, at: expiry, of: device)
  }

  /// Drops what has expired, and waits for the next.
  func expireStored(of device: Device, now: Timestamp) {
    device.awaitedExpiry = nil
    while let push = device.apnsStorage.takeExpired(now: now)
      ?? device.channelStorage.takeExpired(now: now) ?? device.fcmStorage.takeExpired(now: now)
    {
      report(push, on: device, .expired, StorageCause.expired, now: now)
    }
    expireUnacknowledged(of: device, now: now)
    awaitExpiry(of: device)
  }
}
