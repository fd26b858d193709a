import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitFCM

/// One rule of FCM's: what a sender does, what Google answers, how that is known, and the proof that
/// the gateway does the same.
struct ConformanceRule: Sendable, CustomTestStringConvertible {
  /// What runs to show it.
  enum Proof: Sendable {
    /// The body of a send, with a good bearer.
    case message(String)
    /// Requests, of which the last is answered so.
    case scene(@Sendable (ServiceFixture) throws -> PushOutcome)
    /// The answer as it is written, because nothing but a fault brings it about.
    case catalogue(FCMAnswer)
    /// A test of its own: file in the repository, and its name.
    case test(file: String, name: String)
  }

  let title: String
  /// Nil where the rule is about no one answer.
  let answer: ExpectedAnswer?
  let evidence: ConformanceEvidence
  /// Where the gateway knowingly differs, or what of the answer nobody knows.
  let note: String?
  let proof: Proof

  private init(
    _ title: String, _ answer: ExpectedAnswer?, _ evidence: ConformanceEvidence, _ note: String?,
    _ proof: Proof
  ) {
    self.title = title
    self.answer = answer
    self.evidence = evidence
    self.note = note
    self.proof = proof
  }

  /// A rule that the body of a send shows.
  init(
    _ title: String, _ body: String, _ answer: ExpectedAnswer, _ evidence: ConformanceEvidence,
    note: String? = nil
  ) {
    self.init(title, answer, evidence, note, .message(body))
  }

  /// A rule that requests show.
  init(
    _ title: String, _ answer: ExpectedAnswer, _ evidence: ConformanceEvidence,
    note: String? = nil, scene: @escaping @Sendable (ServiceFixture) throws -> PushOutcome
  ) {
    self.init(title, answer, evidence, note, .scene(scene))
  }

  /// A rule whose answer no request causes.
  init(
    _ title: String, of written: FCMAnswer, _ answer: ExpectedAnswer,
    _ evidence: ConformanceEvidence, note: String? = nil
  ) {
    self.init(title, answer, evidence, note, .catalogue(written))
  }

  /// A rule with a test of its own.
  init(
    _ title: String, _ evidence: ConformanceEvidence, note: String? = nil, file: String,
    test: String
  ) {
    self.init(title, nil, evidence, note, .test(file: file, name: test))
  }

  var testDescription: String { title }
}

/// Rules that belong together in the table.
struct ConformanceSection: Sendable {
  let title: String
  let rules: [ConformanceRule]

  /// The whole table.
  static let all: [ConformanceSection] = [
    accessTokens, users, workloads, impersonations, bearers, projects, targets, messages,
    configurations, fields,
    structure, values, times, syntax, leniencies, relay, sends, requests, pages, subscriptions,
    instanceID, groups,
  ]

  /// The rules that requests to the service show.
  static let runnable = all.flatMap(\.rules).filter {
    switch $0.proof {
    case .message, .scene: true
    case .catalogue, .test: false
    }
  }

  /// The rules that only the catalogue of answers shows.
  static let catalogue = all.flatMap(\.rules).filter {
    if case .catalogue = $0.proof { true } else { false }
  }

  /// Refused messages whose answer does not quote the request's root.
  static let validatable = [
    targets, messages, configurations, fields, structure, values, times,
  ].flatMap(\.rules).filter {
    if case .message(let body) = $0.proof, let answer = $0.answer {
      answer.status != 200 && body.hasPrefix(#"{"message":"#)
    } else {
      false
    }
  }
}
