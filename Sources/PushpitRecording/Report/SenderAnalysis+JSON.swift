package import PushpitJSON
internal import PushpitModel

extension SenderAnalysis {
  /// So many tokens of each verdict are listed.
  package static let listLimit = 1_000

  /// Writes the report as the console shows it.
  package func json(into writer: inout JSONWriter) {
    let findings = allFindings
    writer.beginObject()
    writer.member("workspace", workspace.rawValue)
    writer.member("verdict", verdict(findings))
    writer.memberOrNull("from", firstNumber.map(EnvelopeID.text))
    writer.memberOrNull("to", lastNumber.map(EnvelopeID.text))
    writer.member("pushes", pushCount)
    writer.member("accepted", acceptedCount)
    writer.member("rejected", pushCount - acceptedCount)
    writer.key("findings")
    writer.beginArray()
    for finding in findings { finding.json(into: &writer) }
    writer.endArray()
    writeTokens(into: &writer)
    writeConnections(into: &writer)
    writeProviderTokens(into: &writer)
    writeAnswers(into: &writer)
    writer.endObject()
  }

  private func verdict(_ findings: [Finding]) -> String {
    guard pushCount > 0 else { return "Nothing was pushed." }
    guard let worst = findings.first else {
      return "\(pushCount) pushes, and nothing that a vendor would punish."
    }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    return "\(pushCount) pushes: \(worst.code.what(worst.count))\(more)."
  }

  private func writeTokens(into writer: inout JSONWriter) {
    let all = tokens.all.sorted { $0.last > $1.last }
    writer.key("tokens")
    writer.beginObject()
    for verdict in TokenAdvice.Verdict.allCases {
      let items = all.filter { $0.verdict == verdict }
      writer.key(verdict.rawValue)
      writer.beginObject()
      writer.member("total", items.count)
      writer.key("items")
      writer.beginArray()
      for item in items.prefix(Self.listLimit) { item.json(into: &writer) }
      writer.endArray()
      writer.endObject()
    }
    writer.member("forgotten", tokens.forgottenCount)
    writer.endObject()
  }

  private func writeConnections(into writer: inout JSONWriter) {
    writer.key("connections")
    writer.beginObject()
    writer.member("count", connections.count)
    writer.member("mostPushes", connections.all.map(\.pushCount).max() ?? 0)
    let tenths = connections.count == 0 ? 0 : pushCount * 10 / connections.count
    writer.key("pushesPerConnection")
    writer.value(JSONNumber(Double(tenths) / 10).map { .number($0) } ?? .null)
    writer.endObject()
  }

  private func writeProviderTokens(into writer: inout JSONWriter) {
    let keys = Dictionary(grouping: providerTokens.all) { $0.keyID }
    writer.key("providerTokens")
    writer.beginArray()
    for (keyID, uses) in keys.sorted(by: { $0.key < $1.key }) {
      writer.beginObject()
      writer.member("keyID", keyID)
      writer.memberOrNull("teamID", uses.first?.teamID)
      writer.member("tokens", uses.count)
      writer.member("requests", uses.reduce(0) { $0 + $1.requestCount })
      writer.endObject()
    }
    writer.endArray()
  }

  private func writeAnswers(into writer: inout JSONWriter) {
    writer.key("answers")
    writer.beginArray()
    for (kind, count) in answers.sorted(by: {
      ($1.value, $0.key.status) < ($0.value, $1.key.status)
    }) {
      writer.beginObject()
      writer.member("service", kind.service.rawValue)
      writer.member("status", kind.status)
      writer.memberOrNull("reason", kind.reason.isEmpty ? nil : kind.reason)
      writer.member("count", count)
      writer.endObject()
    }
    writer.endArray()
  }
}
