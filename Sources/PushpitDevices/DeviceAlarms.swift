internal import PushpitModel

/// The alarms of one workspace's devices, the earliest first; those of one moment in the order of
/// setting.
///
/// A heap: setting costs the logarithm of their number, and so does taking the earliest. One that
/// was cancelled or replaced stays in the heap until it is met, or until such make more than half
/// of it.
struct DeviceAlarms {
  /// An alarm that has gone off.
  struct Due: Equatable {
    let device: DeviceID
    let alarm: DeviceAlarm
  }

  private struct Key: Hashable {
    let device: DeviceID
    let alarm: DeviceAlarm
  }

  private struct Entry {
    let at: Timestamp
    /// Counts all that were ever set; tells those that still hold from those that do not.
    let number: UInt64
    let key: Key
  }

  /// The heap is not searched for what no longer holds while it has fewer entries than this.
  static let sweepLimit = 64

  private var heap: [Entry] = []
  private var valid: [Key: UInt64] = [:]
  private var lastNumber: UInt64 = 0

  /// How many are set.
  var count: Int { valid.count }

  /// How many entries are kept, those that no longer hold too: at most `sweepLimit` or twice the
  /// count.
  var entryCount: Int { heap.count }

  /// When the earliest goes off.
  ///
  /// It may be earlier than that when the earliest was cancelled: `takeDue` then finds nothing.
  var earliest: Timestamp? { heap.first?.at }

  /// Sets an alarm, in place of the one of this kind that the device has.
  mutating func set(_ alarm: DeviceAlarm, at time: Timestamp, of device: DeviceID) {
    lastNumber += 1
    let key = Key(device: device, alarm: alarm)
    valid[key] = lastNumber
    heap.append(Entry(at: time, number: lastNumber, key: key))
    siftUp(from: heap.count - 1)
    sweep()
  }

  /// Takes an alarm back; nothing happens when the device has none of this kind.
  mutating func cancel(_ alarm: DeviceAlarm, of device: DeviceID) {
    guard valid.removeValue(forKey: Key(device: device, alarm: alarm)) != nil else { return }
    sweep()
  }

  /// Takes the earliest alarm out when its moment has come.
  mutating func takeDue(at now: Timestamp) -> Due? {
    while let first = heap.first {
      let holds = valid[first.key] == first.number
      guard !holds || first.at <= now else { return nil }
      removeFirst()
      guard holds else { continue }
      valid[first.key] = nil
      return Due(device: first.key.device, alarm: first.key.alarm)
    }
    return nil
  }

  /// Drops what no longer holds once it is more than half: each entry is paid for by one that was
  /// set.
  private mutating func sweep() {
    guard heap.count > max(Self.sweepLimit, 2 * valid.count) else { return }
    heap.removeAll { valid[$0.key] != $0.number }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
  }

  // MARK: The heap

  private func isEarlier(_ one: Int, _ other: Int) -> Bool {
    (heap[one].at, heap[one].number) < (heap[other].at, heap[other].number)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(from: 0)
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0, isEarlier(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      var earliest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && isEarlier(child, earliest) {
        earliest = child
      }
      guard earliest != index else { return }
      heap.swapAt(index, earliest)
      index = earliest
    }
  }
}
