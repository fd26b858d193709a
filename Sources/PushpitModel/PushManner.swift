/// How a push asks to be brought to its device.
package struct PushManner: Sendable, Equatable {
  /// APNs: priority 10, which is the default; FCM: `HIGH`.
  ///
  /// What is not urgent waits while the device saves power (Apple: Sending notification requests to APNs)
  /// or dozes (FCM: Set and manage Android message priority).
  package var isUrgent: Bool
  /// APNs: the push type `background`, which is for the app alone.
  package var isBackground: Bool

  package init(isUrgent: Bool = true, isBackground: Bool = false) {
    self.isUrgent = isUrgent
    self.isBackground = isBackground
  }
}
