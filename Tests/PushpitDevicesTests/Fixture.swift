import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// A directory of its own for one test: fixed time, seeded identifiers, everything recorded.
final class Fixture {
  let time = FixedTime(Timestamp(milliseconds: 1_800_000_000_000))
  let tokens = TokenRegistry()
  let workspaces = WorkspaceDirectory()
  let credentials = CredentialDirectory()
  let directory: DeviceDirectory
  let recorder = Recorder()

  init(
    seed: UInt64 = 1, limit: Int = DeviceDirectory.deviceLimit,
    contracts: ContractDirectory = ContractDirectory()
  ) {
    directory = DeviceDirectory(
      tokens: tokens, random: RandomSource(seed: seed), time: time, workspaces: workspaces,
      credentials: credentials, contracts: contracts, defaultProject: "demo-project", limit: limit)
    directory.observer = recorder
  }

  func ios(online: Bool? = nil) throws -> Device {
    try device(DeviceSpecification(platform: .ios), online: online)
  }

  func android(online: Bool? = nil) throws -> Device {
    try device(DeviceSpecification(platform: .android), online: online)
  }

  private func device(_ specification: DeviceSpecification, online: Bool?) throws -> Device {
    var specification = specification
    specification.settings.online = online.map(DeviceChange.Online.requested)
    return try directory.create(specification)
  }

  /// Delivers an accepted push to the device's own vendor's token.
  func push(
    _ envelope: EnvelopeNumber, to device: Device, _ change: (inout PushOutcome) -> Void = { _ in }
  ) {
    let service: PushService = device.apnsToken == nil ? .fcm : .apns
    var outcome = PushOutcome(service: service, workspace: device.workspace, status: 200)
    outcome.recipient = device.apnsToken ?? device.fcmToken
    outcome.deviceMessage = Array(
      (service == .fcm ? #"{"data":{"n":"\#(envelope)"}}"# : #"{"aps":{},"n":\#(envelope)}"#).utf8)
    change(&outcome)
    directory.deliver(outcome, envelope: envelope)
  }

  /// Delivers an accepted push that has something to show.
  func show(
    _ envelope: EnvelopeNumber, on device: Device, _ change: (inout PushOutcome) -> Void = { _ in }
  ) {
    push(envelope, to: device) { outcome in
      let text =
        device.platform == .ios ? #"{"aps":{"alert":"A"}}"# : #"{"notification":{"title":"A"}}"#
      outcome.deviceMessage = Array(text.utf8)
      change(&outcome)
    }
  }

  /// Gives a push any lifetime below a minute, none too, and now and then a collapse key.
  func vary(_ outcome: inout PushOutcome, _ random: RandomSource) {
    let lifetime = Int64(random.next() % 60)
    outcome.expiration = lifetime == 0 ? 0 : time.now.seconds + lifetime
    outcome.timeToLive = .seconds(lifetime)
    outcome.collapse = random.next() % 3 == 0 ? [UInt8(random.next() % 6)] : []
  }

  func change(_ device: Device, _ text: String) throws {
    try directory.change(device.id, DeviceChange(json: json(text)))
  }

  func open(
    _ device: Device, resumeAfter: UInt64? = nil,
    acknowledgement: Acknowledgement = .automatic, closesAfter: Int = .max
  ) throws -> Stream {
    let stream = Stream()
    stream.closesAfter = closesAfter
    stream.subscription = try directory.openStream(
      device.id, resumeAfter: resumeAfter.map(StreamPosition.event),
      acknowledgement: acknowledgement, receiver: stream)
    // It wanted to close before it had what to close.
    if stream.events.count >= closesAfter { stream.subscription?.close() }
    return stream
  }

  func advance(by duration: Duration) {
    time.now = time.now + duration
  }

  /// Steps as text, `1 stored`, in order.
  var steps: [String] { recorder.steps.map { "\($0.envelope) \($0.step.state)" } }
}

/// An observer that keeps what it was told.
final class Recorder: DeviceObserver {
  func deviceRemoved(_ device: DeviceID) {}

  private(set) var steps: [(envelope: EnvelopeNumber, step: DeliveryStep, workspace: WorkspaceID)] =
    []
  private(set) var changes: [DeviceID] = []
  private(set) var callbacks: [CallbackRequest] = []

  func delivery(_ envelope: EnvelopeNumber, _ step: DeliveryStep, workspace: WorkspaceID) {
    steps.append((envelope, step, workspace))
  }

  func deviceChanged(_ device: Device) {
    changes.append(device.id)
  }

  func callBack(_ request: CallbackRequest) {
    callbacks.append(request)
  }
}

/// A receiver that keeps what it got, and can close itself after some events.
final class Stream: DeviceStreamReceiver {
  var subscription: DeviceSubscription?
  var closesAfter = Int.max
  private(set) var events: [DeviceEvent] = []
  private(set) var end: DeviceStreamEnd?

  func receive(_ event: DeviceEvent) {
    events.append(event)
    if events.count == closesAfter { subscription?.close() }
  }

  func ended(_ device: DeviceID, _ reason: DeviceStreamEnd) {
    end = reason
  }

  /// Events as text, `1 push 7` or `2 deleted-messages`, in order.
  var log: [String] {
    events.map { event in
      if case .push(let push) = event.content { return "\(event.id) push \(push.envelope)" }
      return "\(event.id) \(event.kind)"
    }
  }
}

/// A JSON text that a body of the API would have.
func json(_ text: String) throws -> JSONValue {
  try JSONReader.parse(text.utf8)
}

/// What a writing method writes, read back.
func written(_ write: (inout JSONWriter) -> Void) throws -> JSONValue {
  var writer = JSONWriter()
  write(&writer)
  return try JSONReader.parse(writer.bytes)
}

/// What an event says, apart from whose it is and its number, which all have.
func content(of event: DeviceEvent) throws -> JSONValue {
  var object = try written { event.write(into: &$0) }.objectValue ?? JSONObject()
  #expect(object["device"] == .string(event.device.rawValue))
  #expect(object["event"] == .int(Int64(event.id)))
  object["device"] = nil
  object["event"] = nil
  return .object(object)
}
