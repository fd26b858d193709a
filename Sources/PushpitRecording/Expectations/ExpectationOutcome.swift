internal import PushpitJSON
package import PushpitModel

/// What became of an expectation.
package struct ExpectationOutcome: Sendable {
  /// The most matches that are told of.
  package static let matchLimit = 1_000
  /// The most near misses that are told of.
  package static let nearMissLimit = 10

  /// An envelope that did not match, and how it differed.
  package struct NearMiss: Sendable {
    package let envelope: Envelope
    /// Of a delivery: its device.
    package let device: DeviceID?
    /// None for one that matched nothing of a strict expectation.
    package let differences: [Matcher.Difference]
  }

  package let expectation: PushExpectation
  package let isMet: Bool
  /// How many matched.
  package let count: Int
  /// The oldest of them, as far as they are still recorded.
  ///
  /// Each is JSON text as the console shows it.
  package let matches: [[UInt8]]
  /// The nearest first.
  package let nearMisses: [NearMiss]
  /// How many did not match although nothing else was allowed.
  package let strangerCount: Int

  /// What was expected and what came, for people.
  package var sentence: String {
    var text = "Expected \(wanted) to match within \(DurationText.write(expectation.within)); "
    text += count == 1 ? "1 did" : "\(count) did"
    if strangerCount > 0 {
      text += ", and \(strangerCount) others were accepted, which strict forbids"
    }
    text += "."
    guard count == 0 || strangerCount > 0, let nearest = nearMisses.first else { return text }
    return text + " " + nearest.sentence
  }

  private var wanted: String {
    switch expectation.count {
    case .exactly(0): "no \(expectation.subject.name(of: 1))"
    case .exactly(let count): "exactly \(count) \(expectation.subject.name(of: count))"
    case .atLeast(let count): "at least \(count) \(expectation.subject.name(of: count))"
    case .atMost(let count): "at most \(count) \(expectation.subject.name(of: count))"
    }
  }
}

extension PushExpectation.Subject {
  /// What so many of it are called.
  fileprivate func name(of count: Int) -> String {
    switch self {
    case .envelopes: count == 1 ? "envelope" : "envelopes"
    case .deliveries: count == 1 ? "delivery" : "deliveries"
    case .connections: count == 1 ? "connection" : "connections"
    case .findings: count == 1 ? "finding" : "findings"
    case .providerTokens: count == 1 ? "provider token" : "provider tokens"
    }
  }
}

extension ExpectationOutcome.NearMiss {
  /// What it is, how it differs and why it was refused.
  fileprivate var sentence: String {
    let difference = differences.prefix(3).map { difference in
      "\(difference.field) is \(Self.short(difference.found)) and not "
        + Self.short(difference.expected)
    }.joined(separator: ", ")
    var text = "The nearest is \(envelope.id)"
    if !difference.isEmpty { text += ": \(difference)" }
    text += "."
    guard !envelope.isAccepted else { return text }
    text += " It was refused: \(envelope.status) \(envelope.reason ?? "")"
    if let diagnosis = envelope.diagnosis { text += ", because \(diagnosis.what)" }
    return text + "."
  }

  private static func short(_ value: JSONValue) -> String {
    let text = String(decoding: value.serialized(), as: UTF8.self)
    return text.count <= 80 ? text : text.prefix(80) + "..."
  }
}
