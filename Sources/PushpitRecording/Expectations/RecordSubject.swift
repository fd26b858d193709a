internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// A record as a matcher sees it, read field by field where it lies; valid while the store lends it.
///
/// To decode 50,000 whole envelopes would hold the loop for a second.
final class RecordSubject: MatchSubject {
  let number: EnvelopeNumber
  let record: EnvelopeRecord
  /// In order.
  let steps: [DeliveryStep]
  private let bytes: RecordByteReader
  private let annotation: EnvelopeAnnotation?
  private let lint: PushLint
  private lazy var payload = record.payload(of: Array(bytes.piece(.body)))
  private lazy var warnings =
    (annotation?.warnings ?? [])
    + (payload.map { lint(record.recordedPush(bytes, payload: $0)) } ?? [])

  init(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, _ bytes: RecordByteReader,
    annotation: EnvelopeAnnotation?, steps: [DeliveryStep], lint: @escaping PushLint
  ) {
    self.number = number
    self.record = record
    self.bytes = bytes
    self.annotation = annotation
    self.steps = steps
    self.lint = lint
  }

  var isAccepted: Bool { record.flags.contains(.accepted) }

  /// The devices that it is for, in order.
  var devices: [DeviceID] {
    var devices: [DeviceID] = []
    for step in steps where !devices.contains(step.device) { devices.append(step.device) }
    return devices
  }

  func value(of field: String) -> MatchValue {
    if let piece = Self.pieces[field] { return .text(bytes.text(piece)) }
    return switch field {
    case "id": .text(EnvelopeID.text(number))
    case "sequence": .number(number)
    case "service": .text(record.service.rawValue)
    case "environment": .text(record.environment?.rawValue)
    case "token":
      record.tokenKind == .apns ? .caseless(bytes.text(.token) ?? "") : .text(bytes.text(.token))
    case "tokenKind": .text(record.tokenKind?.rawValue)
    case "priority": .number(record.priority)
    case "expiration": .number(record.expiration)
    case "outcome": .text(isAccepted ? "accepted" : "rejected")
    case "status": .number(record.status)
    case "diagnosis": .text(annotation?.diagnosis?.code.rawValue)
    case "warning": .any(warnings.map { .string($0.code) })
    case "connection": .number(record.connection)
    case "stream": .number(record.stream)
    case "protocol": .text(record.httpProtocol.rawValue)
    case "keyID": .text(record.credential?.keyID)
    case "teamID": .text(record.credential?.teamID)
    case "serviceAccount": .text(record.credential?.serviceAccount)
    case "device": .any(devices.map { .string($0.rawValue) })
    case "state": .any(steps.map { .string($0.state.rawValue) })
    case "cause": .any(steps.map { .string($0.cause) })
    // Faults are not built yet: no envelope has one.
    default: .one(nil)
    }
  }

  func payloadValue(at pointer: String) -> JSONValue? { payload?.pointer(pointer) }

  /// Fields that are a piece of the record.
  private static let pieces: [String: RecordPiece] = [
    "workspace": .workspace, "method": .method, "path": .target, "host": .authority,
    "topic": .topic, "pushType": .pushType, "collapse": .collapse, "project": .project, "app": .app,
    "messageName": .messageName, "apnsID": .apnsID, "channel": .channel, "reason": .reason,
    "googleStatus": .googleStatus, "tls": .tls,
  ]
}

/// The fields of envelopes that matchers may name.
package enum EnvelopeFields {
  /// All of them; those of deliveries are every device's.
  package static let all = [
    "id", "workspace", "sequence", "service", "method", "path", "host", "environment", "token",
    "tokenKind", "topic", "pushType", "priority", "expiration", "collapse", "project", "app",
    "messageName", "apnsID", "channel", "keyID", "teamID", "serviceAccount", "outcome", "status",
    "reason", "googleStatus", "diagnosis", "warning", "connection", "stream", "protocol", "tls",
    "fault", "device", "state", "cause",
  ]
  /// Those that change while devices do something with the envelope.
  static let ofDeliveries: Set<String> = ["device", "state", "cause"]
}

/// One device's part of an envelope, as a matcher sees it.
struct DeliverySubject: MatchSubject {
  let envelope: RecordSubject
  let device: DeviceID

  /// A delivery is in each of the states that it has been in: one that was shown and then tapped is
  /// `displayed` as well as `tapped`.
  func value(of field: String) -> MatchValue {
    switch field {
    case "device": .text(device.rawValue)
    case "state": .any(own.map { .string($0.state.rawValue) })
    case "cause": .any(own.map { .string($0.cause) })
    default: envelope.value(of: field)
    }
  }

  func payloadValue(at pointer: String) -> JSONValue? { envelope.payloadValue(at: pointer) }

  private var own: [DeliveryStep] { envelope.steps.filter { $0.device == device } }
}
