/// Devices in the order they were made, for lists; removing one costs O(log n) amortized.
struct DeviceOrder {
  private var entries: [(serial: UInt64, device: Device?)] = []
  private var removedCount = 0

  /// Adds a device made after all others.
  mutating func append(_ device: Device) {
    entries.append((serial: device.serial, device: device))
  }

  mutating func remove(_ device: Device) {
    let index = firstIndex(notBefore: device.serial)
    guard index < entries.count, entries[index].serial == device.serial else { return }
    entries[index].device = nil
    removedCount += 1
    if removedCount > 16, removedCount > entries.count / 2 {
      entries.removeAll { $0.device == nil }
      removedCount = 0
    }
  }

  /// Devices made before a serial number (nil: all), newest first.
  func newestFirst(before serial: UInt64?) -> some Sequence<Device> {
    let end = serial.map(firstIndex(notBefore:)) ?? entries.count
    return entries[..<end].lazy.reversed().compactMap(\.device)
  }

  private func firstIndex(notBefore serial: UInt64) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].serial < serial {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
