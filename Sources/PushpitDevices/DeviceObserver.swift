package import PushpitModel

/// Who is told what happens to devices: the recorder and the console's events.
package protocol DeviceObserver: AnyObject {
  /// A push made a step on a device.
  func delivery(_ envelope: EnvelopeNumber, _ step: DeliveryStep, workspace: WorkspaceID)

  /// A device was made or changed; not called for each push, which `delivery` tells.
  func deviceChanged(_ device: Device)

  /// A device is gone.
  func deviceRemoved(_ device: DeviceID)

  /// The app of a device reports something to its provider; what comes of it is to be noted by
  /// `DeviceDirectory.note(_:of:)`.
  func callBack(_ request: CallbackRequest)
}
