internal import PushpitModel

/// Which devices are subscribed to which channels, for a broadcast to find them.
struct ChannelSubscribers {
  /// By channel, then by the device's serial number.
  private var devices: [ObjectIdentifier: [UInt64: Device]] = [:]

  mutating func insert(_ device: Device, _ channel: Channel) {
    devices[ObjectIdentifier(channel), default: [:]][device.serial] = device
  }

  mutating func remove(_ device: Device, _ channel: Channel) {
    let key = ObjectIdentifier(channel)
    devices[key]?[device.serial] = nil
    if devices[key]?.isEmpty == true { devices[key] = nil }
  }

  /// The devices of a channel, in the order they were made.
  func devices(of channel: Channel) -> [Device] {
    guard let subscribed = devices[ObjectIdentifier(channel)] else { return [] }
    return subscribed.sorted { $0.key < $1.key }.map(\.value)
  }
}
