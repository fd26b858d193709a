internal import PushpitJSON
internal import PushpitModel

extension EnvelopeQuery {
  /// Everything that an expectation looks at.
  init(unfilteredOf expectation: PushExpectation) {
    self.init(workspace: expectation.workspace)
    since = expectation.since
  }

  /// What an expectation may match.
  ///
  /// These are the conditions that can be asked of very many records quickly; what is left is for the
  /// matcher.
  init(of expectation: PushExpectation) {
    self.init(unfilteredOf: expectation)
    for rule in expectation.matcher.rules {
      guard case .equal(let value) = rule.condition, let text = value.stringValue else { continue }
      switch rule.field {
      case "service": service = PushService(rawValue: text)
      case "outcome": isAccepted = ["accepted": true, "rejected": false][text]
      case "reason": reason = text
      case "diagnosis": diagnosis = text
      case "token": token = text
      case "topic": topic = text
      case "project": project = text
      case "app": app = text
      case "collapse": collapse = text
      case "device": device = DeviceID(text)
      case let field where field.hasPrefix("/") && Self.isWrittenAsItIs(text): words += " " + text
      default: break
      }
    }
  }

  /// Whether a text stands in every JSON text that has it, byte for byte.
  private static func isWrittenAsItIs(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x20 || byte == 0x2D
    }
  }
}
