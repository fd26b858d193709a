internal import PushpitDevices
internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// What the public types ask of the gateway, on its loop.
extension Gateway {
  /// Does something with the devices.
  func act<Value: Sendable>(
    _ body: @Sendable (DeviceDirectory) throws(DeviceError) -> Value
  ) throws(TestGatewayError) -> Value {
    guard let devices else { throw .stopped }
    do throws(DeviceError) { return try body(devices) } catch { throw .device("\(error)") }
  }

  /// Makes a device that is online, and takes what reaches it into the inboxes.
  func makeDevice(
    _ specification: JSONValue, _ inboxes: Inboxes
  ) throws(TestGatewayError) -> (id: String, name: String) {
    guard let devices else { throw .stopped }
    do throws(DeviceError) {
      let device = try devices.create(DeviceSpecification(json: specification))
      _ = try devices.openStream(
        device.id, receiver: InboxReceiver(inboxes, device: device.id, gateway: self))
      return (device.id.rawValue, device.name)
    } catch {
      throw .device("\(error)")
    }
  }

  /// The token of a device.
  func token(_ id: DeviceID, _ name: TokenName) throws(TestGatewayError) -> String {
    try act { devices throws(DeviceError) in
      guard let device = devices.device(id) else { throw .unknownDevice(id) }
      guard device.tokensReadyAt == nil else { throw .tokenNotReady }
      guard let record = device.token(name) else { throw .noToken(name) }
      return record.text
    }
  }

  /// What reached a device, as it is now, oldest first.
  func inbox(_ id: DeviceID) throws(TestGatewayError) -> [ReceivedPush] {
    guard let devices else { throw .stopped }
    guard let device = devices.device(id) else { throw .device("there is no device \(id)") }
    return device.inbox.map { ReceivedPush($0, cause: cause(of: $0.envelope, on: id)) }
  }

  /// Why an envelope has the state that it has on a device.
  func cause(of number: EnvelopeNumber, on device: DeviceID) -> String {
    let delivery = store?.envelope(number)?.deliveries.first { $0.device == device }
    return delivery?.history.last?.cause ?? ""
  }

  /// The newest envelopes, oldest first.
  func envelopes(limit: Int) -> [RecordedEnvelope] {
    var query = EnvelopeQuery()
    query.limit = limit
    return (store?.page(query).items ?? []).reversed().map(RecordedEnvelope.init)
  }
}
