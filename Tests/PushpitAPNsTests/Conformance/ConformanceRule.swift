import PushpitTestSupport
import Testing

@testable import PushpitAPNs

/// One rule of APNs: what a sender does, what APNs answers, how that is known, and the proof that the
/// gateway does the same.
struct ConformanceRule: Sendable, CustomTestStringConvertible {
  /// What runs to show it.
  enum Proof: Sendable {
    /// The valid push with one thing changed, sent on a new connection.
    case push(@Sendable (inout TestPush) -> Void)
    /// A push that needs something to have happened before.
    case scene(@Sendable (Gateway) throws -> TestAnswer)
    /// A request about channels, whose answer has `apns-request-id` in place of `apns-id`.
    case channels(@Sendable (Gateway) throws -> TestAnswer)
    /// The answer as it is written, because nothing but a fault brings it about.
    case catalogue
    /// A test of its own, because it takes a socket: file in the repository, and its name.
    case test(file: String, name: String)
  }

  let title: String
  /// What the answer says; nil where the push is accepted, or where there is no answer.
  let reason: APNsReason?
  /// The check that answers, for device pushes.
  let check: APNsCheck?
  let evidence: ConformanceEvidence
  /// Where the gateway knowingly differs from Apple, or from Apple's pages.
  let deviation: String?
  let proof: Proof

  init(
    _ title: String, _ reason: APNsReason? = nil, _ check: APNsCheck? = nil,
    evidence: ConformanceEvidence, deviation: String? = nil, _ proof: Proof
  ) {
    self.title = title
    self.reason = reason
    self.check = check
    self.evidence = evidence
    self.deviation = deviation
    self.proof = proof
  }

  /// A rule that the valid push with one change shows.
  init(
    _ title: String, _ reason: APNsReason? = nil, _ check: APNsCheck? = nil,
    evidence: ConformanceEvidence,
    deviation: String? = nil, change: @escaping @Sendable (inout TestPush) -> Void
  ) {
    self.init(title, reason, check, evidence: evidence, deviation: deviation, .push(change))
  }

  var testDescription: String { title }

  /// The field of the answer that has its identifier.
  var idField: String {
    if case .channels = proof { "apns-request-id" } else { "apns-id" }
  }
}

/// Rules that belong together in the table.
struct ConformanceSection: Sendable {
  let title: String
  let rules: [ConformanceRule]

  /// The whole table.
  static let all = [
    requests, providerTokens, certificates, deviceTokens, topics, headerFields, payloads,
    channels, server, connections,
  ]

  /// Every rule that a request to the service shows.
  static let runnable = all.flatMap(\.rules).filter {
    switch $0.proof {
    case .push, .scene, .channels: true
    case .catalogue, .test: false
    }
  }

  /// Every rule that only the catalogue of answers shows.
  static let catalogue = all.flatMap(\.rules).filter {
    if case .catalogue = $0.proof { true } else { false }
  }
}
