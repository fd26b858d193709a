internal import PushpitModel

extension APNsService {
  func checkTokenPresence(_ push: borrowing APNsPush) throws(APNsRefusal) {
    guard !push.outcome.token.isEmpty else {
      throw APNsRefusal(.missingDeviceToken, APNsDiagnoses.missingDeviceToken())
    }
  }

  func checkTokenShape(_ push: borrowing APNsPush) throws(APNsRefusal) {
    guard !push.isTokenWellFormed else { return }
    let token = push.outcome.token
    let diagnosis =
      push.outcome.tokenKind == .fcm
      ? APNsDiagnoses.fcmToken(token, record: push.record) : APNsDiagnoses.tokenNotHex(token)
    throw APNsRefusal(.badDeviceToken, diagnosis)
  }

  /// Judges a well-formed token by what is registered, and finds the recipient.
  func checkRegistration(
    _ request: PushRequest, _ push: inout APNsPush
  ) throws(APNsRefusal) {
    if let record = push.record, record.device != nil {
      try checkDeclared(record, request, &push)
      push.outcome.recipient = record
      push.outcome.app = record.app
      return
    }
    guard push.workspace.policies.tokens == .open else {
      throw APNsRefusal(
        .badDeviceToken,
        APNsDiagnoses.tokenUnknown(push.outcome.token, workspace: push.workspace.id))
    }
    push.outcome.recipient = useUndeclared(request, &push)
  }

  /// Of other workspace, other environment, other topic, dead: in that order, which is assumed:
  /// what a token is for comes before whether it lives.
  private func checkDeclared(
    _ record: TokenRecord, _ request: PushRequest, _ push: inout APNsPush
  ) throws(APNsRefusal) {
    let token = push.outcome.token
    guard record.workspace == push.workspace.id else {
      throw APNsRefusal(
        .badDeviceToken,
        APNsDiagnoses.tokenOfOtherWorkspace(record, used: push.workspace.id))
    }
    // Apple: BadDeviceToken is also the answer to a token of the other environment.
    if let environment = record.environment, environment != request.environment {
      throw APNsRefusal(
        .badDeviceToken, APNsDiagnoses.tokenOfOtherEnvironment(token, is: environment))
    }
    guard record.topic.isEmpty || push.outcome.topic.isEqual(record.topic) else {
      throw APNsRefusal(
        .deviceTokenNotForTopic,
        APNsDiagnoses.tokenOfOtherTopic(record, used: push.outcome.topic))
    }
    switch record.state {
    case .active: break
    case .unregistered(let since):
      throw APNsRefusal(
        .unregistered, APNsDiagnoses.tokenUnregistered(token, since: since), since: since)
    case .rotated(let since):
      throw APNsRefusal(
        .unregistered, APNsDiagnoses.tokenRotated(token, at: since), since: since)
    }
    if record.isCleared { push.outcome.warnings.append(APNsDiagnoses.sentAfterClear(record)) }
  }

  /// The record of a token that nobody registered, new or known; it is bound to nothing, and its
  /// second topic or environment is only worth a warning.
  private func useUndeclared(_ request: PushRequest, _ push: inout APNsPush) -> TokenRecord {
    guard let record = push.record else {
      let record = tokens.adopt(
        canonicalToken,
        kind: .apns, workspace: push.workspace.id)
      record.firstUse = Array(push.outcome.topic)
      record.firstEnvironment = request.environment
      return record
    }
    tokens.touch(record)
    let isSameTopic = push.outcome.topic.isEqual(record.firstUse)
    if !isSameTopic || record.firstEnvironment != request.environment {
      push.outcome.warnings.append(
        APNsDiagnoses.tokenUsedForTwoApps(
          record, topic: push.outcome.topic, environment: request.environment))
    }
    return record
  }
}
