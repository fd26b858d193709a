internal import PushpitJSON
internal import PushpitModel

/// Something that an analysis of a workspace's senders gives to expectations.
enum SenderItem {
  case connection(ConnectionUse)
  case finding(Finding)
  case providerToken(ProviderTokenUse)

  /// All of one kind, as they are now.
  static func all(
    _ subject: PushExpectation.Subject, of analysis: SenderAnalysis
  ) -> [SenderItem] {
    switch subject {
    case .connections: analysis.connectionUses.map { .connection($0) }
    case .findings: analysis.allFindings.map { .finding($0) }
    case .providerTokens: analysis.providerTokens.all.map { .providerToken($0) }
    case .envelopes, .deliveries: []
    }
  }

  /// Whether it is as a matcher wants it.
  func matches(_ matcher: Matcher) -> Bool {
    switch self {
    case .connection(let connection): matcher.matches(connection)
    case .finding(let finding): matcher.matches(finding)
    case .providerToken(let token): matcher.matches(token)
    }
  }

  /// As the console shows it.
  var json: [UInt8] {
    var writer = JSONWriter(style: .compact)
    switch self {
    case .connection(let connection):
      writer.beginObject()
      writer.member("id", connection.id)
      writer.member("pushes", connection.pushCount)
      writer.endObject()
    case .finding(let finding): finding.json(into: &writer)
    case .providerToken(let token):
      writer.beginObject()
      writer.member("keyID", token.keyID)
      writer.member("teamID", token.teamID)
      writer.member("sha256", token.fingerprint)
      writer.member("requests", token.requestCount)
      writer.endObject()
    }
    return writer.bytes
  }
}
