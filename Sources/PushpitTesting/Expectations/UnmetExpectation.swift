internal import PushpitJSON

/// Why an expectation was not met.
public struct UnmetExpectation: Sendable, Equatable {
  /// What came near, and how it differed.
  public struct NearMiss: Sendable, Equatable {
    /// The identifier of the envelope, as `e42`.
    public let envelope: String
    /// A line for each field that differed.
    public let differences: [String]
  }

  /// One sentence.
  public let detail: String
  /// The nearest first.
  public let nearMisses: [NearMiss]

  /// Reads the console's answer.
  init(_ problem: JSONValue) {
    detail = problem["detail"]?.stringValue ?? "the expectation was not met"
    nearMisses = (problem["nearMisses"]?.arrayValue ?? []).map { miss in
      NearMiss(
        envelope: miss["envelope"]?.stringValue ?? "",
        differences: (miss["differs"]?.arrayValue ?? []).map(Self.line))
    }
  }

  private static func line(_ difference: JSONValue) -> String {
    func text(_ name: String) -> String {
      String(decoding: (difference[name] ?? .null).serialized(), as: UTF8.self)
    }
    let field = difference["field"]?.stringValue ?? ""
    return "\(field): expected \(text("expected")), found \(text("found"))"
  }
}

extension UnmetExpectation: CustomStringConvertible {
  /// The sentence, and what came near.
  public var description: String {
    let misses = nearMisses.map { miss in
      "- \(miss.envelope)" + miss.differences.map { "\n    \($0)" }.joined()
    }
    return ([detail] + misses).joined(separator: "\n")
  }
}
