internal import PushpitDevices
internal import PushpitModel
internal import PushpitRecording

/// Writes down what happens to devices, and tells who listens.
///
/// An object of its own, which the directory of devices holds: a weak reference to the gateway's core
/// would cost every push a look-up, and make each count of the core's references dearer.
final class DeviceNews: DeviceObserver {
  private let store: EnvelopeStore
  private let events: EventHub
  private let workspaces: WorkspaceDirectory
  private let time: any TimeSource
  /// Keeps devices over restarts; nil where nothing is kept.
  var data: DataKeeper?
  /// Sends what apps report to their providers; nil until the gateway can.
  var sendCallback: ((CallbackRequest) -> Void)?

  init(
    store: EnvelopeStore, events: EventHub, workspaces: WorkspaceDirectory, time: any TimeSource
  ) {
    self.store = store
    self.events = events
    self.workspaces = workspaces
    self.time = time
  }

  func delivery(_ envelope: EnvelopeNumber, _ step: DeliveryStep, workspace: WorkspaceID) {
    store.noteDelivery(envelope, step)
    events.post(.delivery(envelope, step), workspace: workspace, at: step.at)
  }

  func deviceChanged(_ device: Device) {
    let now = workspaces.clock(of: device.workspace).time(at: time.now)
    events.post(.device(device.id), workspace: device.workspace, at: now)
    data?.changed(.device, device.id.rawValue)
  }

  func deviceRemoved(_ device: DeviceID) {
    data?.changed(.device, device.rawValue)
  }

  func callBack(_ request: CallbackRequest) {
    sendCallback?(request)
  }
}
