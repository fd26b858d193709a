package import PushpitJSON
package import PushpitModel

/// One provider token that a sender used.
package struct ProviderTokenUse: Sendable, MatchSubject {
  package let keyID: String
  package let teamID: String
  /// SHA-256 of the token.
  package let fingerprint: String
  /// Real time.
  let firstAt: Timestamp
  package internal(set) var requestCount = 0

  init(keyID: String, teamID: String, fingerprint: String, firstAt: Timestamp) {
    self.keyID = keyID
    self.teamID = teamID
    self.fingerprint = fingerprint
    self.firstAt = firstAt
  }

  /// The fields that a matcher may name.
  package static let matchFields = ["keyID", "teamID", "sha256", "requests"]

  package func value(of field: String) -> MatchValue {
    switch field {
    case "keyID": .text(keyID)
    case "teamID": .text(teamID)
    case "sha256": .text(fingerprint)
    case "requests": .number(requestCount)
    default: .one(nil)
    }
  }

  package func payloadValue(at pointer: String) -> JSONValue? { nil }
}

/// One connection, by the pushes on it.
package struct ConnectionUse: Sendable, MatchSubject {
  package let id: UInt64
  package let pushCount: Int

  /// The fields that a matcher may name.
  package static let matchFields = ["id", "pushes"]

  package func value(of field: String) -> MatchValue {
    switch field {
    case "id": .number(id)
    case "pushes": .number(pushCount)
    default: .one(nil)
    }
  }

  package func payloadValue(at pointer: String) -> JSONValue? { nil }
}

/// What was answered, and how often.
struct AnswerKind: Hashable {
  let service: PushService
  let status: Int
  let reason: String

  init(_ request: SentRequest) {
    service = request.service
    status = request.status
    reason = request.reason
  }
}
