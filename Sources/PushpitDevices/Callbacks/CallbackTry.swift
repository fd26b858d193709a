package import PushpitJSON
package import PushpitModel

/// What came of one try to send a callback.
package struct CallbackOutcome: Sendable, Equatable {
  /// Which try it was, from 1.
  package let number: Int
  /// The status of the answer; nil without one.
  package let status: Int?
  /// Why there was no answer, or none that counts; nil when all is well.
  package let error: String?

  package init(number: Int, status: Int? = nil, error: String? = nil) {
    self.number = number
    self.status = status
    self.error = error
  }
}

/// One try to send a callback, as a device's history has it.
package struct CallbackTry: Sendable, Equatable {
  /// The workspace's time.
  package let at: Timestamp
  package let kind: CallbackKind
  /// With its values; the token in it is one for tests.
  package let url: String
  package let outcome: CallbackOutcome

  /// Writes the try as an object.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(into: &writer)
    writer.endObject()
  }

  /// Writes what there is to say as members of the innermost object.
  func writeMembers(into writer: inout JSONWriter) {
    writer.member("at", at.rfc3339)
    writer.member("kind", "callback")
    writer.member("callback", kind.rawValue)
    writer.member("url", url)
    writer.member("try", outcome.number)
    writer.memberOrNull("status", outcome.status)
    writer.memberOrNull("error", outcome.error)
  }
}
