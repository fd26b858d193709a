internal import PushpitHTTPTypes
internal import PushpitModel

extension APNsService {
  func checkTokenPresence(_ push: borrowing APNsPush) throws(APNsRefusal) {
    guard !push.token.isEmpty else {
      throw APNsRefusal(.missingDeviceToken, APNsDiagnoses.missingDeviceToken())
    }
  }

  func checkTokenShape(_ push: borrowing APNsPush) throws(APNsRefusal) {
    guard !push.isTokenWellFormed else { return }
    let token = push.token
    let diagnosis =
      TokenShape.isFCM(token)
      ? APNsDiagnoses.fcmToken(token, record: push.record) : APNsDiagnoses.tokenNotHex(token)
    throw APNsRefusal(.badDeviceToken, diagnosis)
  }

  /// Judges a well-formed token by what is registered, and finds the recipient.
  func checkRegistration(
    _ request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome
  ) throws(APNsRefusal) {
    if let record = push.record, record.isDeclared {
      try checkDeclared(record, request, push)
      if !record.isInUse { try checkLife(record, request, push, &outcome) }
      outcome.recipient = record
      outcome.app = record.app
      outcome.deviceMessage = request.body
      return
    }
    guard push.policies.tokens == .open else {
      throw APNsRefusal(
        .badDeviceToken,
        APNsDiagnoses.tokenUnknown(push.token, workspace: push.workspace.id))
    }
    outcome.recipient = useUndeclared(request, push, &outcome)
  }

  /// Of other workspace, other environment, other topic: in that order, which is assumed, as is that
  /// what a token is for comes before whether it lives.
  private func checkDeclared(
    _ record: TokenRecord, _ request: PushRequest, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard record.workspace == push.workspace.id else {
      throw APNsRefusal(
        .badDeviceToken,
        APNsDiagnoses.tokenOfOtherWorkspace(record, used: push.workspace.id))
    }
    // Apple: BadDeviceToken is also the answer to a token of the other environment.
    if let environment = record.environment, environment != request.environment {
      throw APNsRefusal(
        .badDeviceToken, APNsDiagnoses.tokenOfOtherEnvironment(push.token, is: environment))
    }
    guard record.topic.isEmpty || push.topic.isEqual(record.topic) else {
      throw APNsRefusal(
        .deviceTokenNotForTopic,
        APNsDiagnoses.tokenOfOtherTopic(record, used: push.topic))
    }
  }

  /// Dead is refused; alive although not in use, its app logged out, is worth a warning.
  private func checkLife(
    _ record: TokenRecord, _ request: PushRequest, _ push: borrowing APNsPush,
    _ outcome: inout PushOutcome
  ) throws(APNsRefusal) {
    switch record.state {
    case .active: outcome.warnings.append(APNsDiagnoses.sentAfterClear(record))
    case .unregistered(let since):
      // Apple begins to answer 410 on a schedule that is fuzzy on purpose, after days or weeks (Apple's
      // engineers in the forums, threads 670868 and 794478); until then it is 200. `timestamp` is "the
      // time at which APNs confirmed that the token was no longer valid" (Handling notification
      // responses), which is the end of the delay: no push was answered with 200 after it.
      let confirmed = since + push.workspace.apns.uninstallDelay
      guard push.workspace.time(at: request.receivedAt) >= confirmed else { return }
      throw APNsRefusal(
        .unregistered,
        APNsDiagnoses.tokenUnregistered(push.token, since: since, answered: confirmed),
        since: confirmed)
    case .rotated(let since):
      throw APNsRefusal(
        .unregistered, APNsDiagnoses.tokenRotated(push.token, at: since), since: since)
    case .expired(let since):
      throw APNsRefusal(
        .expiredToken, APNsDiagnoses.tokenExpired(push.token, since: since), since: since)
    }
  }

  /// The record of a token that nobody registered, new or known; it is bound to nothing, and its
  /// second topic or environment is only worth a warning.
  private func useUndeclared(
    _ request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome
  ) -> TokenRecord {
    guard let record = push.record else {
      let record = tokens.adopt(
        canonicalToken,
        kind: .apns, workspace: push.workspace.id)
      record.firstUse = Array(push.topic)
      record.firstEnvironment = request.environment
      return record
    }
    tokens.touch(record)
    let isSameTopic = push.topic.isEqual(record.firstUse)
    if !isSameTopic || record.firstEnvironment != request.environment {
      outcome.warnings.append(
        APNsDiagnoses.tokenUsedForTwoApps(
          record, topic: push.topic, environment: request.environment))
    }
    return record
  }
}
