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
  /// Names the credential among those of the journal; zero for none.
  var credential: UInt64
  var status: UInt16
  var flags: UInt8
  var service: UInt8
  /// One more than the case's place, zero for none; so are the next ones.
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
    service = UInt8(PushService.allCases.firstIndex(of: record.service) ?? 0)
    environment = Self.place(record.environment)
    tokenKind = Self.place(record.tokenKind)
    platform = Self.place(record.platform)
    httpProtocol = record.httpProtocol == .http2 ? 2 : 1
    priority = record.priority ?? 0
    hasPriority = record.priority != nil
    hasExpiration = record.expiration != nil
  }

  /// The record, whose bytes lie at a place; nil when a place in a list is none.
  func record(
    place: ByteSlab.Place, byteCount: Int, credential: CredentialFacts?
  ) -> EnvelopeRecord? {
    guard PushService.allCases.indices.contains(Int(service)) else { return nil }
    return EnvelopeRecord(
      place: place, byteCount: UInt32(truncatingIfNeeded: byteCount), status: status,
      flags: EnvelopeRecord.Flags(rawValue: flags), service: PushService.allCases[Int(service)],
      environment: Self.value(environment), tokenKind: Self.value(tokenKind),
      platform: Self.value(platform), httpProtocol: httpProtocol == 2 ? .http2 : .http1,
      priority: hasPriority ? priority : nil, expiration: hasExpiration ? expiration : nil,
      receivedAt: Timestamp(milliseconds: receivedAt),
      realReceivedAt: Timestamp(milliseconds: realReceivedAt),
      answeredAt: Timestamp(milliseconds: answeredAt), connection: connection, stream: stream,
      credential: credential, firstStep: nil)
  }

  private static func place<Value: CaseIterable & Equatable>(_ value: Value?) -> UInt8 {
    guard let value, let index = Array(Value.allCases).firstIndex(of: value) else { return 0 }
    return UInt8(index + 1)
  }

  private static func value<Value: CaseIterable>(_ place: UInt8) -> Value? {
    let all = Array(Value.allCases)
    return place > 0 && Int(place) <= all.count ? all[Int(place) - 1] : nil
  }
}
