/// What became of one envelope on one device, first by the vendor, then by the app.
package enum DeliveryState: String, Sendable, CaseIterable {
  case stored, delivered, collapsed, expired, dropped
  case displayed, suppressed, duplicate, tapped, dismissed, opened

  /// Its place in a table of counts; of the cases alone, because every step asks.
  package var index: Int {
    switch self {
    case .stored: 0
    case .delivered: 1
    case .collapsed: 2
    case .expired: 3
    case .dropped: 4
    case .displayed: 5
    case .suppressed: 6
    case .duplicate: 7
    case .tapped: 8
    case .dismissed: 9
    case .opened: 10
    }
  }
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
