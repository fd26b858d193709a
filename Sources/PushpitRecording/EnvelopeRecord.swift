internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// The fixed part of a record; its bytes lie in the slab.
struct EnvelopeRecord {
  /// What is rare or takes one bit.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let accepted = Flags(rawValue: 1)
    static let bodyCut = Flags(rawValue: 2)
    /// Has a diagnosis or warnings in the side table.
    static let annotated = Flags(rawValue: 4)
    /// Has more than one delivery step, the others in the side table.
    static let hasHistory = Flags(rawValue: 8)
    /// Was removed over the API; its bytes are zero.
    static let removed = Flags(rawValue: 16)
  }

  var place: ByteSlab.Place
  var byteCount: UInt32
  var status: UInt16
  var flags: Flags
  var service: PushService
  var environment: APNsEnvironment?
  var tokenKind: TokenKind?
  /// Of the device that an accepted push is for.
  var platform: Platform?
  var httpProtocol: HTTPProtocol
  var priority: UInt8?
  var expiration: Int64?
  var receivedAt: Timestamp
  /// Real time of receipt, by which senders write their times.
  var realReceivedAt: Timestamp
  var answeredAt: Timestamp
  var connection: UInt64
  var stream: Int64
  var credential: CredentialFacts?
  var firstStep: DeliveryStep?
  /// What the app did at once: a step of the same device at the same time as the first.
  var reaction: Reaction?

  /// A step that needs no more than these.
  struct Reaction {
    let state: DeliveryState
    let cause: String
  }
}

extension EnvelopeRecord {
  /// The step that follows the first at once.
  var secondStep: DeliveryStep? {
    guard let firstStep, let reaction else { return nil }
    return DeliveryStep(
      device: firstStep.device, state: reaction.state, at: firstStep.at, cause: reaction.cause)
  }

  /// A body as JSON, read as its service reads it: Google's front end is lenient, and takes more depth
  /// than the strict reader.
  func payload(of body: [UInt8]) -> JSONValue? {
    if let value = try? JSONReader.parse(body) { return value }
    return switch service {
    case .fcm: LenientJSONReader.value(body)
    case .apns, .iid, .oauth, .unknown: nil
    }
  }

  /// What lint and contracts are asked about.
  func recordedPush(_ bytes: RecordByteReader, payload: JSONValue) -> RecordedPush {
    RecordedPush(
      service: service, workspace: WorkspaceID(bytes.text(.workspace) ?? ""),
      isAccepted: flags.contains(.accepted), platform: platform,
      isToToken: !bytes.piece(.token).isEmpty, topic: bytes.text(.topic),
      pushType: bytes.text(.pushType), priority: priority, payload: payload,
      receivedAt: realReceivedAt)
  }
}

/// What a record says for people, which few records have.
struct EnvelopeAnnotation {
  let diagnosis: Diagnosis?
  let warnings: [PayloadWarning]
}
