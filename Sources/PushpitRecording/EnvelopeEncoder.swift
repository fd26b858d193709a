internal import PushpitHTTPTypes
internal import PushpitModel

/// Turns a request and what became of it into a record.
///
/// All arguments are borrowed: a struct that held them would count forty references up and down.
enum EnvelopeEncoder {
  /// No fewer bytes than the record takes, unless cutting makes target or body longer.
  static func byteBound(
    _ request: PushRequest, _ outcome: PushOutcome, _ origin: EnvelopeOrigin
  ) -> Int {
    let head = request.head
    var bound = RecordPiece.tableByteCount + head.fields.entries.count * 8
    bound += head.fields.bytes.count + head.method.count + head.target.count
    bound += head.authority.count + request.body.count
    bound += outcome.token.count + outcome.topic.count + outcome.pushType.count
    bound += outcome.collapse.count + outcome.project.count + outcome.messageName.count
    bound += outcome.apnsID.count + outcome.workspace.rawValue.utf8.count
    bound += (outcome.app?.utf8.count ?? 0) + (outcome.reason?.utf8.count ?? 0)
    bound += (outcome.googleStatus?.utf8.count ?? 0) + (origin.tls?.utf8.count ?? 0)
    if let broadcast = outcome.broadcast { bound += broadcast.channelID.count }
    return bound
  }

  /// Writes all bytes of the record and returns how many they are.
  ///
  /// `target` and `body` stand for the request's own when secrets were cut from these.
  static func write(
    _ request: PushRequest, _ outcome: PushOutcome, _ origin: EnvelopeOrigin,
    to memory: UnsafeMutableRawPointer, target: [UInt8]?, body: [UInt8]?, keepingCredentials: Bool
  ) -> Int {
    var writer = RecordByteWriter(memory)
    writer.write(request.head.fields, keepingCredentials: keepingCredentials)
    writer.write(.method, request.head.method)
    // No `??`: its result would be one reference more to count.
    if let target {
      writer.write(.target, target)
    } else {
      writer.write(.target, request.head.target)
    }
    writer.write(.authority, request.head.authority)
    if let body { writer.write(.body, body) } else { writer.write(.body, request.body) }
    writer.write(.workspace, outcome.workspace.rawValue)
    writer.write(.token, outcome.token)
    writer.write(.topic, outcome.topic)
    writer.write(.pushType, outcome.pushType)
    writer.write(.collapse, outcome.collapse)
    writer.write(.project, outcome.project)
    writer.write(.app, outcome.app)
    writer.write(.messageName, outcome.messageName)
    writer.write(.apnsID, outcome.apnsID)
    writer.write(.reason, outcome.reason)
    writer.write(.googleStatus, outcome.googleStatus)
    writer.write(.tls, origin.tls)
    if let broadcast = outcome.broadcast { writer.write(.channel, broadcast.channelID) }
    return writer.count
  }

  /// The fixed part of the record.
  static func record(
    _ request: PushRequest, _ outcome: PushOutcome, _ origin: EnvelopeOrigin,
    place: ByteSlab.Place, byteCount: Int
  ) -> EnvelopeRecord {
    var flags: EnvelopeRecord.Flags = outcome.isAccepted ? .accepted : []
    if request.isBodyCut { flags.insert(.bodyCut) }
    if outcome.isAnnotated { flags.insert(.annotated) }
    return EnvelopeRecord(
      place: place, byteCount: UInt32(truncatingIfNeeded: byteCount),
      status: UInt16(truncatingIfNeeded: outcome.status), flags: flags, service: outcome.service,
      environment: outcome.environment, tokenKind: outcome.tokenKind,
      platform: outcome.recipient?.platform,
      httpProtocol: origin.httpProtocol, priority: outcome.priority,
      expiration: outcome.expiration, receivedAt: origin.receivedAt,
      realReceivedAt: request.receivedAt,
      answeredAt: origin.answeredAt, connection: origin.connection, stream: origin.stream,
      credential: outcome.credential, firstStep: nil)
  }
}

extension PushOutcome {
  /// Whether it says something to people.
  var isAnnotated: Bool { diagnosis != nil || !warnings.isEmpty }
}
