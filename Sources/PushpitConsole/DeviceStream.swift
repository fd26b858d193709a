internal import PushpitDevices
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// The connection of a device or of several: what arrives on them, as server-sent events.
final class DeviceStream: ResponseProducer, DeviceStreamReceiver {
  /// Whose events it carries.
  enum Subject {
    /// One device's, by its own numbers.
    case device(DeviceID)
    /// Several devices', by the common order of their events.
    case devices([DeviceID])

    fileprivate var devices: [DeviceID] {
      switch self {
      case .device(let device): [device]
      case .devices(let devices): devices
      }
    }
  }

  /// At most this many devices are on one connection.
  static let deviceLimit = 1000

  private let subject: Subject
  private let devices: DeviceDirectory
  private let resumeAfter: UInt64?
  private let acknowledgement: Acknowledgement
  private let output: EventStreamOutput
  private var subscriptions: [DeviceID: DeviceSubscription] = [:]
  /// What comes while the stream is being opened, to be written after a notice of what is missing.
  private var early: [DeviceEvent]? = []

  init(
    _ subject: Subject, devices: DeviceDirectory, resumeAfter: UInt64?,
    acknowledgement: Acknowledgement, output: EventStreamOutput
  ) {
    self.subject = subject
    self.devices = devices
    self.resumeAfter = resumeAfter
    self.acknowledgement = acknowledgement
    self.output = output
  }

  func start(_ sink: any ResponseSink) {
    output.start(sink)
    guard output.isOpen else { return }
    do {
      for device in subject.devices { try open(device) }
      writeEarly()
      if !output.isOpen { closeAll() }
    } catch {
      // What was delivered to the devices before it has to be read.
      writeEarly()
      output.notice("stream-not-opened", error.description)
      output.finish()
      closeAll()
    }
  }

  func stop() {
    output.stop()
    closeAll()
  }

  func receive(_ event: DeviceEvent) {
    if early == nil { write(event) } else { early?.append(event) }
  }

  func ended(_ device: DeviceID, _ reason: DeviceStreamEnd) {
    subscriptions[device] = nil
    output.notice("stream-ended", "The stream of \(device) ended: \(reason.rawValue).")
    if subscriptions.isEmpty { output.finish() }
  }

  private func open(_ device: DeviceID) throws(DeviceError) {
    let subscription = try devices.openStream(
      device, resumeAfter: position, acknowledgement: acknowledgement, receiver: self)
    subscriptions[device] = subscription
    guard subscription.missedEventCount > 0 else { return }
    switch subject {
    case .device:
      output.notice(
        "events-missed", "\(subscription.missedEventCount) events are no longer kept.")
    case .devices:
      output.notice("events-missed", "Some events of \(device) are no longer kept.")
    }
  }

  /// Writes what has come so far, in order: what is replayed comes device by device.
  private func writeEarly() {
    let events = early ?? []
    early = nil
    for event in events.sorted(by: { $0.order < $1.order }) { write(event) }
  }

  private var position: StreamPosition? {
    switch subject {
    case .device: resumeAfter.map(StreamPosition.event)
    case .devices: resumeAfter.map(StreamPosition.order)
    }
  }

  private func closeAll() {
    let open = subscriptions.values
    subscriptions = [:]
    for subscription in open { subscription.close() }
  }

  private func write(_ event: DeviceEvent) {
    var writer = JSONWriter(style: .compact)
    event.write(into: &writer)
    let id =
      switch subject {
      case .device: event.id
      case .devices: event.order
      }
    output.write(ServerSentEvent.frame(id: id, event: event.kind, data: writer.bytes))
  }
}
