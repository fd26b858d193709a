internal import PushpitModel

/// Rules that broadcasts and requests about channels share.
extension APNsService {
  /// Which channel an id names for an app in an environment.
  enum ChannelLookup {
    case found(Channel)
    case deleted(Diagnosis)
    /// Never there, or another app's.
    case unknown(Diagnosis)
  }

  /// A UUID, as `apns-id` must be one.
  func checkRequestID(_ call: BroadcastCall) throws(APNsRefusal) {
    guard let id = call.requestID, !Self.isCanonicalUUID(id) else { return }
    throw APNsRefusal(.badMessageID, APNsDiagnoses.badRequestID(id))
  }

  /// The path has the plain bundle ID, although the topic of a Live Activity has a suffix (Apple:
  /// Sending broadcast push notification requests).
  func checkSuffix(_ call: BroadcastCall) throws(APNsRefusal) {
    guard let type = APNsPushType.ofSuffix(call.app), let suffix = type.topicSuffix else { return }
    throw APNsRefusal(.topicDisallowed, APNsDiagnoses.suffixOnBundleID(call.app, suffix))
  }

  /// A certificate or a topic-specific key must have the bundle ID among its topics; a team-scoped key
  /// is for all apps of its team, which the gateway does not know.
  func checkAppOfCredential(
    _ call: BroadcastCall, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    if let certificate = connection.certificate {
      guard !certificate.allows(call.app, owner: nil) else { return }
      throw APNsRefusal(
        .topicMismatch, certificate.topicRefusal(call.app, owner: nil).diagnosis)
    }
    guard let token = push.providerToken, token.isTopicSpecific, let key = token.key,
      let topics = key.topics, !topics.contains(where: { call.app.elementsEqual($0.utf8) })
    else { return }
    throw APNsRefusal(.topicMismatch, APNsDiagnoses.appNotOfKey(call.app, key, topics))
  }

  func checkCapability(
    _ call: BroadcastCall, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard push.workspace.apns.broadcastDisabledApps.contains(call.appName) else { return }
    throw APNsRefusal(.broadcastNotEnabled, APNsDiagnoses.broadcastOff(call.app))
  }

  func checkChannelID(_ call: BroadcastCall) throws(APNsRefusal) {
    guard !call.channelID.isEmpty else {
      throw APNsRefusal(.missingChannelID, APNsDiagnoses.missingChannelID())
    }
    guard call.isChannelIDWellFormed else {
      throw APNsRefusal(.badChannelID, APNsDiagnoses.badChannelID(call.channelID))
    }
  }

  /// Finds the channel of a request, or says what is wrong with its id.
  func lookup(
    _ call: BroadcastCall, _ push: borrowing APNsPush, _ environment: APNsEnvironment
  ) -> ChannelLookup {
    let id = Array(call.channelID)
    guard let channel = push.workspace.channels[id] else {
      let owner = workspaces.all.values.first { $0.channels[id] != nil }
      return .unknown(
        owner.map { APNsDiagnoses.channelOfOtherWorkspace(id, $0.id, used: push.workspace.id) }
          ?? APNsDiagnoses.unknownChannel(id))
    }
    guard call.app.elementsEqual(channel.app.utf8) else {
      return .unknown(APNsDiagnoses.channelOfOtherApp(channel, used: call.app))
    }
    guard channel.environment == environment else {
      return .unknown(APNsDiagnoses.channelOfOtherEnvironment(channel))
    }
    if let end = channel.end { return .deleted(APNsDiagnoses.deletedChannel(channel, end)) }
    return .found(channel)
  }
}
