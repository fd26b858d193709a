/// What became of one envelope on one device, first by the vendor, then by the app.
package enum DeliveryState: String, Sendable {
  case stored, delivered, collapsed, expired, dropped
  case displayed, suppressed, duplicate, tapped, dismissed, opened
}

/// One step in the life of an envelope on a device.
package struct DeliveryStep: Sendable, Equatable {
  package let device: DeviceID
  package let state: DeliveryState
  /// The workspace's time.
  package let at: Timestamp
  /// Why, in a few words.
  package let cause: String

  package init(device: DeviceID, state: DeliveryState, at: Timestamp, cause: String) {
    self.device = device
    self.state = state
    self.at = at
    self.cause = cause
  }
}
