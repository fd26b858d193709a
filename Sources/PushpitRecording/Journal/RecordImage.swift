internal import PushpitHTTPTypes
internal import PushpitModel

/// The fixed part of a record as bytes, the same in memory as on the disk; little-endian, as all machines are
/// that this runs on.
struct RecordImage: BitwiseCopyable {
  var receivedAt: Int64
  var realReceivedAt: Int64
  var answeredAt: Int64
  var expiration: Int64
  var connection: UInt64
  var stream: Int64
  /// Names the credential among those of the batch; zero for none.
  var credential: UInt64
  var status: UInt16
  var flags: UInt8
  var service: UInt8
  /// The mark of the case, zero for none; so are the next ones.
  var environment: UInt8
  var tokenKind: UInt8
  var platform: UInt8
  var httpProtocol: UInt8
  var priority: UInt8
  var hasPriority: Bool
  var hasExpiration: Bool

  init(_ record: EnvelopeRecord, credential: UInt64) {
    receivedAt = record.receivedAt.milliseconds
    realReceivedAt = record.realReceivedAt.milliseconds
    answeredAt = record.answeredAt.milliseconds
    expiration = record.expiration ?? 0
    connection = record.connection
    stream = record.stream
    self.credential = credential
    status = record.status
    // Later steps are entries of their own.
    flags = record.flags.subtracting(.hasHistory).rawValue
    service = record.service.mark
    environment = record.environment?.mark ?? 0
    tokenKind = record.tokenKind?.mark ?? 0
    platform = record.platform?.mark ?? 0
    httpProtocol = record.httpProtocol == .http2 ? 2 : 1
    priority = record.priority ?? 0
    hasPriority = record.priority != nil
    hasExpiration = record.expiration != nil
  }

  /// Reads what a journal wrote before a record's bytes; nil when there is less.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= MemoryLayout<RecordImage>.size else { return nil }
    self = bytes.withUnsafeBytes { $0.loadUnaligned(as: RecordImage.self) }
  }

  /// The record, whose bytes lie at a place; nil when it is no image of one.
  func record(
    place: ByteSlab.Place, byteCount: Int, credential: CredentialFacts?
  ) -> EnvelopeRecord? {
    guard let service = PushService.allCases.first(where: { $0.mark == service }) else {
      return nil
    }
    return EnvelopeRecord(
      place: place, byteCount: UInt32(truncatingIfNeeded: byteCount), status: status,
      flags: EnvelopeRecord.Flags(rawValue: flags), service: service,
      environment: APNsEnvironment.allCases.first { $0.mark == environment },
      tokenKind: TokenKind.allCases.first { $0.mark == tokenKind },
      platform: Platform.allCases.first { $0.mark == platform },
      httpProtocol: httpProtocol == 2 ? .http2 : .http1,
      priority: hasPriority ? priority : nil, expiration: hasExpiration ? expiration : nil,
      receivedAt: Timestamp(milliseconds: receivedAt),
      realReceivedAt: Timestamp(milliseconds: realReceivedAt),
      answeredAt: Timestamp(milliseconds: answeredAt), connection: connection, stream: stream,
      credential: credential, firstStep: nil)
  }
}

// The marks of cases on the disk, which stay what they are; zero is for none. By switches, because each push
// asks for them.

extension PushService {
  fileprivate var mark: UInt8 {
    switch self {
    case .apns: 1
    case .fcm: 2
    case .iid: 3
    case .oauth: 4
    case .unknown: 5
    }
  }
}

extension APNsEnvironment {
  fileprivate var mark: UInt8 {
    switch self {
    case .sandbox: 1
    case .production: 2
    }
  }
}

extension TokenKind {
  fileprivate var mark: UInt8 {
    switch self {
    case .apns: 1
    case .fcm: 2
    case .fid: 3
    case .malformed: 4
    }
  }
}

extension Platform {
  fileprivate var mark: UInt8 {
    switch self {
    case .ios: 1
    case .android: 2
    case .web: 3
    }
  }
}
