package import PushpitModel

/// Who gets a device's events, in order.
package protocol DeviceStreamReceiver: AnyObject {
  func receive(_ event: DeviceEvent)

  /// No event will follow, and nothing needs to be closed.
  func ended(_ device: DeviceID, _ reason: DeviceStreamEnd)
}

/// Who says that a push has arrived.
package enum Acknowledgement: Sendable, Equatable {
  /// What is written to the stream has arrived.
  case automatic
  /// The device, by `acknowledge(_:upTo:)`.
  case manual
}

/// After which event a stream goes on.
package enum StreamPosition: Sendable, Equatable {
  /// One of the device's own.
  case event(UInt64)
  /// One of all devices', by its order.
  case order(UInt64)
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
  let acknowledgement: Acknowledgement

  private let receiver: any DeviceStreamReceiver
  private weak var directory: DeviceDirectory?

  init(
    device: DeviceID, missedEventCount: Int, acknowledgement: Acknowledgement,
    receiver: any DeviceStreamReceiver, directory: DeviceDirectory
  ) {
    self.device = device
    self.missedEventCount = missedEventCount
    self.acknowledgement = acknowledgement
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
    receiver.ended(device, reason)
  }
}
