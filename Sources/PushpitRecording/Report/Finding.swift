package import PushpitJSON
package import PushpitModel

/// One kind of mistake that a sender makes, with what shows it.
package struct Finding: Sendable, MatchSubject {
  /// So many envelopes are named as evidence, the first.
  package static let evidenceLimit = 20

  package let code: FindingCode
  /// How often it was seen.
  package internal(set) var count = 0
  /// The first envelopes that show it.
  package internal(set) var evidence: [EnvelopeNumber] = []
  /// The statuses that were answered before, as 410.
  package internal(set) var statuses: Set<Int> = []
  /// The tokens that it is about, the first.
  package internal(set) var tokens: [String] = []
  /// The keys or accounts that it is about, the first.
  package internal(set) var credentials: [String] = []

  init(_ code: FindingCode) {
    self.code = code
  }

  /// The fields that a matcher may name.
  package static let matchFields = ["code", "severity", "count", "status", "token", "credential"]

  package func value(of field: String) -> MatchValue {
    switch field {
    case "code": .text(code.rawValue)
    case "severity": .text(severity)
    case "count": .number(count)
    case "status": .any(statuses.sorted().map { .int($0) })
    case "token": .any(tokens.map { .string($0) })
    case "credential": .any(credentials.map { .string($0) })
    default: .one(nil)
    }
  }

  package func payloadValue(at pointer: String) -> JSONValue? { nil }

  private var severity: String { code.isError ? "error" : "warning" }

  /// Writes it as the console shows it.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("code", code.rawValue)
    writer.member("severity", severity)
    writer.member("count", count)
    writer.member("what", code.what(count))
    writer.member("fix", code.fix)
    writer.member("statuses", .array(statuses.sorted().map { .int($0) }))
    writer.member("tokens", .array(tokens.map { .string($0) }))
    writer.member("credentials", .array(credentials.map { .string($0) }))
    writer.member("evidence", .array(evidence.map { .string(EnvelopeID.text($0)) }))
    writer.endObject()
  }
}
