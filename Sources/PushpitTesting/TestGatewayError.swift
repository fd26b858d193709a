internal import PushpitDevices

/// Why something of a test's gateway failed.
public enum TestGatewayError: Error, Equatable, Sendable {
  /// The gateway did not start.
  case start(String)
  /// No push reached the device in time; says what did become of the pushes of the test.
  case noPush(MissingPush)
  /// A push reached a device that should have got none.
  case unexpectedPush(ReceivedPush)
  /// An expectation of the recording was not met.
  case unmet(UnmetExpectation)
  /// Settings that cannot be.
  case settings(String)
  /// A device cannot be made, or cannot do what was asked, or has no such token.
  case device(String)
  /// A push was not answered.
  case sending(String)
  /// The clock cannot show such a time.
  case clock(String)
  /// The files of the credentials cannot be written.
  case files(String)
  /// The gateway has stopped: `withGateway` has returned.
  case stopped
}

extension TestGatewayError: CustomStringConvertible {
  /// What failed and why, for the test's report.
  public var description: String {
    switch self {
    case .start(let text), .device(let text), .sending(let text),
      .clock(let text), .files(let text), .settings(let text):
      text
    case .unmet(let unmet): unmet.description
    case .noPush(let missing): missing.description
    case .unexpectedPush(let push):
      "a push reached the device: envelope \(push.envelope), title "
        + (push.title.map { "'\($0)'" } ?? "none") + ", \(push.state)"
    case .stopped: "the gateway has stopped; use it inside withGateway"
    }
  }
}
