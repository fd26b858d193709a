internal import PushpitHTTPTypes
package import PushpitModel

/// Pushes that FCM passes on for iOS apps with Firebase.
///
/// They come with no provider token: the key that somebody uploaded to Firebase vouches for them, of
/// which the gateway has the public half only.
extension APNsService {
  /// Judges such a push by its key and then by every check that does not ask for a credential.
  package func judgeRelayed(
    _ request: PushRequest, in workspace: Workspace
  ) throws(APNsRelay.Refusal) -> TokenRecord {
    var push = read(request, relayConnection)
    push.workspace = workspace
    push.policies = workspace.policies
    var outcome = PushOutcome(service: .apns, workspace: workspace.id, status: 200)
    do throws(APNsRefusal) {
      try checkRelayKey(of: workspace, for: push.topic, in: request.environment)
      for check in APNsCheck.ofRelay {
        try perform(check, of: request, push, &outcome, relayConnection)
      }
    } catch {
      throw APNsRelay.Refusal(
        status: error.reason.status, reason: error.reason.text(push.policies.wire),
        diagnosis: error.diagnosis)
    }
    guard let recipient = outcome.recipient else {
      preconditionFailure("the check of the registration found no record")
    }
    return recipient
  }

  /// InvalidProviderToken without a key, BadEnvironmentKeyInToken of one for the other environment (both
  /// seen in FCM's answers, 2025 and 2026), TopicDisallowed of one for other topics.
  ///
  /// That the first of these is also what a project without any key gets is commonly reported.
  private func checkRelayKey(
    of workspace: Workspace, for topic: ArraySlice<UInt8>, in environment: APNsEnvironment
  ) throws(APNsRefusal) {
    let choice = workspace.fcm.apnsKey
    var ofOtherEnvironment: APNsKey?
    var ofOtherTopics: APNsKey?
    for key in credentials.apnsKeys.values
    where key.workspace == workspace.id && choice.allows(key.keyID) {
      guard key.environments.contains(environment) else {
        ofOtherEnvironment = key
        continue
      }
      guard let topics = key.topics, !topics.contains(where: { topic.elementsEqual($0.utf8) })
      else { return }
      ofOtherTopics = key
    }
    if let key = ofOtherTopics {
      throw APNsRefusal(.topicDisallowed, APNsDiagnoses.relayKeyOfOtherTopics(key, topic))
    }
    if let key = ofOtherEnvironment {
      throw APNsRefusal(
        .badEnvironmentKeyInToken, APNsDiagnoses.relayKeyOfOtherEnvironment(key, environment))
    }
    throw APNsRefusal(.invalidProviderToken, APNsDiagnoses.relayKeyMissing(choice, workspace.id))
  }
}

extension FCMSettings.APNsKeyChoice {
  /// Whether this may be the key.
  fileprivate func allows(_ keyID: String) -> Bool {
    switch self {
    case .any: true
    case .none: false
    case .key(let id): id == keyID
    }
  }
}
