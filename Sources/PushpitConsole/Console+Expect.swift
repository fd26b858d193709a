internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `POST /expect`: waits on the server until envelopes or deliveries match, and says what came near.
  func expect(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: true)
    try query.finish()
    var reader = ExpectationReader(try call.json())
    reader.setWorkspace(workspace)
    guard reader.faults.isEmpty else { throw .invalid(reader.faults) }
    let expectation = reader.expectation
    let answer = PendingAnswer()
    let began = time.now
    let ticket: ExpectationBoard.Ticket?
    var timer: (any ConsoleTimer)?
    do throws(ExpectationBoard.Full) {
      ticket = try expectations.add(expectation) { [weak self] ending in
        timer?.cancel()
        guard let self else { return }
        answer.give(response(to: ending, elapsed: time.now - began))
      }
    } catch {
      throw ConsoleProblem(
        429, .tooMany, "There are \(ExpectationBoard.limit) expectations waiting, the limit.")
    }
    guard let ticket else { return .later(answer) }
    timer = timers.after(expectation.within) { [weak self] in self?.expectations.expire(ticket) }
    answer.whenAbandoned = { [weak self] in
      timer?.cancel()
      self?.expectations.abandon(ticket)
    }
    return .later(answer)
  }

  private func response(
    to ending: ExpectationBoard.Ending, elapsed: Duration
  ) -> Response {
    switch ending {
    case .cancelled(.workspaceGone):
      ConsoleProblem(
        409, .conflict, "The workspace was reset or removed while the expectation waited."
      ).response
    case .cancelled(.gatewayStopping):
      ConsoleProblem(503, .notReady, "The gateway is stopping.").response
    case .outcome(let outcome) where outcome.isMet: metResponse(outcome, elapsed)
    case .outcome(let outcome): failedResponse(outcome, elapsed)
    }
  }

  private func metResponse(_ outcome: ExpectationOutcome, _ elapsed: Duration) -> Response {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writeMembers(of: outcome, elapsed, into: &writer)
    writer.endObject()
    return Response(
      status: 200, fields: FieldList(["content-type": "application/json"]), body: writer.bytes)
  }

  private func failedResponse(_ outcome: ExpectationOutcome, _ elapsed: Duration) -> Response {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    let problem = ConsoleProblem(417, .expectationFailed, outcome.sentence)
    problem.writeMembers(into: &writer)
    writeMembers(of: outcome, elapsed, into: &writer)
    writer.key("nearMisses")
    writer.beginArray()
    for miss in outcome.nearMisses { write(miss, into: &writer) }
    writer.endArray()
    writer.endObject()
    return Response(
      status: 417, fields: FieldList(["content-type": "application/problem+json"]),
      body: writer.bytes)
  }

  private func writeMembers(
    of outcome: ExpectationOutcome, _ elapsed: Duration, into writer: inout JSONWriter
  ) {
    writer.member("count", outcome.count)
    writer.member("elapsed", DurationText.write(elapsed))
    writer.key("matches")
    writer.beginArray()
    for match in outcome.matches { writer.raw(match) }
    writer.endArray()
  }

  private func write(_ miss: ExpectationOutcome.NearMiss, into writer: inout JSONWriter) {
    let envelope = miss.envelope
    writer.beginObject()
    writer.member("envelope", envelope.id)
    writer.memberOrNull("device", miss.device?.rawValue)
    writer.key("differs")
    writer.beginArray()
    for difference in miss.differences {
      writer.beginObject()
      writer.member("field", difference.field)
      writer.member("expected", difference.expected)
      writer.member("found", difference.found)
      writer.endObject()
    }
    writer.endArray()
    writer.member("outcome", envelope.isAccepted ? "accepted" : "rejected")
    writer.member("status", envelope.status)
    writer.memberOrNull("reason", envelope.reason)
    writer.memberOrNull("diagnosis", envelope.diagnosis)
    writer.endObject()
  }
}
