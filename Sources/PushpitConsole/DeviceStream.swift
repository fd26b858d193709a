internal import PushpitDevices
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// A device's own connection: what arrives on the device, as server-sent events.
final class DeviceStream: ResponseProducer, DeviceStreamReceiver {
  private let device: DeviceID
  private let devices: DeviceDirectory
  private let resumeAfter: UInt64?
  private let output: EventStreamOutput
  private var subscription: DeviceSubscription?
  /// What comes while the stream is being opened, to be written after a notice of what is missing.
  private var early: [DeviceEvent]? = []

  init(
    device: DeviceID, devices: DeviceDirectory, resumeAfter: UInt64?, output: EventStreamOutput
  ) {
    self.device = device
    self.devices = devices
    self.resumeAfter = resumeAfter
    self.output = output
  }

  func start(_ sink: any ResponseSink) {
    output.start(sink)
    guard output.isOpen else { return }
    do {
      let subscription = try devices.openStream(device, resumeAfter: resumeAfter, receiver: self)
      if subscription.missedEventCount > 0 {
        output.notice(
          "events-missed", "\(subscription.missedEventCount) events are no longer kept.")
      }
      for event in early ?? [] { write(event) }
      early = nil
      if output.isOpen { self.subscription = subscription } else { subscription.close() }
    } catch {
      output.notice("stream-not-opened", error.description)
      output.finish()
    }
  }

  func stop() {
    output.stop()
    subscription?.close()
    subscription = nil
  }

  func receive(_ event: DeviceEvent) {
    if early == nil { write(event) } else { early?.append(event) }
  }

  func ended(_ reason: DeviceStreamEnd) {
    output.notice("stream-ended", "The stream ended: \(reason.rawValue).")
    output.finish()
  }

  private func write(_ event: DeviceEvent) {
    var writer = JSONWriter(style: .compact)
    event.write(into: &writer)
    output.write(ServerSentEvent.frame(id: event.id, event: event.kind, data: writer.bytes))
  }
}
