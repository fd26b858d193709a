internal import PushpitJSON
internal import PushpitModel

/// What a sender should do with one token.
struct TokenAdvice: Sendable {
  /// What to do.
  enum Verdict: String, Sendable, CaseIterable {
    /// It is dead: delete it.
    case prune
    /// It was accepted last.
    case keep
    /// It is not for this vendor, app, project or environment, or not a token.
    case fix
  }

  let token: String
  let kind: TokenKind?
  var verdict = Verdict.keep
  var why = "it was accepted"
  var status = 200
  var reason: String?
  var diagnosis: String?
  var requestCount = 0
  var last: EnvelopeNumber = 0
  /// The envelope that was answered that it is dead.
  var diedWith: EnvelopeNumber?

  init(_ token: String, _ kind: TokenKind?) {
    self.token = token
    self.kind = kind
  }

  /// Takes one answer into account.
  mutating func take(_ request: SentRequest) {
    requestCount += 1
    last = request.number
    // What says nothing of the token leaves the verdict.
    let isAboutToken =
      request.isAccepted || request.saysTokenIsDead
      || (request.status == 400 && !request.token.isEmpty)
      || request.reason == "SENDER_ID_MISMATCH"
    guard isAboutToken else { return }
    status = request.status
    reason = request.reason.isEmpty ? nil : request.reason
    diagnosis = request.diagnosis?.rawValue
    if request.saysTokenIsDead {
      diedWith = diedWith ?? request.number
      (verdict, why) = (.prune, "the vendor says that it is dead")
    } else if request.isAccepted {
      diedWith = nil
      (verdict, why) = (.keep, "it was accepted")
    } else {
      (verdict, why) = (.fix, "it was refused: \(request.status) \(request.reason)")
    }
  }

  /// Writes it as the console shows it.
  func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("token", token)
    writer.memberOrNull("kind", kind?.rawValue)
    writer.member("verdict", verdict.rawValue)
    writer.member("why", why)
    writer.member("status", status)
    writer.memberOrNull("reason", reason)
    writer.memberOrNull("diagnosis", diagnosis)
    writer.member("requests", requestCount)
    writer.member("last", EnvelopeID.text(last))
    writer.endObject()
  }
}
