internal import PushpitModel

/// What became of a push on one device, first by the vendor, then by the phone and its app.
public enum PushState: String, Sendable, CaseIterable {
  /// Kept by the vendor until the device comes online or has power.
  case stored
  /// Handed to the device, which had nothing to show.
  case delivered
  /// Replaced by a newer push.
  case collapsed
  /// Its time was over before the device came online.
  case expired
  /// Never delivered; the cause says why.
  case dropped
  /// Shown on the screen.
  case displayed
  /// Not shown, because its conversation is open or its owner allows no notifications.
  case suppressed
  /// The app's SDK has seen its message before.
  case duplicate
  /// Tapped by the owner.
  case tapped
  /// Wiped off the screen.
  case dismissed
  /// The app reported the opening of a campaign.
  case opened

  init(_ state: DeliveryState) {
    self =
      switch state {
      case .stored: .stored
      case .delivered: .delivered
      case .collapsed: .collapsed
      case .expired: .expired
      case .dropped: .dropped
      case .displayed: .displayed
      case .suppressed: .suppressed
      case .duplicate: .duplicate
      case .tapped: .tapped
      case .dismissed: .dismissed
      case .opened: .opened
      }
  }
}
