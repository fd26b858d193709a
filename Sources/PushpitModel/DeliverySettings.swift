/// Behaviour of devices that a workspace may set.
package struct DeliverySettings: Sendable, Equatable {
  /// How many background pushes an iOS app gets in an hour of the workspace's time; nil for any number.
  ///
  /// Apple: "don't try to send more than two or three per hour"; the system may throttle them.
  package var backgroundPerHour: Int?
  /// What `backgroundPerHour` may be.
  package static let backgroundLimits = 1...1000

  package init() {}
}
