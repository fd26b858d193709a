internal import PushpitHTTPTypes
package import PushpitModel

/// What a workspace's senders do, found out from its records when somebody asks.
///
/// It keeps where it stands and looks at new records only, so that an expectation can ask at each event; on
/// the path of a push nothing happens. Its tables forget what was added first.
package final class SenderAnalysis {
  /// At most so many tokens are judged.
  static let tokenLimit = 10_000
  /// At most so many pushes are remembered to be known again.
  static let contentLimit = 20_000
  /// At most so many connections and credentials are counted each.
  static let countLimit = 10_000
  /// The same push within this time counts as sent twice.
  static let duplicateWindow = Duration.seconds(60)
  /// Who sends again within this time after 429 did not wait.
  static let shortestPause = Duration.seconds(1)
  /// Apple refuses a second provider token within it (Establishing a token-based connection to APNs).
  static let tokenPeriod = Duration.seconds(20 * 60)
  /// From so many pushes on something counts as done for each push.
  static let habitCount = 3

  package let workspace: WorkspaceID
  private var nextNumber: EnvelopeNumber = 1
  private(set) var findings: [FindingCode: Finding] = [:]
  private(set) var tokens = BoundedTable<String, TokenAdvice>(limit: tokenLimit)
  private(set) var answers: [AnswerKind: Int] = [:]
  /// Those that pushes came on.
  private(set) var connections = BoundedTable<UInt64, ConnectionUse>(limit: countLimit)
  /// Provider tokens by their fingerprints.
  private(set) var providerTokens = BoundedTable<String, ProviderTokenUse>(limit: countLimit)
  private(set) var pushCount = 0
  private(set) var acceptedCount = 0
  private(set) var firstNumber: EnvelopeNumber?
  private(set) var lastNumber: EnvelopeNumber?
  private var contents = BoundedTable<Int, LastSending>(limit: contentLimit)
  /// When 429 was answered, by token or project.
  private var limited = BoundedTable<String, Timestamp>(limit: countLimit)
  /// Credentials that were answered as expired, by their fingerprints.
  private var expired = BoundedTable<String, Void>(limit: countLimit)
  private var grantCount = 0
  private var grants: [EnvelopeNumber] = []
  private var messageCount = 0

  /// What is remembered of a push to know it again.
  private struct LastSending {
    let number: EnvelopeNumber
    let at: Timestamp
    let status: Int
    let isAccepted: Bool
    let isRefusedForGood: Bool
  }

  package init(of workspace: WorkspaceID) {
    self.workspace = workspace
  }

  /// Looks at what was recorded since the last time.
  package func catchUp(_ store: EnvelopeStore) {
    store.forEachSent(from: nextNumber, in: workspace, take)
    nextNumber = store.nextEnvelope
  }

  private func take(_ request: SentRequest) {
    firstNumber = firstNumber ?? request.number
    lastNumber = request.number
    answers[AnswerKind(request), default: 0] += 1
    takeCredential(request)
    if request.service == .oauth, request.isAccepted { takeGrant(request) }
    guard request.isPush else { return }
    pushCount += 1
    if request.isAccepted { acceptedCount += 1 }
    if request.service == .fcm { messageCount += 1 }
    let known = connections[request.connection]?.pushCount ?? 0
    connections.insert(
      ConnectionUse(id: request.connection, pushCount: known + 1), for: request.connection)
    takeToken(request)
    takeContent(request)
    takePause(request)
  }

  private func takeToken(_ request: SentRequest) {
    var advice = tokens[request.token] ?? TokenAdvice(request.token, request.tokenKind)
    if advice.diedWith != nil, !request.isAccepted || request.saysTokenIsDead {
      note(.sentToDeadToken, request, statuses: [advice.status])
    }
    advice.take(request)
    tokens.insert(advice, for: request.token)
    if request.diagnosis == .fcmTokenAtAPNs || request.diagnosis == .apnsTokenAtFCM {
      note(.misroutedToken, request, statuses: [request.status])
    }
  }

  private func takeContent(_ request: SentRequest) {
    if let last = contents[request.content] {
      let pause = request.receivedAt - last.at
      if last.isRefusedForGood {
        note(.retryAfterRefusal, request, after: last.number, statuses: [last.status])
      } else if last.isAccepted, request.isAccepted, pause <= Self.duplicateWindow {
        note(.duplicatePush, request, after: last.number, statuses: [last.status])
      }
    }
    contents.insert(
      LastSending(
        number: request.number, at: request.receivedAt, status: request.status,
        isAccepted: request.isAccepted, isRefusedForGood: request.isRefusedForGood),
      for: request.content)
  }

  private func takePause(_ request: SentRequest) {
    // APNs limits pushes to a token, FCM also messages of a project.
    let names = [request.token, request.project].filter { !$0.isEmpty }
    let wasLimited = names.contains { name in
      limited[name].map { request.receivedAt - $0 < Self.shortestPause } ?? false
    }
    if wasLimited { note(.noBackoff, request, statuses: [429]) }
    if request.status == 429 {
      for name in names { limited.insert(request.receivedAt, for: name) }
    }
  }

  private func takeCredential(_ request: SentRequest) {
    guard let credential = request.credential else { return }
    let name = credential.keyID ?? credential.serviceAccount
    switch credential.kind {
    case .providerToken:
      countProviderToken(credential, request)
      guard request.reason == "ExpiredProviderToken" else { return }
      if isSentAgain(expired: credential) {
        note(.staleProviderToken, request, statuses: [request.status], credential: name)
      }
    case .accessToken, .selfSignedToken:
      guard request.status == 401 else { return }
      if isSentAgain(expired: credential) {
        note(.staleAccessToken, request, statuses: [request.status], credential: name)
      }
    case .certificate, .assertion, .refreshToken, .subjectToken, .unreadable: return
    }
  }

  /// Whether a credential was answered as expired before; it is remembered.
  private func isSentAgain(expired credential: CredentialFacts) -> Bool {
    defer { expired.insert((), for: credential.fingerprint) }
    return expired[credential.fingerprint] != nil
  }

  private func countProviderToken(_ credential: CredentialFacts, _ request: SentRequest) {
    var use =
      providerTokens[credential.fingerprint]
      ?? ProviderTokenUse(
        keyID: credential.keyID ?? "", teamID: credential.teamID ?? "",
        fingerprint: credential.fingerprint, firstAt: request.receivedAt)
    let isNew = use.requestCount == 0
    use.requestCount += 1
    providerTokens.insert(use, for: credential.fingerprint)
    guard isNew else { return }
    let recent = providerTokens.all.filter {
      $0.keyID == use.keyID && use.firstAt - $0.firstAt < Self.tokenPeriod
    }
    guard recent.count > Self.habitCount - 1 else { return }
    note(.tooManyProviderTokens, request, statuses: [], credential: credential.keyID)
    findings[.tooManyProviderTokens]?.count = recent.count
  }

  private func takeGrant(_ request: SentRequest) {
    guard request.reason.isEmpty else { return }
    grantCount += 1
    if grants.count < Finding.evidenceLimit { grants.append(request.number) }
  }

  private func note(
    _ code: FindingCode, _ request: SentRequest, after earlier: EnvelopeNumber? = nil,
    statuses: Set<Int>, credential: String? = nil
  ) {
    var finding = findings[code] ?? Finding(code)
    finding.count += 1
    finding.statuses.formUnion(statuses)
    for number in [earlier, request.number].compactMap({ $0 })
    where finding.evidence.count < Finding.evidenceLimit && !finding.evidence.contains(number) {
      finding.evidence.append(number)
    }
    if !request.token.isEmpty, finding.tokens.count < Finding.evidenceLimit,
      !finding.tokens.contains(request.token)
    {
      finding.tokens.append(request.token)
    }
    if let credential, finding.credentials.count < Finding.evidenceLimit,
      !finding.credentials.contains(credential)
    {
      finding.credentials.append(credential)
    }
    findings[code] = finding
  }

  /// The connections that pushes came on, in order.
  var connectionUses: [ConnectionUse] { connections.all.sorted { $0.id < $1.id } }

  /// What was found, errors first and then the commonest.
  package var allFindings: [Finding] {
    var all = Array(findings.values)
    // More than half of the pushes: what happens once in a while is no habit.
    if connections.count >= Self.habitCount, connections.count * 2 > pushCount {
      var finding = Finding(.connectionPerPush)
      finding.count = connections.count
      all.append(finding)
    }
    if grantCount >= Self.habitCount, grantCount * 2 > messageCount, messageCount > 0 {
      var finding = Finding(.accessTokenPerPush)
      finding.count = grantCount
      finding.evidence = grants
      all.append(finding)
    }
    return all.sorted { one, other in
      if one.code.isError != other.code.isError { return one.code.isError }
      return one.count == other.count
        ? one.code.rawValue < other.code.rawValue : one.count > other.count
    }
  }
}
