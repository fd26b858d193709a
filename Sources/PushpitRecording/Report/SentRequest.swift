internal import PushpitHTTPTypes
internal import PushpitModel

/// What an analysis needs of one record, read where it lies.
struct SentRequest {
  let number: EnvelopeNumber
  let service: PushService
  let isAccepted: Bool
  let status: Int
  let reason: String
  let diagnosis: DiagnosisCode?
  /// Real time.
  let receivedAt: Timestamp
  let connection: UInt64
  let credential: CredentialFacts?
  /// Empty when it named none.
  let token: String
  let tokenKind: TokenKind?
  /// Of FCM; empty for others.
  let project: String
  /// A hash of token, body, topic and push type: equal pushes have equal ones.
  let content: Int

  init(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, _ bytes: RecordByteReader,
    diagnosis: DiagnosisCode?
  ) {
    self.number = number
    service = record.service
    isAccepted = record.flags.contains(.accepted)
    status = Int(record.status)
    reason = bytes.text(.reason) ?? ""
    self.diagnosis = diagnosis
    receivedAt = record.realReceivedAt
    connection = record.connection
    credential = record.credential
    token = bytes.text(.token) ?? ""
    tokenKind = record.tokenKind
    project = bytes.text(.project) ?? ""
    var hasher = Hasher()
    for piece in [RecordPiece.token, .body, .topic, .pushType] {
      hasher.combine(bytes: bytes.piece(piece))
    }
    content = hasher.finalize()
  }

  /// Whether it is a push; the others give out tokens and subscribe to topics.
  var isPush: Bool { (service == .apns || service == .fcm) && !token.isEmpty }

  /// Whether the vendor says that the token is dead (Apple: Handling notification responses from APNs, 410;
  /// FCM: error codes, UNREGISTERED: "remove this token").
  var saysTokenIsDead: Bool {
    switch service {
    case .apns: status == 410
    case .fcm: status == 404 && reason == "UNREGISTERED"
    case .iid, .oauth, .unknown: false
    }
  }

  /// Whether sending it again as it is can help.
  ///
  /// 429 and 5xx (Apple: retry with delay; FCM: retry with back-off); 403 and 401 are about the credential,
  /// not the push. What is left is refused for good.
  var isRefusedForGood: Bool {
    !isAccepted && status >= 400 && status < 500 && ![401, 403, 429].contains(status)
  }
}
