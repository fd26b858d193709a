package import PushpitModel

/// Who gets a device's events, in order.
package protocol DeviceStreamReceiver: AnyObject {
  func receive(_ event: DeviceEvent)

  /// No event will follow, and nothing needs to be closed.
  func ended(_ reason: DeviceStreamEnd)
}

/// Why the directory ended a stream.
package enum DeviceStreamEnd: String, Sendable {
  case deviceRemoved = "the device was removed"
}

/// A stream open on a device, which is online as long as there is one.
///
/// It keeps its receiver until it is closed.
package final class DeviceSubscription {
  package let device: DeviceID
  /// Events after the one to resume at that are no longer kept, so were not replayed.
  package let missedEventCount: Int
  package private(set) var isOpen = true

  private let receiver: any DeviceStreamReceiver
  private weak var directory: DeviceDirectory?

  init(
    device: DeviceID, missedEventCount: Int, receiver: any DeviceStreamReceiver,
    directory: DeviceDirectory
  ) {
    self.device = device
    self.missedEventCount = missedEventCount
    self.receiver = receiver
    self.directory = directory
  }

  /// Closes the stream; harmless when it has ended.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    directory?.streamClosed(self)
  }

  func send(_ event: DeviceEvent) {
    if isOpen { receiver.receive(event) }
  }

  func end(_ reason: DeviceStreamEnd) {
    guard isOpen else { return }
    isOpen = false
    receiver.ended(reason)
  }
}
